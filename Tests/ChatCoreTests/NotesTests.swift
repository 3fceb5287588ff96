import AgentProtocol
import ChatProtocol
import JSONCoding
import Testing

@testable import ChatCore

@Suite struct NotesTests {
    private func notes(_ store: TestStore) throws -> Chat {
        try store.execute(OpenNotes()).chat
    }

    @Test func areMadeOnceAndAreNoContact() throws {
        let house = try TestHouse()
        let (alice, _) = try house.friends()
        #expect(throws: ChatError.contactNotFoundByName("notes")) { try alice.execute(ShowNotes()) }
        let notes = try notes(alice)
        #expect(notes.isNotes && notes.name == "notes")
        #expect(try self.notes(alice).reference == notes.reference)
        let chats = try alice.execute(ListChats()).chats
        #expect(try alice.contacts().map(\.name) == ["bob"])
        #expect(try alice.execute(ShowStatus()).contactCount == 1)
        #expect(chats.map(\.chat.name) == ["notes", "bob"])
    }

    @Test func arriveAtOnceAndNeedNoRelay() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let chat = ChatTarget.reference(try notes(alice).reference)
        let items = try alice.execute(SendMessages(chat, [ComposedMessage(MessageContent("milk"))])).items
        let id = try #require(items.first).item.id
        #expect(items.first?.item.status == .sendReceived(isIntact: true))
        let edited = try alice.execute(EditItem(chat, id, MessageContent("milk, eggs")))
        #expect(edited.isChanged && edited.item.item.content == .message(MessageContent("milk, eggs")))
        let thumb = try #require(Reaction(emoji: "👍"))
        #expect(throws: ChatError.notChangeable(id, .noMessage, .react)) {
            try alice.execute(React(chat, id, thumb, isAdded: true))
        }
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
        #expect(try alice.execute(ShowContact(name: "notes")).contact.id == alice.contacts()[0].id)
        #expect(throws: ChatError.contactNotFoundByName("notes_1")) { try alice.execute(ShowContact(name: "notes_1")) }
        #expect(try alice.execute(FindChat(.name("notes_1"))).chat == notes)
    }

    @Test func are_not_there_by_the_number_of_a_contact() throws {
        let house = try TestHouse()
        let (alice, _) = try house.friends()
        let notes = try notes(alice).reference, contact = ContactID(notes.number)
        #expect(throws: ChatError.contactNotFound(contact)) {
            try alice.execute(ShowChat(.reference(.direct(contact)), .last(1)))
        }
        #expect(throws: ChatError.contactNotFound(contact)) {
            try alice.execute(MoveCursor(name: "bot", in: .direct(contact), .start))
        }
        #expect(try alice.execute(MoveCursor(name: "bot", in: notes, .start)).cursor.chat?.reference == notes)
    }

    @Test func are_found_in_their_own_profile_only() throws {
        let house = try TestHouse()
        let (alice, _) = try house.friends()
        let first = try alice.execute(ShowActiveProfile()).profile.id, notes = try notes(alice).reference
        _ = try alice.execute(CreateProfile(Profile(displayName: "second")))
        #expect(try alice.execute(FindChat(.name("notes"), of: first)).chat.reference == notes)
        #expect(throws: ChatError.contactNotFoundByName("notes")) { try alice.execute(FindChat(.name("notes"))) }
        #expect(throws: ChatError.notesNotFound(NoteFolderID(notes.number))) {
            try alice.execute(FindChat(.reference(notes)))
        }
    }

    @Test func have_the_shape_of_the_official_api() throws {
        let house = try TestHouse()
        let (alice, _) = try house.friends()
        let chat = ChatTarget.reference(try notes(alice).reference)
        let shown: JSONObject = try alice.execute(ShowNotes()).json
        #expect(shown["type"] == "chatInfo" && shown["contact"] == nil)
        #expect(shown["chatInfo"]?.object?["type"] == "local")
        let sent = try alice.execute(SendMessages(chat, [ComposedMessage(MessageContent("milk"))])).items
        let item = try #require(sent.first).fields
        #expect(item["chatInfo"]?.object?["noteFolder"]?.object?["noteFolderId"] != nil)
        #expect(item["chatItem"]?.object?["chatDir"]?.object?["type"] == "localSnd")
        let cleared: JSONObject = try alice.execute(DeleteChat(chat, .messages, notifies: false)).json
        #expect(cleared["type"] == "chatCleared" && cleared["chatInfo"]?.object?["type"] == "local")
    }
}
