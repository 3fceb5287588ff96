import AgentProtocol
import ByteCoding
import ChatCore
import ChatProtocol
import JSONCoding
import Store
import TestSupport
import Testing

/// Messages that are changed, taken back, reacted to, answered, passed on and sent once.
@Suite struct ChangeTests {
    private func last(_ store: TestStore, _ name: String) throws -> ChatItem {
        try #require(try store.items(name).last)
    }

    /// A message that both have.
    private func exchange(_ alice: TestStore, _ bob: TestStore, _ text: String = "hello") throws -> ChatItem {
        let item = try alice.send(text, to: "bob")
        _ = try alice.fetch()
        _ = try bob.fetch()
        return item
    }

    @Test func aMessageIsChangedOnBothSides() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let item = try exchange(alice, bob)
        _ = try alice.execute(EditItem(.name("bob"), item.id, MessageContent("hello, changed")))
        #expect(try last(alice, "bob").editedAt != nil)
        let again = try alice.execute(EditItem(.name("bob"), item.id, MessageContent("hello, changed")))
        #expect(!again.isChanged, "nothing is sent twice")
        _ = try alice.fetch()
        let received = try bob.fetch().received
        #expect(received == 0)
        #expect(try bob.texts("alice") == ["hello, changed"] && last(bob, "alice").editedAt != nil)
        #expect(bob.events().contains { $0 is ItemUpdatedEvent })
    }

    /// What could not be read again is not stored, and if it is there already it holds nothing up.
    @Test func aReactionThatIsNestedTooDeeplyIsRefused() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let item = try exchange(alice, bob)
        func reaction(_ depth: Int) throws -> Reaction {
            let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return try Reaction(decoding: Bytes(#"{"type":"x","a":\#(nested)}"#.utf8))
        }
        // Only known reactions can be sent, whatever is in them.
        for depth in [20, 62] {
            #expect(throws: ChatError.commandSyntax) {
                try alice.execute(React(.name("bob"), item.id, try reaction(depth), isAdded: true))
            }
        }
        let thumb = try #require(Reaction(emoji: "👍"))
        _ = try alice.execute(React(.name("bob"), item.id, thumb, isAdded: true))
        alice.close()
        try Database(alice.folder.path + "/simplex_v1_chat.db", .readWrite).run(
            "INSERT INTO owed_events (contact_id, message) SELECT contact_id, '{' FROM contacts")
        try alice.reopen()
        #expect(try last(alice, "bob").reactions.count == 1)
        #expect(try alice.counts(["owed_events"]) == [0])
    }

    /// A relay that dates a message does not give its author more time.
    @Test func aFalseDateDoesNotProlongDeletion() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        try house.restartRelay(ahead: .seconds(3650 * 86_400))
        let item = try exchange(alice, bob)
        try house.restartRelay(ahead: .seconds(10 * 86_400))
        _ = try alice.execute(DeleteItems(.name("bob"), [item.id], .broadcast))
        for store in [alice, bob] { _ = try store.fetch() }
        #expect(try last(bob, "alice").deletedAt == nil)
    }

    @Test func onlyTheAuthorChangesAMessage() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        _ = try exchange(alice, bob)
        let id = try last(bob, "alice").id
        #expect(throws: ChatError.notChangeable(id, .notOwn, .edit)) {
            try bob.execute(EditItem(.name("alice"), id, MessageContent("mine")))
        }
        #expect(throws: ChatError.notChangeable(id, .notOwn, .delete)) {
            try bob.execute(DeleteItems(.name("alice"), [id], .broadcast))
        }
    }

    @Test func aMessageThatIsTakenBackIsMarkedAndNotRemoved() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let item = try exchange(alice, bob)
        let deleted = try alice.execute(DeleteItems(.name("bob"), [item.id], .broadcast)).deleted
        #expect(deleted.count == 1 && deleted[0].after?.item.deletedAt != nil)
        _ = try alice.fetch()
        _ = try bob.fetch()
        // Nobody agreed that it may vanish.
        let kept = try last(bob, "alice")
        #expect(kept.deletedAt != nil && kept.content.plainText == "hello")
        #expect(throws: ChatError.notChangeable(item.id, .deleted, .edit)) {
            try alice.execute(EditItem(.name("bob"), item.id, MessageContent("too late")))
        }
    }

    /// What is sent about a message has a token of both ids, which has 255 bytes: ids of contacts may be as long as that.
    @Test(arguments: [243, 244, 255]) func a_message_with_a_long_id_can_be_reacted_to(size: Int) throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let contact = try #require(try bob.contacts().first), id = SharedMessageID(Bytes(repeating: 7, count: size))
        try bob.say(.message(MessageContainer(MessageContent("long"))), as: id, to: contact.id)
        for store in [bob, alice] { _ = try store.fetch() }
        let item = try last(alice, "bob")
        #expect(item.sharedID == id)
        let reaction = try #require(Reaction(emoji: "👍"))
        for isAdded in [true, false, true] {
            _ = try alice.execute(React(.name("bob"), item.id, reaction, isAdded: isAdded))
            let report = try alice.fetch()
            #expect(report.waiting == 0)
        }
        try alice.reopen()
        #expect(try last(alice, "bob").reactions.map(\.reaction) == [reaction])
        // The conversation goes on.
        for store in [alice, bob] { _ = try store.fetch() }
        try alice.send("after", to: "bob")
        for store in [alice, bob] { _ = try store.fetch() }
        #expect(try bob.texts("alice") == ["after"])
    }

    @Test func whatIsRemovedHereStaysThere() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        _ = try exchange(alice, bob)
        let id = try last(bob, "alice").id
        _ = try bob.execute(DeleteItems(.name("alice"), [id], .internal))
        #expect(try bob.items("alice").isEmpty && bob.contacts()[0].unreadCount == 0)
        #expect(try alice.texts("bob", .sent) == ["hello"])
    }

    @Test func reactionsComeAndGo() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let item = try exchange(alice, bob)
        let id = try last(bob, "alice").id
        let heart = try #require(Reaction(emoji: "❤️")), thumb = try #require(Reaction(emoji: "👍"))
        #expect(Reaction(emoji: "x") == nil)
        for reaction in [heart, thumb] {
            _ = try bob.execute(React(.name("alice"), id, reaction, isAdded: true))
        }
        _ = try bob.fetch()
        _ = try alice.fetch()
        let given = try #require(try alice.items("bob").first { $0.id == item.id }).reactions
        #expect(given.map(\.reaction.text).sorted() == ["❤", "👍"].sorted())
        #expect(given.allSatisfy { $0.direction == .received })
        _ = try bob.execute(React(.name("alice"), id, thumb, isAdded: false))
        _ = try bob.fetch()
        _ = try alice.fetch()
        #expect(try alice.items("bob").first { $0.id == item.id }?.reactions.map(\.reaction) == [heart])
    }

    @Test func thereAreOnlySoManyReactions() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let item = try exchange(alice, bob)
        for emoji in Reaction.choices.prefix(Reaction.most) {
            let reaction = try #require(Reaction(emoji: emoji))
            _ = try alice.execute(React(.name("bob"), item.id, reaction, isAdded: true))
        }
        let more = try #require(Reaction(emoji: "✅"))
        #expect(throws: ChatError.notChangeable(item.id, .tooMany, .react)) {
            try alice.execute(React(.name("bob"), item.id, more, isAdded: true))
        }
    }

    @Test func anAnswerCarriesWhatItAnswers() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        _ = try exchange(alice, bob, "shall we?")
        let question = try last(bob, "alice")
        _ = try bob.execute(
            SendMessages(.name("alice"), [ComposedMessage(MessageContent("yes"), answering: question.id)]))
        _ = try bob.fetch()
        _ = try alice.fetch()
        let quote = try #require(try last(alice, "bob").quote)
        #expect(quote.content.text == "shall we?" && !quote.reference.isOwn)
        #expect(quote.reference.id == question.sharedID)
        #expect(throws: ChatError.itemNotFound(ChatItemID(99))) {
            try bob.execute(
                SendMessages(.name("alice"), [ComposedMessage(MessageContent("?"), answering: ChatItemID(99))]))
        }
    }

    @Test func aMessageIsPassedOn() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let item = try exchange(alice, bob)
        _ = try alice.execute(ForwardMessages(to: .name("bob"), from: .name("bob"), [item.id]))
        _ = try alice.fetch()
        _ = try bob.fetch()
        #expect(try bob.items("alice").map(\.isForwarded) == [false, true])
        let forwarded = try last(alice, "bob").id
        #expect(throws: ChatError.notChangeable(forwarded, .forwarded, .edit)) {
            try alice.execute(EditItem(.name("bob"), forwarded, MessageContent("mine")))
        }
    }

    @Test func aKeySendsOnce() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        func send(_ key: String) throws -> MessagesSent {
            try alice.execute(SendMessages(.name("bob"), [ComposedMessage(MessageContent("disk full"))], once: key))
        }
        guard case .newItems(_, let items) = try send("today"), let first = items.first else {
            Issue.record("it is sent")
            return
        }
        try alice.reopen()
        guard case .sentBefore(_, _, first.item.id, let known?) = try send("today"), known.item.id == first.item.id
        else {
            Issue.record("it is not sent again")
            return
        }
        guard case .newItems = try send("tomorrow") else {
            Issue.record("another key is another message")
            return
        }
        _ = try alice.execute(WaitForItem(first.item.id, timeout: .seconds(20)))
        _ = try alice.execute(DeleteItems(.name("bob"), [first.item.id], .internal))
        guard case .sentBefore(_, _, first.item.id, nil) = try send("today") else {
            Issue.record("a key stays used when the message is removed")
            return
        }
        _ = try alice.fetch()
        _ = try bob.fetch()
        #expect(try bob.texts("alice") == ["disk full", "disk full"])
    }

    @Test func aChangeSurvivesTheEndOfTheProcess() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let item = try exchange(alice, bob)
        house.stopRelay()
        _ = try alice.execute(EditItem(.name("bob"), item.id, MessageContent("later")))
        try alice.reopen()
        try house.startRelay()
        _ = try alice.fetch()
        _ = try bob.fetch()
        #expect(try bob.texts("alice") == ["later"])
    }

    @Test func whatIsDroppedIsNotSent() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        house.stopRelay()
        let first = try alice.send("no", to: "bob"), second = try alice.send("yes", to: "bob")
        _ = try alice.execute(DropItem(first.id))
        #expect(try alice.execute(ListOutbox()).items.map(\.item.id) == [second.id])
        try house.startRelay()
        let report = try alice.execute(Flush(timeout: .seconds(20)))
        #expect(report.sent == 1 && report.waiting == 0)
        _ = try bob.fetch()
        // The contact learns that there was something, and not what.
        #expect(try bob.texts("alice") == ["1 message is missing", "yes"])
        #expect(throws: ChatError.notChangeable(second.id, .notQueued, .drop)) {
            try alice.execute(DropItem(second.id))
        }
    }
}
