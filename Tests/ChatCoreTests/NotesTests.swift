import AgentProtocol
import ChatCore
import ChatProtocol
import Testing

@Suite struct NotesTests {
    private func notes(_ store: TestStore) throws -> Contact {
        try store.execute(OpenNotes()).chat
    }

    @Test func areMadeOnceAndAreNoContact() throws {
        let house = try TestHouse()
        let (alice, _) = try house.friends()
        #expect(throws: ChatError.contactNotFoundByName("notes")) { try alice.execute(ShowNotes()) }
        let notes = try notes(alice)
        #expect(notes.isNotes && notes.name == "notes")
        #expect(try self.notes(alice).id == notes.id)
        let chats = try alice.execute(ListChats()).chats
        #expect(try alice.contacts().map(\.name) == ["bob"])
        #expect(try alice.execute(ShowStatus()).contactCount == 1)
        #expect(chats.map(\.contact.name) == ["bob"])
    }

    @Test func arriveAtOnceAndNeedNoRelay() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let chat = ChatTarget.reference(.direct(try notes(alice).id))
        let items = try alice.execute(SendMessages(chat, [ComposedMessage(MessageContent("milk"))])).items
        let id = try #require(items.first).item.id
        #expect(items.first?.item.status == .sendReceived(isIntact: true))
        let edited = try alice.execute(EditItem(chat, id, MessageContent("milk, eggs")))
        #expect(edited.isChanged && edited.item.item.content == .message(MessageContent("milk, eggs")))
        _ = try alice.execute(React(chat, id, try #require(Reaction(emoji: "👍")), isAdded: true))
        #expect(try alice.items("notes").first?.reactions.count == 1)
        #expect(try alice.execute(ListOutbox()).items.isEmpty)
        _ = try alice.fetch()
        _ = try bob.fetch()
        #expect(try bob.items("alice").isEmpty)
        _ = try alice.execute(DeleteItems(chat, [id], .broadcast))
        #expect(try alice.items("notes").isEmpty)
    }

    @Test func haveAnotherNameIfSomebodyIsCalledSo() throws {
        let house = try TestHouse()
        let (alice, _) = try house.friends()
        _ = try alice.execute(RenameContact(.name("bob"), name: "notes"))
        let notes = try notes(alice)
        #expect(notes.isNotes && notes.name == "notes_1")
        #expect(try !alice.execute(ShowContact(name: "notes")).contact.isNotes)
    }
}
