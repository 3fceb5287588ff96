import AgentProtocol
import ChatCore
import TestSupport
import Testing

/// Named places, and the queries that go with them.
@Suite struct CursorTests {
    /// Alice has five messages of bob and wrote two herself.
    private func store(_ house: TestHouse) throws -> TestStore {
        let (alice, bob) = try house.friends()
        for number in 1...3 { try bob.send("in \(number)", to: "alice") }
        _ = try bob.fetch()
        _ = try alice.fetch()
        for number in 1...2 { try alice.send("out \(number)", to: "bob") }
        for number in 4...5 { try bob.send("IN \(number)", to: "alice") }
        _ = try bob.fetch()
        _ = try alice.fetch()
        return alice
    }

    private func find(_ store: TestStore, _ change: (inout ItemQuery) -> Void) throws -> [String] {
        var query = ItemQuery()
        change(&query)
        return try store.execute(FindItems(nil, query)).items.map(\.item.content.plainText)
    }

    private func move(
        _ store: TestStore, _ move: CursorMove, name: String = "bot", in chat: ChatReference? = nil
    ) throws -> Cursor {
        try store.execute(MoveCursor(name: name, in: chat, move)).cursor
    }

    @Test func queriesFindWhatTheySay() throws {
        let house = try TestHouse()
        let store = try store(house)
        let all = ["in 1", "in 2", "in 3", "out 1", "out 2", "IN 4", "IN 5"]
        #expect(try find(store) { _ in } == all)
        #expect(try find(store) { $0.count = 2 } == ["IN 4", "IN 5"])
        #expect(try find(store) { ($0.count, $0.takesOldest) = (2, true) } == ["in 1", "in 2"])
        let ids = try store.items("bob").map(\.id)
        #expect(try find(store) { $0.after = ids[4] } == ["IN 4", "IN 5"])
        #expect(try find(store) { $0.words = "in" } == ["in 1", "in 2", "in 3", "IN 4", "IN 5"])
        #expect(try find(store) { ($0.words, $0.count) = ("Out", 1) } == ["out 2"])
        #expect(try find(store) { ($0.words, $0.count, $0.takesOldest) = ("OUT", 1, true) } == ["out 1"])
        #expect(try find(store) { $0.words = "nothing" } == [])
        #expect(try find(store) { $0.isUnread = true }.count == 5)
        let middle = try store.items("bob")[3].time
        #expect(try find(store) { $0.until = middle }.contains("out 1") == false)
        #expect(try find(store) { $0.since = middle }.contains("out 1"))
        #expect(throws: ChatError.contactNotFound(ContactID(9))) { try find(store) { $0.chat = .direct(ContactID(9)) } }
    }

    /// The database looks first, at texts in JSON and with its own idea of capitals: it must not overlook anything.
    @Test(arguments: [
        ("a \"quoted\" word", "\"QUOTED\" w"), ("back\\slash", "k\\S"), ("two\nlines", "o\nl"), ("tab\tbed", "b\tB"),
        ("K\u{e4}se", "K\u{c4}SE"), ("kelvin \u{212a}", "N k"), ("\u{212a}elvin", "kel"),
        ("e\u{301}t\u{e9}", "\u{e9}T\u{e9}"),
        ("100 % sure_", "% SURE_"), ("50%", "%"), ("\u{1f44d} fine", "\u{1f44d} F"), ("</script>", "/SCR"),
        ("\u{202e}gnp", "gn"), ("stra\u{df}e", "RA\u{df}E"), ("\u{3bc}\u{3a3}", "\u{3bc}\u{3c3}"),
    ])
    func wordsAreFoundHoweverTheyAreWritten(_ text: String, _ words: String) throws {
        let house = try TestHouse()
        let (alice, _) = try house.friends()
        try alice.send(text, to: "bob")
        try alice.send("something else", to: "bob")
        #expect(try find(alice) { $0.words = words } == [text])
    }

    @Test func aCursorGoesOnlyForwardUnlessItIsPut() throws {
        let house = try TestHouse()
        let store = try store(house)
        let ids = try store.items("bob").map(\.id)
        #expect(try move(store, .nowhere).place == nil)
        #expect(try move(store, .past(ids[2])).place == ids[2])
        #expect(try move(store, .past(ids[0])).place == ids[2])
        #expect(try move(store, .to(ids[0])).waiting == 6)
        #expect(try move(store, .end).waiting == 0)
        #expect(try move(store, .start).waiting == 7)
        #expect(throws: ChatError.itemNotFound(ChatItemID(999))) { try move(store, .past(ChatItemID(999))) }
    }

    @Test func failures_are_counted_for_one_entry_and_forgotten_when_the_cursor_moves() throws {
        let house = try TestHouse()
        let store = try store(house)
        let ids = try store.items("bob").map(\.id)
        #expect(try move(store, .failed(ids[0])).failure == Cursor.Failure(item: ids[0], count: 1))
        try store.reopen(.writing)
        let second = try move(store, .failed(ids[0]))
        #expect(second.failure == Cursor.Failure(item: ids[0], count: 2) && second.place == nil)
        #expect(try move(store, .failed(ids[1])).failure == Cursor.Failure(item: ids[1], count: 1))
        #expect(try move(store, .past(ids[0])).failure == nil)
        _ = try move(store, .failed(ids[1]))
        // Nothing moves, so nothing is forgotten.
        #expect(try move(store, .past(ids[0])).failure?.count == 1)
        #expect(try move(store, .end).failure == nil)
    }

    @Test func aCursorSurvivesTheEndOfTheProcess() throws {
        let house = try TestHouse()
        let store = try store(house)
        let place = try store.items("bob")[3].id
        _ = try move(store, .past(place))
        try store.reopen(.reading)
        let cursors = try store.execute(ListCursors()).cursors
        #expect(cursors.map(\.place) == [place] && cursors.map(\.waiting) == [3])
    }

    @Test func aCursorOfOneConversationIsNoneOfAnother() throws {
        let house = try TestHouse()
        let store = try store(house)
        let bob = ChatReference.direct(try store.contacts()[0].id)
        #expect(try move(store, .nowhere, in: bob).chat?.reference == bob)
        #expect(throws: ChatError.cursorElsewhere("bot")) { try move(store, .start, in: .direct(ContactID(2))) }
        #expect(throws: ChatError.cursorElsewhere("bot")) {
            try move(store, .start, in: .notes(NoteFolderID(bob.number)))
        }
        _ = try move(store, .nowhere, name: "all")
        #expect(throws: ChatError.cursorElsewhere("all")) { try move(store, .start, name: "all", in: bob) }
    }

    @Test func theEntryOfACursorMayBeRemoved() throws {
        let house = try TestHouse()
        let store = try store(house)
        let ids = try store.items("bob").map(\.id)
        _ = try store.execute(DeleteItems(.name("bob"), [ids[1]], .internal))
        #expect(try move(store, .past(ids[1])).waiting == 5)
        #expect(try find(store) { $0.after = ids[1] }.first == "in 3")
    }

    @Test func aReaderMovesNothing() throws {
        let house = try TestHouse()
        let store = try store(house)
        try store.reopen(.reading)
        #expect(throws: ChatError.readOnly) { try move(store, .end) }
    }
}
