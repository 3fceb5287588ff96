import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding

/// Members of a channel that the user serves (network-7.md 9.5 and 9.7).
extension Groups {
    // MARK: - Letting in

    /// A subscriber asks at the link of the user for a channel.
    func recordJoin(
        _ event: AgentEvent, at link: GroupLink, _ invitation: ConnectionRequest, _ information: Bytes,
        _ group: Group, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        let elements = ChatPayload.elements(of: information)
        guard let element = elements.first, case .success(.message(let message)) = element.content,
            case .group(.channelJoin(let join), _) = message.event, group.serves,
            (try? Ed25519.PublicKey(der: join.memberKey)) != nil, join.memberID != group.membership.memberID
        else { return try context.commit(event) { [] } }
        let known = try store.member(join.memberID, in: group.id)
        if let known, !isReturn(of: known, join, element, in: group) {
            return try context.commit(event) {
                let reason = "a request to join in the name of another member"
                return [MessageUnusableEvent(profile: profile, connection: nil, severity: .error, reason: reason)]
            }
        }
        guard relayRequests.take(at: now, limit: relayPolicy.requestsPerMinute) else {
            relayActivity.refusedJoins += 1
            return try context.commit(event) { [] }
        }
        if try known == nil && !hasRoom(group, atMost: relayPolicy.mostMembers) {
            relayActivity.refusedJoins += 1
            return try connector.recordBareRequest(
                event, invitation, .group(.linkRejection(fullChannel(group, join))), profile)
        }
        relayActivity.joins += 1
        return try commit(event, profile) { consequences in
            let presented = join.profile.presentedByMember().withBoundedImage
            let id: GroupMemberID
            if let known {
                id = known.id
                // The member has left the queue of the former connection.
                if let former = known.connection, former.status != .deleted {
                    try discard(former.id, &consequences)
                }
                try store.update(id, category: .invitee)
                try store.update(id, status: .accepted, at: now)
                try store.update(id, versions: message.versions)
                try rename(known, presented)
            } else {
                id = try store.insertMember(
                    ChatStore.NewMember(
                        groupID: group.id, memberID: join.memberID, role: link.role, category: .invitee,
                        status: .accepted, name: try takeName(for: presented, of: profile.id), profile: presented,
                        contactID: nil, inviter: .user, versions: message.versions), at: now)
            }
            try store.setPublicKey(join.memberKey, of: id)
            let connection = try insertConnection(
                with: id, through: invitation.description, of: group, address: link.connectionID,
                versions: message.versions)
            let member = try lookup.member(id)
            try note(.joinedByLink, by: member, &consequences.items)
            consequences.events.append(
                AcceptingMemberEvent(profile: profile, group: try lookup.group(group.id), member: member))
            consequences.actions.append { [weak self] in try self?.join(connection) }
        }
    }

    /// What a subscriber is told for whom a channel has no room.
    private func fullChannel(_ group: Group, _ join: ChannelJoin) -> GroupLinkRejection {
        GroupLinkRejection(
            from: MemberIDRole(group.membership.memberID, group.membership.role),
            to: MemberIDRole(join.memberID, .observer), groupProfile: group.profile,
            reason: GroupLinkRejection.Reason(rawValue: "the channel has as many members as the relay takes"))
    }

    /// True if a request comes from a member that is known already: the member has signed it for this relay.
    ///
    /// SECURITY: without the signature anybody who saw the id of a member could take its place, and with that of a request to
    /// another relay that relay could.
    private func isReturn(
        of known: GroupMember, _ join: ChannelJoin, _ element: ChatElement, in group: Group
    ) -> Bool {
        guard known.role != .owner, !known.isRelay, let channel = group.channel, let bytes = known.publicKey,
            bytes == join.memberKey, let key = try? Ed25519.PublicKey(der: bytes),
            let signature = element.signature, signature.binding == .group,
            join.relayID == group.membership.memberID
        else { return false }
        return signature.isVerified(
            by: key, binding: ElementSignature.groupBinding(channel.publicID, known.memberID))
    }

    // MARK: - Introductions

    /// Tells a newcomer of those that may change the channel, and them of it, and then what was said before.
    func admitToChannel(
        _ newcomer: GroupMember, _ group: Group, _ consequences: inout GroupConsequences
    ) throws {
        let moderators = try store.members(of: group.id).filter {
            $0.id != newcomer.id && $0.role >= .moderator && $0.status.isCurrent
        }
        let connected = moderators.filter { $0.connection != nil }
        consequences.messages += try conversations.enqueue(
            .group(.memberJoined(Groups.channelInfo(newcomer))), to: connected, of: group)
        var told = try store.told(of: newcomer.id, from: group.membership.id)
        for moderator in connected { told.insert(moderator.id) }
        try store.setTold(told, of: newcomer.id)
        // The owners come first: one of them has signed the roster, which names the others.
        consequences.messages += try introduce(moderators.filter { $0.role == .owner }, to: newcomer, in: group)
        consequences.messages += try serveRoster(to: newcomer, in: group)
        consequences.messages += try introduce(moderators.filter { $0.role != .owner }, to: newcomer, in: group)
        for moderator in moderators {
            var told = try store.told(of: moderator.id, from: group.membership.id)
            told.insert(newcomer.id)
            try store.setTold(told, of: moderator.id)
        }
        guard group.preferences.isOn(.history) else { return }
        let elements = try store.history(of: group.id, Groups.longestHistory).flatMap {
            try historyElements(of: $0, in: group)
        }
        consequences.messages += try conversations.enqueue(
            payloads: BinaryBatch.batches(of: elements).compactMap(\.payload), to: [newcomer], of: group)
    }

    private func introduce(
        _ members: [GroupMember], to newcomer: GroupMember, in group: Group
    ) throws -> [Int64] {
        let introductions = members.map { member in
            ChatMessage(
                id: conversations.newSharedID(),
                event: .group(
                    .memberIntroduced(
                        Groups.channelInfo(member), member.isBlockedForAll ? MemberRestrictions(.blocked) : nil)))
        }
        return try conversations.enqueue(introductions, to: [newcomer], of: group)
    }

    /// A member of a channel as others are told of it, with its key.
    static func channelInfo(_ member: GroupMember) -> MemberInfo {
        let presented = member.profile.forMembers()
        guard let key = member.publicKey else {
            return MemberInfo(member.memberID, member.role, versions: member.versions, profile: presented)
        }
        return MemberInfo(
            member.memberID, member.role, versions: member.versions, profile: presented, publicKey: key)
    }

    // MARK: - History

    /// The most messages that a new member gets from before (network-7.md 9.10).
    private static let longestHistory = 100

    /// An entry as it is passed on to a new member, with its file; nothing for one that disappears.
    private func historyElements(of item: ChatItem, in group: Group) throws -> [Bytes] {
        guard case .message(let content) = item.content, let id = item.sharedID, item.ttl == nil else { return [] }
        let isFromGroup = item.group?.isFromGroup ?? false, author = item.group?.author
        guard isFromGroup || author.map({ !$0.isBlockedForAll }) ?? true else { return [] }
        let writer = isFromGroup ? nil : author ?? group.membership
        let file = try conversations.history(ofFile: item)
        if let signed = try store.original(of: item.id) {
            let parts = (file?.parts ?? []).map { ChatMessage(event: $0).encoded }
            return ([signed] + parts).map { Groups.element($0, of: writer, at: item.time) }
        }
        let mentions = Mentions((item.group?.mentions ?? [:]).mapValues(\.memberID))
        let original = MessageContainer(
            content, isForwarded: item.isForwarded, quote: item.quote, mentions: mentions, isFromGroup: isFromGroup
        ).with(file?.invitation)
        let events =
            [ChatMessage(id: id, event: .message(original))]
            + (file?.parts ?? []).map { ChatMessage(event: $0) }
        return events.map { Groups.element($0.encoded, of: writer, at: item.time) }
    }

    /// What a relay passes on for a member, or as a post of the channel.
    static func element(_ original: Bytes, of author: GroupMember?, at time: Timestamp) -> Bytes {
        ForwardedElement(
            original, of: author?.memberID, named: author.map { shortName($0.profile.displayName) }, at: time
        ).encoded
    }

    /// A name as relays pass it on: at most 16 characters, and a mark if it has more.
    private static func shortName(_ name: String) -> String {
        name.unicodeScalars.count <= 16
            ? name : String(String.UnicodeScalarView(name.unicodeScalars.prefix(16))) + "…"
    }
}

extension Group {
    /// True if the user passes on what is written in the channel.
    var serves: Bool {
        guard isServedByUser, let status = channel?.ownStatus, !membership.status.isGone else { return false }
        return status != .inactive && status != .rejected
    }
}

extension Conversations {
    /// Stores payloads as they are for members of a group. Must be called within a transaction; ``handOver(_:)`` follows it.
    func enqueue(payloads: [Bytes], to members: [GroupMember], of group: Group) throws -> [Int64] {
        let deliveries = try members.compactMap { member in
            try delivery(to: member, of: group, isForwardable: false).map { (member.id, $0) }
        }
        guard !deliveries.isEmpty else { return [] }
        return try payloads.map { payload in
            try store.insertGroupMessage(
                payload, token: newSharedID().bytes, notifies: false, items: [], of: group.id, to: deliveries, at: now)
        }
    }
}
