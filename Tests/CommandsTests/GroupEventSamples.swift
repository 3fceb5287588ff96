import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

@testable import ChatCore

extension EventSamples {
    /// At least one value of each event of groups.
    static let groups: [Sample] = membership + members + group + memberMoves + memberRenewals + channel

    private static let membership: [Sample] = [
        (
            "group invitation",
            GroupInvitationEvent(
                profile: owner, group: team(.invited), contact: ann, hostRole: .owner, role: .member)
        ),
        ("group joined", JoinedGroupEvent(profile: owner, group: team(), host: bob)),
        ("group pending", JoinedGroupEvent(profile: owner, group: team(.pendingReview), host: bob)),
        ("group joining", GroupConnectingEvent(profile: owner, group: team(.accepted), host: bob)),
        (
            "removed from group",
            UserRemovedEvent(profile: owner, group: team(.removed), member: bob, withMessages: true)
        ),
        ("customer", AcceptingCustomerEvent(profile: owner, group: team())),
        ("customer again", CustomerRepeatedEvent(profile: owner, group: team())),
        ("business", BusinessConnectingEvent(profile: owner, group: team(.accepted), host: bob, contact: ann)),
    ]

    private static let members: [Sample] = [
        ("member joined", MemberJoinedEvent(profile: owner, group: team(), member: bob)),
        ("member asks", AcceptingMemberEvent(profile: owner, group: team(), member: bob)),
        ("member connecting", MemberConnectingEvent(profile: owner, group: team(), host: bob, member: cath)),
        ("member connected", ConnectedToMemberEvent(profile: owner, group: team(), member: cath, contact: nil)),
        ("member accepted", MemberAcceptedEvent(profile: owner, group: team(), acceptedBy: bob, member: cath)),
        (
            "member role",
            MemberRoleEvent(
                profile: owner, group: team(), byMember: bob, member: cath, former: .member, role: .admin)
        ),
        (
            "own role",
            MemberRoleEvent(
                profile: owner, group: team(), byMember: bob, member: team().membership, former: .member,
                role: .observer)
        ),
        (
            "member blocked",
            MemberBlockedEvent(profile: owner, group: team(), byMember: bob, member: cath, isBlocked: true)
        ),
        (
            "member unblocked",
            MemberBlockedEvent(profile: owner, group: team(), byMember: bob, member: cath, isBlocked: false)
        ),
        (
            "member removed",
            MemberRemovedEvent(profile: owner, group: team(), byMember: bob, member: cath, withMessages: false)
        ),
        ("member left", MemberLeftEvent(profile: owner, group: team(), member: cath)),
        (
            "member inactive",
            ConnectionInactiveEvent(profile: owner, person: .member(bob, team()), isInactive: true)
        ),
        ("member profile", MemberUpdatedEvent(profile: owner, group: team(), former: cath, member: cath)),
        (
            "member recognized",
            MemberRecognizedEvent(profile: owner, former: ann, group: team(), member: bob, contact: ann)
        ),
        ("contacts merged", ContactsMergedEvent(profile: owner, contact: ann, former: ann, merged: ann)),
        ("member contact", ContactInvitationEvent(profile: owner, contact: ann, group: team(), member: bob)),
    ]

    private static let group: [Sample] = [
        ("group deleted", GroupDeletedEvent(profile: owner, group: team(.deleted), member: bob)),
        ("group updated", GroupUpdatedEvent(profile: owner, former: team(), group: team(), member: bob)),
        ("group updated here", GroupUpdatedEvent(profile: owner, former: team(), group: team(), member: nil)),
        (
            "reports settled",
            GroupItemsDeletedEvent(
                profile: owner, group: team(), items: [ChatItemID(7)], isByUser: false, member: bob)
        ),
    ]

    private static let channel: [Sample] =
        RelayStatus.allCases.map { status -> Sample in
            (
                "chat relay \(status.rawValue)",
                ChannelRelayEvent(profile: owner, group: team(), member: bob, relay: relay(status))
            )
        }
        + [true, false].map { isChanged -> Sample in
            (
                "channel link\(isChanged ? " with other relays" : "")",
                ChannelLinkEvent(
                    profile: owner, group: team(),
                    link: GroupLink(
                        groupID: GroupID(4), connectionID: ConnectionID(5),
                        link: LinkText(full: "simplex:/contact", short: "https://relay.example/c#a"), id: [1, 2, 3],
                        role: .observer, createdAt: groupTime), relays: [relay(.active)], isRelaysChanged: isChanged)
            )
        }

    private static func relay(_ status: RelayStatus) -> GroupRelay {
        let fingerprint = String(repeating: "A", count: 43)
        guard
            let address = try? ChatRelay.address(
                text: "https://relay.example/r#\(String(repeating: "b", count: 42))A?c=\(fingerprint)")
        else { preconditionFailure("an address") }
        return GroupRelay(
            GroupRelayID(1), GroupMemberID(2), ChatRelay(id: ChatRelayID(1), address, RelayProfile(displayName: "bob")),
            status, link: "https://relay.example/g#b", webDomain: "channels.example")
    }

    private static let memberMoves: [Sample] = directions.flatMap { direction in
        phases.map { phase -> Sample in
            let condition = phase == .started ? condition : nil
            return (
                "queue of a member \(direction) \(phase)",
                MemberQueueSwitchedEvent(
                    profile: owner, group: team(), member: cath, direction: direction, phase: phase,
                    condition: condition)
            )
        }
    }

    private static let memberRenewals: [Sample] = synchronizations.map { state in
        let condition = state == .required ? condition : nil
        return (
            "ratchet of a member \(state)",
            MemberSynchronizedEvent(profile: owner, group: team(), member: bob, state: state, condition: condition)
        )
    }

    static let bob = member(2, "bob", .owner, .host, .connected)
    private static let cath = member(3, "cath\u{1b}[1m", .member, .post, .announced)
    private static let groupTime = Timestamp(milliseconds: 1_790_000_000_000)

    static func team(_ status: GroupMember.Status = .connected) -> Group {
        Group(
            id: GroupID(4), profileID: ProfileID(1), name: "team",
            storedProfile: StoredGroupProfile(GroupProfile(displayName: "team")),
            membership: member(1, "me", .member, .user, status), unreadCount: 1, createdAt: groupTime,
            updatedAt: groupTime, activeAt: groupTime)
    }

    private static func member(
        _ number: Int64, _ name: String, _ role: GroupRole, _ category: GroupMember.Category,
        _ status: GroupMember.Status
    ) -> GroupMember {
        guard let id = MemberID([UInt8(truncatingIfNeeded: number), 2, 3]) else {
            preconditionFailure("three bytes are the id of a member")
        }
        return GroupMember(
            id: GroupMemberID(number), groupID: GroupID(4), profileID: ProfileID(1),
            memberID: id, role: role, category: category,
            status: status, name: name, storedProfile: StoredProfile(text: Profile(displayName: name).json.line),
            contactID: nil, inviter: .unknown, showsMessages: true, isBlockedForAll: false,
            versions: ChatVersion.initial, supportChat: nil, createdAt: groupTime, updatedAt: groupTime,
            connection: nil)
    }
}
