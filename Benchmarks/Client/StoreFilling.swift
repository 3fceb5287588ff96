import ByteCoding
import Store

/// Fills the chat database of a new store, so that lists have something to do.
struct StoreFilling {
    /// All messages together.
    private static let messages = 100_000

    private let chats: Int
    private let database: Database

    init(_ folder: String, chats: Int = 1000) throws {
        self.chats = chats
        database = try Database("\(folder)/simplex_v1_chat.db", .readWrite, durability: .process)
    }

    /// Adds the chats to the first profile, in one transaction.
    func run() throws {
        try database.transaction {
            for number in 1...chats { try addChat(number) }
        }
    }

    /// As the official apps present their owners.
    private static func profile(_ name: String) -> String {
        let features = ["timedMessages", "fullDelete", "reactions", "voice", "files", "calls", "sessions"]
        let preferences = features.map { #""\#($0)":{"allow":"yes"}"# }.joined(separator: ",")
        return #"{"displayName":"\#(name)","fullName":"","preferences":{\#(preferences)}}"#
    }

    private func addChat(_ number: Int) throws {
        let name = "contact \(number)", time = 1_700_000_000_000 + Int64(number) * 1000
        try database.run("INSERT INTO names (profile_id, name) VALUES (1, ?)", name)
        try database.run(
            """
            INSERT INTO contacts (profile_id, name, profile, status, created_at, updated_at)
            VALUES (1, ?, ?, 'active', ?, ?)
            """, name, StoreFilling.profile(name), time, time)
        let contact = database.lastInsertedID
        try database.run(
            """
            INSERT INTO connections (profile_id, contact_id, status, is_initiated, created_at, updated_at)
            VALUES (1, ?, 'ready', 0, ?, ?)
            """, contact, time, time)
        try database.run("INSERT INTO chats (profile_id, contact_id, active_at) VALUES (1, ?, ?)", contact, time)
        let chat = database.lastInsertedID
        for message in 1...max(StoreFilling.messages / chats, 1) {
            let isReceived = message.isMultiple(of: 2)
            let text = #"{"type":"text","text":"message \#(message) of this conversation, neither long nor short"}"#
            try database.run(
                """
                INSERT INTO items (chat_id, direction, kind, content, status, time, created_at)
                VALUES (?, ?, 'message', ?, ?, ?, ?)
                """, chat, isReceived ? "received" : "sent", text, isReceived ? "rcv_read" : "snd_sent complete", time,
                time)
        }
        try database.run("UPDATE chats SET last_item_id = ? WHERE chat_id = ?", database.lastInsertedID, chat)
    }
}
