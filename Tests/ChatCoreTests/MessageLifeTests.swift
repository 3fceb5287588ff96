import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import TestSupport
import Testing

@testable import ChatCore

/// What becomes of messages at both sides, as other programs are told: versions, live ones, quotes, copies, marks and times.
@Suite struct MessageLifeTests {
    private let bob = ChatTarget.name("bob"), alice = ChatTarget.name("alice")

    private func last(_ store: TestStore, _ name: String) throws -> ChatItem {
        try #require(try store.items(name).last)
    }

    /// A message of alice that both have.
    private func exchange(
        _ alice: TestStore, _ bob: TestStore, _ text: String, isLive: Bool = false, ttl: Int64? = nil
    ) throws -> (ChatItem, ChatItem) {
        let message = ComposedMessage(MessageContent(text))
        let sent = try alice.execute(SendMessages(self.bob, [message], isLive: isLive, ttl: ttl)).items
        try deliver(alice, bob)
        return (try #require(sent.first).item, try last(bob, "alice"))
    }

    private func deliver(_ alice: TestStore, _ bob: TestStore) throws {
        _ = try alice.fetch()
        _ = try bob.fetch()
    }

    private func versions(_ store: TestStore, _ chat: ChatTarget, _ item: ChatItem) throws -> [String] {
        try store.execute(ShowItemInfo(chat, item.id)).versions.map(\.content.text)
    }

    /// The fields of `CIMeta`.
    private func meta(_ item: ChatItem) throws -> JSONObject {
        try #require(item.json.object?["meta"]?.object)
    }

    @Test func both_sides_keep_what_a_message_said() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        let (sent, received) = try exchange(alice, bob, "at 5")
        #expect(try versions(alice, self.bob, sent) == ["at 5"])
        for text in ["at 6", "at 7"] { _ = try alice.execute(EditItem(self.bob, sent.id, MessageContent(text))) }
        try deliver(alice, bob)
        #expect(try versions(alice, self.bob, sent) == ["at 7", "at 6", "at 5"])
        #expect(try versions(bob, self.alice, received) == ["at 7", "at 6", "at 5"])
        let info = try alice.execute(ShowItemInfo(self.bob, sent.id))
        #expect(info.versions.last?.time == sent.time && info.source == nil)
        _ = try alice.execute(DeleteItems(self.bob, [sent.id], .internal))
        #expect(try alice.counts(["item_versions"]) == [0])
        #expect(throws: ChatError.itemNotFound(received.id)) {
            try alice.execute(ShowItemInfo(self.bob, received.id))
        }
    }

    @Test func a_live_message_grows_and_is_not_edited_by_that() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        let (sent, received) = try exchange(alice, bob, "I am wri", isLive: true)
        #expect(sent.isLive == true && received.isLive == true)
        #expect(try meta(received)["itemLive"] == true)
        func write(_ text: String, isLive: Bool) throws -> (ChatItem, ChatItem) {
            let edited = try alice.execute(EditItem(self.bob, sent.id, MessageContent(text), isLive: isLive))
            #expect(edited.isChanged)
            try deliver(alice, bob)
            return (edited.item.item, try last(bob, "alice"))
        }
        for item in try [write("I am writing", isLive: true)].flatMap({ [$0.0, $0.1] }) {
            #expect(item.isLive == true && item.editedAt == nil && item.content.plainText == "I am writing")
        }
        // The text may be whole already.
        for item in try [write("I am writing", isLive: false)].flatMap({ [$0.0, $0.1] }) {
            #expect(item.isLive == false && item.editedAt == nil)
            #expect(try meta(item)["itemLive"] == false)
        }
        for item in try [write("I wrote", isLive: true)].flatMap({ [$0.0, $0.1] }) {
            #expect(item.isLive == false && item.editedAt != nil, "what is complete stays complete")
        }
        #expect(try meta(exchange(alice, bob, "whole").0)["itemLive"] == nil)
        let messages = [ComposedMessage(MessageContent("a")), ComposedMessage(MessageContent("b"))]
        #expect(throws: ChatError.unsupported(.liveTogether)) {
            try alice.execute(SendMessages(self.bob, messages, isLive: true))
        }
    }

    @Test func several_messages_of_one_command_keep_their_order() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        let texts = (1...5).map { "part \($0)" }
        let sent = try alice.execute(SendMessages(self.bob, texts.map { ComposedMessage(MessageContent($0)) })).items
        #expect(sent.count == 5)
        try deliver(alice, bob)
        #expect(try bob.texts("alice") == texts)
        let quotes = sent.prefix(2).map { ComposedMessage(MessageContent("x"), answering: $0.item.id) }
        #expect(throws: ChatError.unsupported(.liveTogether)) { try alice.execute(SendMessages(self.bob, quotes)) }
    }

    @Test func a_quote_names_the_entry_at_both_sides() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        let (question, asked) = try exchange(alice, bob, "tea?")
        let answer = SendMessages(self.alice, [ComposedMessage(MessageContent("yes"), answering: asked.id)])
        #expect(try bob.execute(answer).items.first?.item.quotedID == asked.id)
        try deliver(bob, alice)
        let item = try last(alice, "bob")
        #expect(item.quotedID == question.id)
        #expect(item.json.object?["quotedItem"]?.object?["itemId"]?.integer == question.id.number)
        _ = try alice.execute(DeleteItems(self.bob, [question.id], .internal))
        #expect(try last(alice, "bob").quotedID == nil && last(alice, "bob").quote != nil)
    }

    @Test func only_who_passes_on_says_from_where() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        let (sent, received) = try exchange(alice, bob, "news")
        let plan = try bob.execute(PlanForward(self.alice, [received.id]))
        #expect(plan.count == 1 && plan.items == [received.id])
        let copy = try bob.execute(ForwardMessages(to: self.alice, from: self.alice, [received.id])).items[0].item
        let source = try #require(copy.source)
        #expect(source.item == received.id && source.direction == .received && source.chatName == "alice")
        #expect(try meta(copy)["itemForwarded"]?.object?["type"]?.string == "contact")
        #expect(try bob.execute(ShowItemInfo(self.alice, copy.id)).source?.item.id == received.id)
        try deliver(bob, alice)
        let forwarded = try last(alice, "bob")
        #expect(forwarded.isForwarded && forwarded.source == nil)
        #expect(try meta(forwarded)["itemForwarded"]?.object?["type"]?.string == "unknown")
        // A copy of a copy comes from the first.
        let again = try bob.execute(ForwardMessages(to: self.alice, from: self.alice, [copy.id])).items[0].item
        #expect(again.source == source)
        _ = try alice.execute(DeleteItems(self.bob, [sent.id], .internal))
        let late = try alice.execute(PlanForward(self.bob, [sent.id]))
        #expect(late.count == 1 && late.items.isEmpty)
    }

    @Test func a_mark_only_here_changes_nothing_there() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        let (_, received) = try exchange(alice, bob, "marked")
        let deleted = try bob.execute(DeleteItems(self.alice, [received.id, received.id], .internalMark)).deleted
        #expect(deleted.count == 1 && deleted[0].after?.item.deletedAt != nil)
        #expect(try last(bob, "alice").content.plainText == "marked")
        _ = bob.events()
        try deliver(bob, alice)
        #expect(try last(alice, "bob").deletedAt == nil)
        #expect(throws: ChatError.notChangeable(received.id, .deleted, .delete)) {
            try bob.execute(DeleteItems(self.alice, [received.id], .broadcast))
        }
    }

    @Test func a_reaction_is_given_once() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        let (sent, received) = try exchange(alice, bob, "done!")
        let thumb = try #require(Reaction(emoji: "👍"))
        let given = try bob.execute(React(self.alice, received.id, thumb, isAdded: true))
        #expect(given.item.item.reactions.count == 1)
        #expect(throws: ChatError.notChangeable(received.id, .alreadyAdded, .react)) {
            try bob.execute(React(self.alice, received.id, thumb, isAdded: true))
        }
        try deliver(bob, alice)
        _ = try alice.execute(React(self.bob, sent.id, thumb, isAdded: true))
        let counts = try last(alice, "bob").json.object?["reactions"]?.array
        #expect(counts?.count == 1 && counts?[0].object?["totalReacted"]?.integer == 2)
        #expect(throws: ChatError.notChangeable(received.id, .alreadyRemoved, .react)) {
            _ = try bob.execute(React(self.alice, received.id, thumb, isAdded: false))
            _ = try bob.execute(React(self.alice, received.id, thumb, isAdded: false))
        }
    }

    @Test func the_time_of_an_own_message_begins_when_it_is_written() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        let (sent, received) = try exchange(alice, bob, "gone soon", ttl: 3600)
        #expect(sent.expiresAt != nil && received.ttl == 3600 && received.expiresAt == nil)
        _ = try bob.execute(MarkChatRead(self.alice))
        #expect(try last(bob, "alice").expiresAt != nil)
        // What is being written has no time yet.
        let (live, typed) = try exchange(alice, bob, "I", isLive: true, ttl: 3600)
        _ = try bob.execute(MarkItemsRead(self.alice, [typed.id]))
        _ = try bob.execute(MarkChatRead(self.alice))
        #expect(try live.expiresAt == nil && last(bob, "alice").expiresAt == nil)
        #expect(try last(alice, "bob").expiresAt == nil)
        _ = try alice.execute(EditItem(self.bob, live.id, MessageContent("I wrote")))
        try deliver(alice, bob)
        #expect(try last(alice, "bob").expiresAt != nil && last(bob, "alice").expiresAt != nil)
    }

    @Test func entries_are_found_around_one_and_by_words() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        for number in 1...7 { try alice.send("text \(number)", to: "bob") }
        try deliver(alice, bob)
        let ids = try bob.items("alice").map(\.id)
        let around = try bob.execute(ShowChat(self.alice, .around(ids[3], 2)))
        #expect(around.items.map(\.id) == Array(ids[1...5]))
        #expect(around.rest == ChatHistory.Rest(count: 1, unreadCount: 1))
        _ = try bob.execute(MarkItemsRead(self.alice, Array(ids[0...2])))
        let initial = try bob.execute(ShowChat(self.alice, .initial(1)))
        #expect(initial.items.map(\.id) == Array(ids[1...3]) && initial.rest?.unreadCount == 3)
        _ = try bob.execute(MarkChatRead(self.alice))
        #expect(try bob.execute(ShowChat(self.alice, .initial(2))).items.map(\.id) == Array(ids[5...6]))
        let found = try bob.execute(ShowChat(self.alice, .last(10), search: "TEXT 4"))
        #expect(found.items.map(\.id) == [ids[3]])
        #expect(try bob.execute(ListItems(nil, .last(10), search: "text")).items.count == 7)
        #expect(try bob.execute(ListItems(in: self.alice, .last(2))).items.map(\.item.id) == Array(ids[5...6]))
    }

    @Test func notes_are_written_edited_and_not_quoted() throws {
        let house = try TestHouse()
        let alice = try house.person("alice")
        let sent = try alice.execute(CreateNotes(nil, [ComposedMessage(MessageContent("milk"))])).items
        let note = try #require(sent.first), chat = ChatTarget.reference(note.chat.reference)
        #expect(note.item.json.object?["chatDir"]?.object?["type"]?.string == "localSnd")
        _ = try alice.execute(EditItem(chat, note.item.id, MessageContent("oat milk")))
        #expect(try versions(alice, chat, note.item) == ["oat milk", "milk"])
        #expect(throws: ChatError.unsupported(.quoteInNotes)) {
            try alice.execute(
                CreateNotes(nil, [ComposedMessage(MessageContent("re"), answering: note.item.id)]))
        }
    }

    @Test func people_name_a_message_by_how_it_begins() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        let (_, received) = try exchange(alice, bob, "Shall we meet?")
        let answer = AnswerByText(chat: self.alice, beginning: "shall", text: "yes", isOwn: false)
        #expect(try bob.execute(answer).items.first?.item.quotedID == received.id)
        let edited = try bob.execute(EditByText(chat: self.alice, beginning: nil, text: "yes, at 5"))
        #expect(edited.item.item.content.plainText == "yes, at 5")
        let reaction = ReactByText(chat: self.alice, beginning: "Shall we", emoji: "👍", isAdded: true)
        #expect(try bob.execute(reaction).item.item.id == received.id)
        let copy = ForwardByText(chat: self.alice, source: self.alice, beginning: "Shall")
        #expect(try bob.execute(copy).items.first?.item.source?.item == received.id)
        let deleted = try bob.execute(DeleteByText(chat: self.alice, beginning: "yes")).deleted
        #expect(deleted.map(\.before.item.id) == [edited.item.item.id])
        #expect(throws: ChatError.itemNotFoundByText("nothing")) {
            try bob.execute(DeleteByText(chat: self.alice, beginning: "nothing"))
        }
    }

    @Test func other_programs_are_told_what_can_be_changed() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        let (sent, received) = try exchange(alice, bob, "mine")
        #expect(try meta(sent)["deletable"] == true && meta(sent)["editable"] == true)
        #expect(try meta(received)["deletable"] == false && meta(received)["editable"] == false)
        let voice = ChatItem.Content.message(MessageContent("", kind: .voice(seconds: 67)))
        #expect(voice.itemText(.sent) == "voice message (01:07)")
        _ = try alice.execute(DeleteItems(self.bob, [sent.id], .broadcast))
        #expect(try meta(last(alice, "bob"))["deletable"] == false)
        #expect(try meta(last(alice, "bob"))["itemDeleted"]?.object?["chatType"]?.string == "direct")
    }
}
