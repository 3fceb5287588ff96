import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import Store
import TestSupport
import Testing

@testable import ChatCore

/// Members that send what they may not: nothing changes, and the log says why.
@Suite struct HostileMemberTests {
    private let thumb = Reaction(emoji: "👍")

    /// What members can change: entries, members and counters.
    private func state(of team: GroupBench) throws -> [String] {
        let tables = [
            "items", "item_versions", "member_reactions", "early_events", "groups", "group_messages",
            "group_deliveries",
        ]
        let database = team.bench.store.database
        return try tables.flatMap { table in
            let columns = try database.rows("SELECT name FROM pragma_table_info('\(table)')") {
                row throws(StoreError) in try row.text()
            }
            let values = columns.map { "quote(\"\($0)\")" }.joined(separator: " || '|' || ")
            return try database.rows("SELECT '\(table)|' || \(values) FROM \"\(table)\"") { row throws(StoreError) in
                try row.text()
            }
        } + team.bench.store.members(of: team.id).map { "\($0.name) \($0.role.rawValue) \($0.status.rawValue)" }
    }

    /// Expects that a message changes nothing and that the log has the reasons.
    private func refuses(
        _ refusals: [GroupRefusal], _ team: GroupBench, location: SourceLocation = #_sourceLocation,
        _ attack: () throws -> Void
    ) throws {
        _ = team.bench.events()
        let before = try state(of: team)
        try attack()
        var events = team.bench.events()
        if refusals == [.malformed] {
            // What cannot be read leaves an entry, which says no more than that.
            let items = events.compactMap { ($0 as? NewItemsEvent)?.items }.flatMap { $0 }
            #expect(items.map(\.item.content) == [.undecryptable(.malformed)], sourceLocation: location)
            try team.bench.store.transaction { for item in items { try team.bench.store.removeItem(item.item) } }
            events.removeAll { $0 is NewItemsEvent }
        }
        #expect(try state(of: team) == before, sourceLocation: location)
        let reasons = refusals.map(\.rawValue).sorted()
        #expect(
            events.compactMap { ($0 as? MessageUnusableEvent)?.reason } == reasons && events.count == reasons.count,
            sourceLocation: location)
        for event in events {
            #expect(PublishedTypes.official.problem(with: event.json) == nil, sourceLocation: location)
            // Nobody is disturbed as often as somebody else likes.
            #expect(event.notice == nil && event.hooks.isEmpty, sourceLocation: location)
        }
    }

    @Test func forwarded_messages_with_forged_authors() throws {
        let team = try GroupBench(), bob = try team.member("bob"), mod = try team.member("mod", .moderator)
        let host = try team.member("host", .admin)
        for forwarder in [bob, mod] {
            try refuses([.forwarder], team) {
                try team.receive([team.forward(text("forged"), 1, of: host.memberID)], from: forwarder)
            }
        }
        try refuses([.ownName], team) {
            try team.receive([team.forward(text("forged"), 2, of: GroupBench.memberID(1))], from: host)
        }
        // Neither a member that nobody knows leaves the group, nor does it get a role.
        let stranger = GroupBench.memberID(7)
        for event in [GroupEvent.memberLeft, .roleChanged(bob.memberID, .owner), .groupDeleted] {
            try refuses([.unknownMember], team) {
                try team.receive([team.forward(.group(event), 3, of: stranger)], from: host)
            }
        }
    }

    @Test func forwarded_messages_of_an_admin_that_was_removed() throws {
        let team = try GroupBench(), bob = try team.member("bob"), host = try team.member("host", .admin)
        try team.bench.store.transaction {
            try team.bench.store.update(host.id, status: .removed, at: team.bench.now)
        }
        try refuses([.forwarder], team) {
            try team.receive([team.forward(text("forged"), 1, of: bob.memberID)], from: host)
        }
        let king = try team.member("king", GroupRole(rawValue: "king"))
        try refuses([.forwarder], team) {
            try team.receive([team.forward(text("forged"), 2, of: bob.memberID)], from: king)
        }
    }

    @Test func forwarded_messages_that_are_forwarded_themselves() throws {
        let team = try GroupBench(), bob = try team.member("bob"), host = try team.member("host", .admin)
        let inner = team.forward(text("nested"), 1, of: bob.memberID)
        try refuses([.malformed], team) {
            try team.receive([team.forward(inner.event, 2, of: bob.memberID)], from: host)
        }
    }

    @Test func events_that_are_not_forwarded() throws {
        let team = try GroupBench(), bob = try team.member("bob"), host = try team.member("host", .admin)
        let events: [ChatMessage.Event] = [
            .ok, .contactDeleted, .group(.memberConnected(bob.memberID)),
            .group(.admission(.accepted, role: .owner, bob.memberID)),
        ]
        for event in events {
            try refuses([.forwardedEvent], team) {
                try team.receive([team.forward(event, 1, of: bob.memberID)], from: host)
            }
        }
    }

    @Test func messages_without_the_role() throws {
        let team = try GroupBench(), observer = try team.member("olga", .observer), bob = try team.member("bob")
        let king = try team.member("king", GroupRole(rawValue: "king"))
        for sender in [observer, king] {
            try refuses([.role], team) { try team.receive("hello", 1, from: sender) }
            try refuses([.role], team) {
                try team.receive(
                    .update(MessageUpdate(Workbench.sharedID(9), MessageContent("hello"))), 2, from: sender)
            }
        }
        // The conversations of others with the moderators, and the own one without being a moderator.
        try refuses([.role], team) { try team.receive("hello", 3, from: bob, scope: .support(observer.memberID)) }
        try refuses([.role], team) { try team.receive("hello", 4, from: bob, scope: .support(bob.memberID)) }
        try refuses([.role], team) {
            try team.receive("hello", 5, from: bob, scope: .support(GroupBench.memberID(1)))
        }
    }

    @Test func messages_in_support_chats_of_others() throws {
        let team = try GroupBench(role: .moderator), bob = try team.member("bob"), cath = try team.member("cath")
        try refuses([.role], team) { try team.receive("hello", 1, from: bob, scope: .support(cath.memberID)) }
        try refuses([.unknownMember], team) {
            try team.receive("hello", 2, from: bob, scope: .support(GroupBench.memberID(7)))
        }
    }

    @Test func messages_of_members_that_are_gone() throws {
        let team = try GroupBench(), bob = try team.member("bob"), thumb = try #require(thumb)
        try team.receive("hello", 1, from: bob)
        for status in [GroupMember.Status.left, .removed, .rejected, .deleted] {
            let gone = try team.member("gone\(status.rawValue)", status: status)
            try refuses([.gone], team) { try team.receive("hello", 2, from: gone) }
            try refuses([.gone], team) {
                try team.receive(.deletion(MessageDeletion(Workbench.sharedID(1))), 3, from: gone)
            }
            try refuses([.gone], team) {
                try team.receive(
                    .reaction(MessageReaction(Workbench.sharedID(1), thumb, isAdded: true, of: bob.memberID)), 4,
                    from: gone)
            }
        }
    }

    @Test func messages_of_blocked_members() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        try team.bench.store.transaction {
            try team.bench.store.setBlockedForAll(true, bob.id, at: team.bench.now)
        }
        // Their reactions are taken, as in the official client.
        try refuses([.blocked], team) {
            try team.receive(.update(MessageUpdate(Workbench.sharedID(9), MessageContent("hello"))), 2, from: bob)
        }
    }

    @Test func changes_of_the_messages_of_others() throws {
        let team = try GroupBench(), bob = try team.member("bob"), cath = try team.member("cath")
        let mod = try team.member("mod", .moderator), owner = try team.member("olga", .owner)
        try team.receive("hello", 1, from: bob)
        try team.receive("rules", 2, from: owner)
        let own = try team.send("mine"), ownID = try #require(own.sharedID), thumb = try #require(thumb)
        var number: UInt8 = 10
        func delete(_ id: SharedMessageID, of author: MemberID, from sender: GroupMember) throws {
            number += 1
            try refuses([.role], team) {
                try team.receive(.deletion(MessageDeletion(id, of: author)), number, from: sender)
            }
        }
        try delete(Workbench.sharedID(1), of: bob.memberID, from: cath)
        try delete(Workbench.sharedID(2), of: owner.memberID, from: mod)
        try delete(ownID, of: GroupBench.memberID(1), from: cath)
        try refuses([.unknownMember], team) {
            try team.receive(
                .deletion(MessageDeletion(Workbench.sharedID(1), of: GroupBench.memberID(7))), 4, from: mod)
        }
        try refuses([.unknownMember], team) {
            try team.receive(
                .reaction(
                    MessageReaction(Workbench.sharedID(1), thumb, isAdded: true, of: GroupBench.memberID(7))), 5,
                from: cath)
        }
        // An edit of somebody else's message is a message of its own, and that of the other stays.
        try team.receive(.update(MessageUpdate(Workbench.sharedID(1), MessageContent("forged"))), 6, from: cath)
        try team.receive(.update(MessageUpdate(ownID, MessageContent("forged"))), 7, from: cath)
        let texts = try team.items().filter { $0.group?.author?.id != cath.id }.map(\.content.plainText)
        #expect(texts == ["hello", "rules", "mine"])
    }

    @Test func edits_of_messages_that_were_forwarded_from_elsewhere() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        try team.receive(.message(MessageContainer(MessageContent("from elsewhere"), isForwarded: true)), 1, from: bob)
        try refuses([.unchangeable], team) {
            try team.receive(.update(MessageUpdate(Workbench.sharedID(1), MessageContent("else"))), 2, from: bob)
        }
    }

    @Test func reactions_that_are_off_or_too_many() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        let item = try team.send("hello"), id = try #require(item.sharedID)
        for (index, emoji) in ["👍", "👎", "😀", "😂", "🚀"].enumerated() {
            let reaction = try #require(Reaction(emoji: emoji))
            try team.receive(
                .reaction(MessageReaction(id, reaction, isAdded: true, of: GroupBench.memberID(1))),
                UInt8(index + 1), from: bob)
        }
        #expect(try team.items().first?.reactions.count == Reaction.most)
        try team.set(.reactions, .init(false))
        let thumb = try #require(thumb)
        try refuses([.featureOff], team) {
            try team.receive(
                .reaction(MessageReaction(id, thumb, isAdded: false, of: GroupBench.memberID(1))), 9, from: bob)
        }
    }

    @Test func mentions_of_everybody() throws {
        let team = try GroupBench(), bob = try team.member("bob"), own = GroupBench.memberID(1)
        let names = (0..<200).map { "n\($0)" }
        var ids = Dictionary(
            uniqueKeysWithValues: names.enumerated().map {
                ($0.element, GroupBench.memberID(UInt8($0.offset % 100 + 100)))
            })
        ids["n199"] = own
        try team.receive(names.map { "@" + $0 }.joined(separator: " "), 1, from: bob, mentions: Mentions(ids))
        // The first five count, however many there are.
        #expect(try team.items().last?.group?.mentions.count == Mentions.mostReceived)
        // The same member under many names is mentioned once.
        let same = Mentions(Dictionary(uniqueKeysWithValues: names.map { ($0, own) }))
        try team.receive(names.map { "@" + $0 }.joined(separator: " "), 2, from: bob, mentions: same)
        #expect(try team.items().last?.group?.mentions.count == 1)
        #expect(try team.group().unreadMentions == 1)
    }

    @Test func payloads_of_too_many_messages() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        let element = #"{"v":"1","event":"x.msg.new","params":{"content":{"type":"text","text":"x"}}}"#
        func receive(_ payload: String) throws {
            let received = ReceivedMessage(
                number: 1, hash: [], relayTime: team.bench.now, integrity: .ok, isPostQuantum: false,
                body: Bytes(payload.utf8))
            team.inbox.handle(
                team.bench.event(bob.connection?.id ?? ConnectionID(0), .connection(.msg(received))))
            if let failure = team.bench.context.failure { throw failure }
        }
        let many = [String](repeating: element, count: ChatLimit.elements + 1).joined(separator: ",")
        try refuses([.malformed], team) { try receive("[\(many)]") }
        let junk = [String](repeating: "1", count: 7000).joined(separator: ",")
        try refuses([.malformed], team) { try receive("[\(junk)]") }
        try refuses([.malformed], team) { try receive("{}") }
        try refuses([.malformed], team) { try receive("[" + String(repeating: "[", count: 7000)) }
        // What can be read beside it counts. All that cannot be read leaves one entry.
        try receive("[1,2,\(element)]")
        #expect(try team.items().map(\.content).first == .undecryptable(.malformed))
        #expect(try team.texts().dropFirst() == ["x"])
    }
}
