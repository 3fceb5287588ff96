import AgentProtocol
import ChatCore
import ChatProtocol
import Testing

@Suite struct NotesTests {
    private func notes(_ store: TestStore) throws -> Contact {
        guard case .contact(_, let notes) = try store.execute(.openNotes(nil)) else { throw ChatError.internal }
        return notes
    }

    @Test func areMadeOnceAndAreNoContact() throws {
        let house = try TestHouse()
        let (alice, _) = try house.friends()
        #expect(throws: ChatError.contactNotFoundByName("notes")) { try alice.execute(.showNotes(nil)) }
        let notes = try notes(alice)
        #expect(notes.isNotes && notes.name == "notes")
        #expect(try self.notes(alice).id == notes.id)
        guard case .chats(_, let chats, _) = try alice.execute(.listChats(nil, includesPending: false, count: nil))
        else { throw ChatError.internal }
        #expect(try alice.contacts().map(\.name) == ["bob"])
        #expect(try alice.execute(ShowStatus()).contactCount == 1)
        #expect(chats.map(\.contact.name) == ["bob"])
    }

    @Test func arriveAtOnceAndNeedNoRelay() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let chat = ChatTarget.reference(.contact(try notes(alice).id))
        guard case .newItems(_, let items) = try alice.execute(.send(chat, [MessageContent("milk")])) else {
            throw ChatError.internal
        }
        let id = try #require(items.first).item.id
        #expect(items.first?.item.status == .sendReceived(isIntact: true))
        guard case .itemUpdated(_, let changed) = try alice.execute(.editItem(chat, id, MessageContent("milk, eggs")))
        else { throw ChatError.internal }
        #expect(changed.item.content == .message(MessageContent("milk, eggs")))
        _ = try alice.execute(.react(chat, id, try #require(Reaction(emoji: "👍")), isAdded: true))
        #expect(try alice.items("notes").first?.reactions.count == 1)
        guard case .items(_, let waiting) = try alice.execute(.listOutbox(nil)) else { throw ChatError.internal }
        #expect(waiting.isEmpty)
        _ = try alice.fetch()
        _ = try bob.fetch()
        #expect(try bob.items("alice").isEmpty)
        _ = try alice.execute(.deleteItems(chat, [id], .broadcast))
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
