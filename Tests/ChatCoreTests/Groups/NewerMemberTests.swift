import ByteCoding
import ChatProtocol
import JSONCoding
import TestSupport
import Testing

@testable import ChatCore

/// Members whose clients have versions above 16.
@Suite struct NewerMemberTests {
    // MARK: - Events of groups with relays

    @Test func events_of_relays_change_nothing() throws {
        let team = try GroupBench(role: .owner), host = try team.member("host", .admin)
        let bob = try team.member("bob", .member, .pre, isConnected: false)
        let bytes = Bytes(repeating: 1, count: 64)
        let events: [GroupEvent] = [
            .relayCapabilities(RelayCapabilities()), .relayAdded(link: "l"),
            .roster(version: 1, RosterFile(size: 2, digest: bytes)), .rosterAcknowledged(version: 1),
            .rosterRequested(), .relayTest(challenge: bytes),
            .channelJoin(ChannelJoin(Profile(displayName: "eve"), as: bob.memberID, key: bytes, at: nil)),
        ]
        let before = try team.group()
        for (number, sent) in events.enumerated() {
            let event = ChatMessage.Event.group(sent), name = event.name
            _ = team.bench.events()
            try team.receive(event, UInt8(10 + number), from: host)
            try team.receive([team.forward(event, UInt8(30 + number), of: bob.memberID)], from: host)
            let reasons = team.bench.events().compactMap { ($0 as? MessageUnusableEvent)?.reason }
            let expected: [GroupRefusal] =
                switch sent {
                // They are forwarded to the members of a channel.
                case .relayAdded, .roster: []
                // They belong to handshakes.
                case .relayTest, .channelJoin: [.unexpected, .forwardedEvent]
                default: [.forwardedEvent]
                }
            #expect(reasons == expected.map(\.rawValue), "\(name)")
            // Nobody becomes known by them.
            try team.receive([team.forward(event, UInt8(50 + number), of: GroupBench.memberID(7))], from: host)
        }
        #expect(try team.group() == before && team.items().isEmpty)
        #expect(try team.bench.store.members(of: team.id).count == 2)
    }

    // MARK: - Roles

    @Test func members_with_unknown_roles_come_in_and_write_nothing() throws {
        let team = try GroupBench(), host = try team.member("host", .owner)
        for (number, word) in ["commenter", "relay", "king"].enumerated() {
            let id = GroupBench.memberID(UInt8(40 + number)), role = GroupRole(rawValue: word)
            let info = MemberInfo(
                id, role, versions: ChatVersion.supported, profile: Profile(displayName: "m\(number)"))
            let event: GroupEvent = number == 2 ? .memberIntroduced(info) : .memberJoined(info)
            try team.receive(.group(event), UInt8(2 * number), from: host)
            let member = try #require(try team.bench.store.member(id, in: team.id))
            #expect(member.role == role && member.role < .observer)
            try team.receive([team.forward(text("no"), UInt8(60 + number), of: id)], from: host)
            #expect(try team.texts().contains("no") == false)
            try team.receive(.group(.roleChanged(id, .member)), UInt8(2 * number + 1), from: host)
            try team.receive([team.forward(text("yes"), UInt8(70 + number), of: id)], from: host)
            #expect(try team.texts().filter { $0 == "yes" }.count == number + 1)
        }
        // The user too can get a role that this version does not know.
        let own = try team.group().membership.memberID
        try team.receive(.group(.roleChanged(own, GroupRole(rawValue: "king"))), 9, from: host)
        #expect(try team.group().membership.role.rawValue == "king")
        #expect(throws: ChatError.self) { try team.send("may I?") }
    }

    @Test func nobody_gets_an_unknown_role() throws {
        let team = try GroupBench(role: .owner), bob = try team.member("bob")
        for word in ["commenter", "relay", "king"] {
            #expect(throws: ChatError.commandSyntax) {
                try team.groups.accept(bob.id, in: team.group(), as: GroupRole(rawValue: word))
            }
        }
    }

    // MARK: - Admission

    @Test func a_moderator_may_send_voice_to_the_user_that_waits() throws {
        let voice = ChatMessage.Event.message(MessageContainer(MessageContent("", kind: .voice(seconds: 3))))
        func scoped(_ id: MemberID) -> ChatMessage.Event {
            .message(MessageContainer(MessageContent("", kind: .voice(seconds: 3)), scope: .support(id)))
        }
        for status in [GroupMember.Status.pendingApproval, .pendingReview, .connected] {
            let team = try GroupBench(GroupPreferences([:])), host = try team.member("host", .moderator)
            let bob = try team.member("bob")
            try team.set(.voice, .init(false))
            let membership = try team.group().membership
            try team.bench.store.transaction {
                try team.bench.store.update(membership.id, status: status, at: team.bench.now)
            }
            try team.receive(scoped(membership.memberID), 1, from: host)
            let own = try team.items(support: membership)
            let isPending = status != .connected
            let content = MessageContent("", kind: .voice(seconds: 3))
            #expect(own.map(\.content) == [isPending ? .message(content) : .groupFeatureRejected(.voice)])
            // Neither other members nor the whole group.
            try team.receive(voice, 2, from: bob)
            let all = try team.items() + team.items(support: membership)
            #expect(all.filter { $0.content == .groupFeatureRejected(.voice) }.count == (isPending ? 1 : 2))
        }
    }

    @Test func an_admin_may_send_voice_to_a_member_that_waits() throws {
        let voice = ComposedMessage(MessageContent("", kind: .voice(seconds: 3)))
        for (versions, isAllowed) in [(VersionRange(1, 19), true), (VersionRange(1, 16), false)] {
            let team = try GroupBench(role: .owner)
            try team.set(.voice, .init(false))
            let bob = try team.member("bob", .member, .invitee, status: .pendingApproval)
            try team.bench.store.transaction { try team.bench.store.update(bob.id, versions: versions) }
            let target = ChatTarget.support(team.id, bob.id)
            if isAllowed {
                _ = try team.conversations.send(SendMessages(target, [voice]))
                #expect(team.sent(to: bob).count == 1)
            } else {
                #expect(throws: ChatError.inGroup(.feature(.voice))) {
                    try team.conversations.send(SendMessages(target, [voice]))
                }
            }
        }
    }
}
