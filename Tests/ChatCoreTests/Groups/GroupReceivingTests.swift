import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import TestSupport
import Testing

@testable import ChatCore

/// What members send.
@Suite struct GroupReceivingTests {
    private let thumb = Reaction(emoji: "👍")

    @Test func a_message_of_a_member_is_an_unread_entry_with_its_author() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        try team.receive("hello", 1, from: bob)
        let item = try #require(try team.items().first)
        #expect(item.group?.author?.id == bob.id && item.status == .receivedNew)
        #expect(try team.group().unreadCount == 1)
        let events = team.bench.events()
        #expect(events.map { type(of: $0).type } == ["newChatItems"])
        for event in events { #expect(PublishedTypes.official.problem(with: event.json) == nil) }
        try team.bench.store.transaction {
            try team.bench.store.markRead(.group(team.id), at: team.bench.now)
        }
        #expect(try team.group().unreadCount == 0)
        // The same message again is no other.
        try team.receive("hello", 1, from: bob)
        #expect(try team.texts() == ["hello"])
    }

    /// The queue of the one who answers may come first. A program that reads on from a place needs them as they were stored.
    @Test func answers_that_came_before_their_question_are_found_behind_it() throws {
        let team = try GroupBench(), bob = try team.member("bob"), cath = try team.member("cath")
        let noon = team.bench.now
        try team.receive("yes", 1, from: cath, at: noon + .seconds(60))
        try team.receive("lunch?", 2, from: bob, at: noon)
        try team.receive("at noon?", 3, from: bob, at: noon)
        var query = ItemQuery()
        query.chat = .group(team.id)
        func texts() throws -> [String] {
            try team.bench.store.items(of: ProfileID(1), query).map(\.content.plainText)
        }
        #expect(try texts() == ["lunch?", "at noon?", "yes"])
        query.takesOldest = true
        #expect(try texts() == ["yes", "lunch?", "at noon?"])
    }

    /// A message that an admin passed on is put right before the first one that came from its author without a detour.
    @Test func messages_of_one_second_are_found_as_they_were_stored() throws {
        let team = try GroupBench(), bob = try team.member("bob"), noon = team.bench.now
        try team.receive("may I come in?", 1, from: bob, at: noon + .milliseconds(300))
        try team.receive("who are you?", 2, from: bob, at: noon + .milliseconds(-1))
        try team.receive("yesterday", 3, from: bob, at: noon + .milliseconds(-2))
        var query = ItemQuery()
        query.chat = .group(team.id)
        let texts = try team.bench.store.items(of: ProfileID(1), query).map(\.content.plainText)
        #expect(texts == ["yesterday", "may I come in?", "who are you?"])
    }

    @Test func observers_and_those_who_left_change_nothing() throws {
        let team = try GroupBench(), bob = try team.member("bob", .observer)
        let cath = try team.member("cath", status: .left)
        try team.receive("hello", 1, from: bob)
        try team.receive("hello", 2, from: cath)
        let unknown = try team.member("dan", GroupRole(rawValue: "king"))
        try team.receive("hello", 3, from: unknown)
        #expect(try team.items().isEmpty)
        #expect(team.bench.eventTypes() == ["messageError", "messageError", "messageError"])
    }

    @Test func mentions_and_answers_mark_a_message() throws {
        let team = try GroupBench(), bob = try team.member("bob"), own = GroupBench.memberID(1)
        try team.receive("ping @alice @x", 1, from: bob, mentions: ["alice": own, "y": bob.memberID])
        let item = try #require(try team.items().last)
        #expect(item.group?.mentionsUser == true && item.group?.mentions.keys.sorted() == ["alice"])
        #expect(try team.group().unreadMentions == 1)
        let sent = try team.send("question")
        let quote = Quote(
            MessageReference(id: sent.sharedID, sentAt: WireTime(sent.time), isOwn: false, memberID: own),
            content: MessageContent("question"))
        try team.receive("answer", 2, from: bob, quote: quote)
        let answer = try #require(try team.items().first { $0.content.plainText == "answer" })
        #expect(answer.quotedID == sent.id && answer.group?.mentionsUser == true)
        try team.receive("plain", 3, from: bob)
        #expect(try team.group().unreadMentions == 2)
        let names = ["a", "b", "c", "d", "e", "f"]
        let ids = names.enumerated().map { GroupBench.memberID(UInt8(50 + $0.offset)) }
        let many = Mentions(Dictionary(uniqueKeysWithValues: zip(names, ids)))
        try team.receive(names.map { "@" + $0 }.joined(separator: " "), 4, from: bob, mentions: many)
        #expect(try team.items().last?.group?.mentions.count == 5)
    }

    @Test func blocked_members_are_not_seen() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        try team.bench.store.transaction {
            try team.bench.store.setBlockedForAll(true, bob.id, at: team.bench.now)
        }
        try team.receive("one", 1, from: bob)
        #expect(try team.items().last?.group?.removal == .blockedForAll)
        #expect(try team.group().unreadCount == 1)
        try team.set(.fullDelete, .init(true))
        try team.receive("two", 2, from: bob)
        #expect(try team.items().last?.content == .blocked)
        let cath = try team.member("cath")
        try team.bench.store.transaction { try team.bench.store.setShowsMessages(false, of: cath.id) }
        try team.receive("three", 3, from: cath)
        #expect(try team.items().last?.group?.removal == .blocked)
        // It counts as in the official client: one of each member whose messages are kept.
        #expect(try team.group().unreadCount == 2)
        for event in team.bench.events() { #expect(PublishedTypes.official.problem(with: event.json) == nil) }
    }

    /// What is shown of a member that the user hides changes with its author.
    @Test func a_hidden_member_edits_what_is_shown() throws {
        let team = try GroupBench(), cath = try team.member("cath")
        try team.receive("one", 1, from: cath)
        try team.bench.store.transaction { try team.bench.store.setShowsMessages(false, of: cath.id) }
        let id = try #require(try team.items().last?.sharedID)
        try team.receive(.update(MessageUpdate(id, MessageContent("two"))), 2, from: cath)
        #expect(try team.texts() == ["two"])
        #expect(try team.items().last?.group?.removal == nil)
    }

    @Test func what_a_role_does_not_allow_is_rejected() throws {
        let team = try GroupBench(), bob = try team.member("bob"), cath = try team.member("cath", .admin)
        for feature in [GroupPreferences.Feature.voice, .files, .simplexLinks] {
            try team.set(feature, .init(true, role: .admin))
        }
        let contents: [MessageContent] = [
            MessageContent("", kind: .voice(seconds: 1)), MessageContent("", kind: .image(preview: "")),
            MessageContent("", kind: .chat(link: [:])),
        ]
        for (index, content) in contents.enumerated() {
            try team.receive(.message(MessageContainer(content)), UInt8(index + 1), from: bob)
        }
        #expect(
            try team.items().map(\.content) == [
                .groupFeatureRejected(.voice), .groupFeatureRejected(.files), .groupFeatureRejected(.simplexLinks),
            ])
        try team.receive(.message(MessageContainer(contents[0])), 9, from: cath)
        #expect(try team.items().last?.content == .message(contents[0]))
    }

    @Test func a_link_that_is_split_by_spaces_is_rejected() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        try team.set(.simplexLinks, .init(true, role: .admin))
        let key = "zNtn5NQSJDdNaVkGbUbvBV0ATpcDcFbcvUKQvTTz0D4", link = "https://relay.example/a#\(key)"
        for (index, text) in [
            link, "look: https://relay.exa\tmple/a #\(key)", link.map { "\($0)" }.joined(separator: " "),
            "https://x https://y https://relay.example/a\n#\(key)",
        ].enumerated() {
            try team.receive(.message(MessageContainer(MessageContent(text))), UInt8(index + 1), from: bob)
            #expect(try team.items().last?.content == .groupFeatureRejected(.simplexLinks), "\(text)")
        }
        for (index, text) in ["https://example.com/a b c", "he shops at https : //"].enumerated() {
            let content = MessageContent(text)
            try team.receive(.message(MessageContainer(content)), UInt8(index + 11), from: bob)
            #expect(try team.items().last?.content == .message(content), "\(text)")
        }
        // Many beginnings of links take little time.
        let hostile = MessageContent(String(repeating: "https://", count: 1900))
        let time = try ContinuousClock().measure {
            try team.receive(.message(MessageContainer(hostile)), 21, from: bob)
        }
        #expect(time < .seconds(20))
    }

    @Test func reactions_of_many_members_add_up() throws {
        let team = try GroupBench(), bob = try team.member("bob"), cath = try team.member("cath")
        let item = try team.send("release"), thumb = try #require(thumb), id = try #require(item.sharedID)
        func react(_ member: GroupMember, _ isAdded: Bool, _ number: UInt8) throws {
            try team.receive(
                .reaction(MessageReaction(id, thumb, isAdded: isAdded, of: GroupBench.memberID(1))), number,
                from: member)
        }
        try react(bob, true, 1)
        try react(cath, true, 2)
        #expect(try team.items().first?.reactions.count == 2)
        let members = try team.conversations.members(thatGave: thumb, to: item.id, in: team.target)
        #expect(members.map(\.member.id) == [bob.id, cath.id])
        team.bench.environment.pass(.seconds(1))
        try react(bob, false, 3)
        #expect(try team.items().first?.reactions.count == 1)
        let events = team.bench.events()
        #expect(events.map { type(of: $0).type } == ["chatItemReaction", "chatItemReaction", "chatItemReaction"])
        for event in events { #expect(PublishedTypes.official.problem(with: event.json) == nil) }
    }

    /// The official client writes the emoji before the type.
    @Test func a_reaction_is_the_same_in_any_order_of_its_fields() throws {
        let team = try GroupBench(), bob = try team.member("bob"), cath = try team.member("cath")
        let item = try team.send("release"), thumb = try #require(thumb), id = try #require(item.sharedID)
        let other = try Reaction(stored: ["emoji": .string(thumb.text), "type": "emoji"])
        func react(_ member: GroupMember, _ reaction: Reaction, _ isAdded: Bool, _ number: UInt8) throws {
            try team.receive(
                .reaction(MessageReaction(id, reaction, isAdded: isAdded, of: GroupBench.memberID(1))), number,
                from: member)
        }
        try react(bob, thumb, true, 1)
        try react(cath, other, true, 2)
        for reaction in [thumb, other] {
            let members = try team.conversations.members(thatGave: reaction, to: item.id, in: team.target)
            #expect(members.map(\.member.id) == [bob.id, cath.id])
        }
        team.bench.environment.pass(.seconds(1))
        try react(bob, other, false, 3)
        #expect(
            try team.conversations.members(thatGave: thumb, to: item.id, in: team.target).map(\.member.id) == [cath.id])
        #expect(try team.items().first?.reactions.count == 1)
    }

    @Test func moderation_needs_the_role() throws {
        let team = try GroupBench(), bob = try team.member("bob"), cath = try team.member("cath", .moderator)
        let dan = try team.member("dan"), owner = try team.member("olga", .owner)
        try team.receive("buy pills", 1, from: bob)
        try team.receive("rules", 2, from: owner)
        func delete(_ id: UInt8, of author: GroupMember, by member: GroupMember, _ number: UInt8) throws {
            try team.receive(
                .deletion(MessageDeletion(Workbench.sharedID(id), of: author.memberID)), number, from: member)
        }
        _ = team.bench.events()
        try delete(1, of: bob, by: dan, 3)
        try delete(2, of: owner, by: cath, 4)
        // An id of somebody else's message without its author's.
        try team.receive(.deletion(MessageDeletion(Workbench.sharedID(1))), 5, from: dan)
        #expect(try team.items().allSatisfy { $0.deletedAt == nil })
        #expect(team.bench.eventTypes() == ["messageError", "messageError"])
        try delete(1, of: bob, by: cath, 6)
        let item = try #require(try team.items().first)
        #expect(item.group?.removal == .moderated && item.group?.moderator?.id == cath.id)
        for event in team.bench.events() { #expect(PublishedTypes.official.problem(with: event.json) == nil) }
        try team.set(.fullDelete, .init(true))
        try team.receive("more pills", 7, from: bob)
        try delete(7, of: bob, by: cath, 8)
        #expect(try team.items().last?.content == .moderated)
    }

    @Test func a_moderator_takes_messages_away() throws {
        let team = try GroupBench(role: .moderator), bob = try team.member("bob"),
            cath = try team.member("cath", .owner)
        try team.receive("spam", 1, from: bob)
        try team.receive("rules", 2, from: cath)
        let items = try team.items(), spam = items[0], rules = items[1]
        #expect(throws: ChatError.notChangeable(rules.id, .notOwn, .delete)) {
            try team.conversations.moderate([rules.id], in: team.target)
        }
        let deleted = try team.conversations.moderate([spam.id], in: team.target)
        #expect(deleted.deleted.first?.after?.item.group?.removal == .moderated)
        #expect(PublishedTypes.official.problem(with: deleted.json) == nil)
        guard case .deletion(let deletion) = team.sent(to: cath).last?.event else {
            Issue.record("nobody was told")
            return
        }
        #expect(deletion.memberID == bob.memberID && deletion.id == spam.sharedID)
        let plain = try GroupBench(), dan = try plain.member("dan")
        try plain.receive("spam", 1, from: dan)
        let group = try plain.group(), item = try #require(try plain.items().first)
        #expect(throws: ChatError.inGroup(.role(group, required: .moderator))) {
            try plain.conversations.moderate([item.id], in: plain.target)
        }
    }

    @Test func live_messages_grow() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        try team.receive(.message(MessageContainer(MessageContent("once"), isLive: true)), 1, from: bob)
        #expect(try team.items().first?.isLive == true)
        try team.receive(
            .update(MessageUpdate(Workbench.sharedID(1), MessageContent("once upon"), isLive: true)), 2, from: bob)
        try team.receive(
            .update(MessageUpdate(Workbench.sharedID(1), MessageContent("once upon a time"))), 3, from: bob)
        let item = try #require(try team.items().first)
        #expect(item.isLive == false && item.editedAt == nil && item.content.plainText == "once upon a time")
    }

    @Test func timed_messages_only_where_the_group_has_them() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        try team.receive(.message(MessageContainer(MessageContent("a"), ttl: 60)), 1, from: bob)
        try team.set(.timedMessages, .init(true, ttl: 3600))
        try team.receive(.message(MessageContainer(MessageContent("b"), ttl: 60)), 2, from: bob)
        #expect(try team.items().map(\.ttl) == [nil, 60])
    }

    @Test func entries_stand_in_the_order_of_their_times() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        let start = team.bench.now
        for (index, seconds) in [30, 10, 20].enumerated() {
            try team.receive("at \(seconds)", UInt8(index + 1), from: bob, at: start + .seconds(seconds))
        }
        #expect(try team.texts() == ["at 10", "at 20", "at 30"])
        let middle = try team.items()[1]
        func texts(_ range: ItemRange) throws -> [String] {
            try team.bench.store.allItems(in: .group(team.id), range).map(\.content.plainText)
        }
        #expect(try texts(.last(2)) == ["at 20", "at 30"])
        #expect(try texts(.before(middle.id, 5)) == ["at 10"])
        #expect(try texts(.after(middle.id, 5)) == ["at 30"])
        #expect(try texts(.around(middle.id, 1)) == ["at 10", "at 20", "at 30"])
        #expect(try texts(.initial(1)) == ["at 10", "at 20"])
    }
}
