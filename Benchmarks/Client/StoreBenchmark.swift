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

    func run() throws {
        for (name, key) in [("plain", nil), ("encrypted", key)] {
            try measure(name, "\(folder)/\(name).db", key)
        }
    }

    private func measure(_ name: String, _ path: String, _ key: StoreKey?) throws {
        let database = try Database(path, .create, key: key, slots: key == nil ? nil : slots)
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
        Rate.print(
            "store, \(name): bulk insert", StoreBenchmark.chats * StoreBenchmark.messagesOfAChat, since: start, "rows/s"
        )
        try database.checkpoint()
        try Rate.measure("store, \(name): list chats, new connection", "lists/s") {
            try list(Database(path, .readOnly, key: key))
        }
        try Rate.measure("store, \(name): list chats, same connection", "lists/s") { try list(database) }
        let reader = try Database(path, .readOnly, key: key)
        try Rate.measure("store, \(name): one chat", "chats/s") { try readChat(reader) }
        var message = 0
        try Rate.measure("store, \(name): transactions with sync", "transactions/s") {
            message += 1
            try database.transaction { try add(message, to: database) }
        }
        let quick = try Database(path, .readWrite, key: key, durability: .process)
        try Rate.measure("store, \(name): transactions without sync", "transactions/s") {
            message += 1
            try quick.transaction { try add(message, to: quick) }
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
