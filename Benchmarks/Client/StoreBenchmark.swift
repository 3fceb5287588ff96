import ByteCoding
import CryptoCore
import PageCipher
import Store
import SystemIO

/// What encryption costs: the same work on a plain and on an encrypted database.
struct StoreBenchmark {
    private static let chats = 1000
    private static let messagesOfAChat = 100
    private static let text =
        #"{"type":"text","text":"a message of this conversation, neither long nor short, as people write them"}"#

    private let folder: String
    private let key: StoreKey
    private let slots: KeySlots

    init(_ folder: String) throws {
        self.folder = folder
        (key, slots) = try KeySlots.fresh(for: .keyFile(Secret(random: SystemRandom(), count: 32)))
    }

    /// One of the two databases.
    private struct Subject {
        let name: String
        let path: String
        let key: StoreKey?
    }

    /// The two take turns, so that whatever else runs here slows down both.
    func run() throws {
        let subjects = [("plain", nil), ("encrypted", key)].map { name, key in
            Subject(name: name, path: "\(folder)/\(name).db", key: key)
        }
        for subject in subjects { try fill(subject) }
        for _ in 0..<5 {
            for subject in subjects { try read(subject) }
        }
        for _ in 0..<5 {
            for subject in subjects { try write(subject) }
        }
    }

    private func fill(_ subject: Subject) throws {
        let slots = subject.key == nil ? nil : slots
        let database = try Database(subject.path, .create, key: subject.key, slots: slots)
        try database.execute(script: StoreBenchmark.schema)
        let start = ContinuousClock.now
        try database.transaction {
            for chat in 1...StoreBenchmark.chats {
                try database.run("INSERT INTO chats (name) VALUES (?)", "contact \(chat)")
            }
            // As they come: a conversation is spread over the whole table.
            for message in 0..<StoreBenchmark.chats * StoreBenchmark.messagesOfAChat {
                try add(message, to: database)
            }
        }
        let rows = StoreBenchmark.chats * StoreBenchmark.messagesOfAChat
        Rate.print("store, \(subject.name): bulk insert", rows, since: start, "rows/s")
        try database.checkpoint()
    }

    private func read(_ subject: Subject) throws {
        try Rate.measure("store, \(subject.name): list chats, new connection", "lists/s", rounds: 1) {
            try list(Database(subject.path, .readOnly, key: subject.key))
        }
        let database = try Database(subject.path, .readOnly, key: subject.key)
        try Rate.measure("store, \(subject.name): list chats, same connection", "lists/s", rounds: 1) {
            try list(database)
        }
        try Rate.measure("store, \(subject.name): one chat", "chats/s", rounds: 1) { try readChat(database) }
    }

    private func write(_ subject: Subject) throws {
        for (name, durability) in [("with sync", Database.Durability.full), ("without sync", .process)] {
            let database = try Database(subject.path, .readWrite, key: subject.key, durability: durability)
            var message = 0
            try Rate.measure("store, \(subject.name): transactions \(name)", "transactions/s", rounds: 1) {
                message += 1
                try database.transaction { try add(message, to: database) }
            }
        }
    }

    private static let schema = """
        CREATE TABLE chats (chat_id INTEGER PRIMARY KEY, name TEXT NOT NULL, last_item_id INTEGER) STRICT;
        CREATE TABLE items (
            item_id INTEGER PRIMARY KEY, chat_id INTEGER NOT NULL, content TEXT NOT NULL, status TEXT NOT NULL,
            time INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX items_by_chat ON items (chat_id, time);
        """

    private func add(_ message: Int, to database: Database) throws {
        let chat = message % StoreBenchmark.chats + 1
        try database.run(
            "INSERT INTO items (chat_id, content, status, time) VALUES (?, ?, 'rcv_new', ?)", chat, StoreBenchmark.text,
            1_700_000_000_000 + message)
        try database.run(
            "UPDATE chats SET last_item_id = ? WHERE chat_id = ?", database.lastInsertedID, chat)
    }

    private func list(_ database: Database) throws {
        let names = try database.rows(
            """
            SELECT chats.name, items.content FROM chats JOIN items ON items.item_id = chats.last_item_id
            ORDER BY items.time DESC
            """
        ) { row throws(StoreError) in (try row.text(), try row.text()) }
        guard names.count == StoreBenchmark.chats else { stop("the list is not complete") }
    }

    /// Pages that are all over the file.
    private func readChat(_ database: Database) throws {
        let chat = Int.random(in: 1...StoreBenchmark.chats)
        let texts = try database.rows("SELECT content FROM items WHERE chat_id = ? ORDER BY time LIMIT 100", chat) {
            row throws(StoreError) in try row.text()
        }
        guard texts.count == 100 else { stop("the chat is not complete") }
    }
}
