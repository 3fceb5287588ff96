import ByteCoding
import Store

/// Fills the chat database of a new store with groups, so that lists have something to do.
struct GroupFilling {
    private static let groups = 500
    private static let members = 100
    private static let messages = 40

    private let database: Database

    init(_ folder: String) throws {
        database = try Database("\(folder)/simplex_v1_chat.db", .readWrite, durability: .process)
    }

    /// Adds the groups to the first profile, in one transaction.
    func run() throws {
        try database.transaction {
            for number in 1...GroupFilling.groups { try addGroup(number) }
        }
    }

    private func addGroup(_ number: Int) throws {
        let name = "group \(number)", time = 1_700_000_000_000 + Int64(number) * 1000
        try database.run("INSERT INTO names (profile_id, name) VALUES (1, ?)", name)
        try database.run(
            "INSERT INTO groups (profile_id, name, profile, created_at, updated_at) VALUES (1, ?, ?, ?, ?)", name,
            #"{"displayName":"\#(name)","fullName":"","description":"read the rules"}"#, time, time)
        let group = database.lastInsertedID
        var last: Int64 = 0
        for member in 0..<GroupFilling.members { last = try addMember(member, of: group, number, at: time) }
        try database.run("INSERT INTO chats (profile_id, group_id, active_at) VALUES (1, ?, ?)", group, time)
        let chat = database.lastInsertedID
        for message in 1...GroupFilling.messages {
            let text = #"{"type":"text","text":"message \#(message) of this group, neither long nor short"}"#
            try database.run(
                """
                INSERT INTO items (chat_id, direction, kind, content, status, time, created_at, author_id)
                VALUES (?, 'received', 'message', ?, 'rcv_read', ?, ?, ?)
                """, chat, text, time, time, last)
        }
        try database.run("UPDATE chats SET last_item_id = ? WHERE chat_id = ?", database.lastInsertedID, chat)
    }

    /// Returns the id of the member. The first one of a group is the user.
    private func addMember(_ member: Int, of group: Int64, _ number: Int, at time: Int64) throws -> Int64 {
        let isUser = member == 0, name = isUser ? "full" : "member \(number).\(member)"
        if !isUser { try database.run("INSERT INTO names (profile_id, name) VALUES (1, ?)", name) }
        try database.run(
            """
            INSERT INTO group_members (group_id, member_id, role, category, status, name, profile, versions, created_at,
                updated_at)
            VALUES (?, ?, 'member', ?, 'connected', ?, ?, '1-16', ?, ?)
            """, group, Bytes("\(number).\(member)".utf8), isUser ? "user" : "pre", name,
            #"{"displayName":"\#(name)","fullName":""}"#, time, time)
        let id = database.lastInsertedID
        if isUser {
            try database.run("UPDATE groups SET membership_id = ? WHERE group_id = ?", id, group)
            return id
        }
        try database.run(
            """
            INSERT INTO connections (profile_id, member_id, status, is_initiated, created_at, updated_at)
            VALUES (1, ?, 'ready', 0, ?, ?)
            """, id, time, time)
        return id
    }
}
