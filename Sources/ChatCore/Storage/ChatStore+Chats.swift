import AgentProtocol
import ByteCoding
import ChatProtocol
import Store

extension ChatReference {
    /// The column of `chats` that has the number.
    var column: String {
        switch self {
        case .direct: "contact_id"
        case .group: "group_id"
        case .notes: "note_folder_id"
        }
    }

    /// The id of the row of `chats`, for a statement whose parameter is the number.
    func row(_ parameter: String = "?") -> String {
        "(SELECT chat_id FROM chats WHERE \(column) = \(parameter))"
    }
}

extension ChatStore {
    /// What ``Row/chatReference()`` reads.
    static let referenceColumns = "chats.contact_id, chats.group_id, chats.note_folder_id"

    /// Where a chat stands in lists.
    private static let placeColumns = "chats.active_at, chats.chat_id"

    /// Chats that are not with a contact: those have other columns, and most of these would be empty for them.
    private static let chatQuery = """
        SELECT \(placeColumns), \(referenceColumns), chats.profile_id, coalesce(groups.name, note_folders.name),
            chats.unread_count, coalesce(groups.created_at, note_folders.created_at),
            coalesce(groups.updated_at, note_folders.updated_at), \(activity), chats.retention, chats.expiry,
            \(ChatMarks.columns), \(groupColumns.joined(separator: ", "))
        FROM chats LEFT JOIN groups USING (group_id) LEFT JOIN note_folders USING (note_folder_id) \(membership)
        """

    private static let directQuery = """
        SELECT \(placeColumns), \(contactColumns) FROM chats JOIN contacts USING (contact_id) \(currentConnection)
        """

    func chat(_ reference: ChatReference) throws -> Chat? {
        // Most are direct, and need fewer tables.
        if case .direct(let id) = reference { return try contact(id).map { .direct($0) } }
        return try database.first(
            "\(ChatStore.chatQuery) WHERE chats.\(reference.column) = ?", reference.number
        ) { row throws(StoreError) in try row.chat().chat }
    }

    /// The chat of a profile that has a name.
    func chat(named name: String, of id: ProfileID) throws -> Chat? {
        if let contact = try contact(named: name, of: id) { return .direct(contact) }
        return try database.first(
            "\(ChatStore.chatQuery) WHERE chats.profile_id = ?1 AND (groups.name = ?2 OR note_folders.name = ?2)",
            id.number, name
        ) { row throws(StoreError) in try row.chat().chat }
    }

    /// A part of the chats in the order in which they were active, the last one first.
    func recentChats(of id: ProfileID, _ page: ChatPage, _ query: ChatQuery? = nil) throws -> [Chat] {
        let (condition, order, time) =
            switch page {
            case .last: ("chats.active_at < ?2", "DESC", Timestamp(milliseconds: .max))
            case .before(let time, _): ("chats.active_at < ?2", "DESC", time)
            case .after(let time, _): ("chats.active_at > ?2", "ASC", time)
            }
        // What is searched for is compared here: a name may be written in many ways.
        let isSearch = if case .search = query { true } else { false }
        let limit = isSearch ? Int(Int32.max) : page.count
        func chats(
            _ choice: String, _ read: (inout Row) throws(StoreError) -> PlacedChat
        ) throws -> [PlacedChat] {
            try database.rows(
                """
                \(choice) AND chats.profile_id = ?1 AND \(condition) AND \(query?.condition ?? "TRUE")
                ORDER BY chats.active_at \(order), chats.chat_id \(order) LIMIT ?3
                """, id.number, time, limit, read: read)
        }
        let others = try chats("\(ChatStore.chatQuery) WHERE chats.contact_id IS NULL") {
            row throws(StoreError) in try row.chat()
        }
        let direct = try chats("\(ChatStore.directQuery) WHERE TRUE") { row throws(StoreError) in
            try row.directChat()
        }
        let all = direct.merged(with: others) { order == "DESC" ? $1.place < $0.place : $0.place < $1.place }
        let found = all.lazy.map(\.chat).filter { query?.accepts($0) ?? true }.prefix(max(page.count, 0))
        return order == "DESC" ? Array(found) : found.reversed()
    }

    /// The newest entries of chats that people see.
    func lastItems(of chats: [ChatReference], of id: ProfileID) throws -> [ChatReference: ChatItem] {
        // One question for all is faster than one for each, unless there are few.
        guard chats.count < 20 else { return try lastItems(of: id, Int(Int32.max)) }
        return try chats.reduce(into: [:]) { items, chat in
            items[chat] = try self.items(in: chat, .last(1)).last
        }
    }

    /// All chats of a profile, in the order in which they were made.
    func chats(of id: ProfileID) throws -> [Chat] {
        let others = try database.rows(
            "\(ChatStore.chatQuery) WHERE chats.profile_id = ? AND chats.contact_id IS NULL ORDER BY chats.chat_id",
            id.number
        ) { row throws(StoreError) in try row.chat() }
        let direct = try database.rows(
            "\(ChatStore.directQuery) WHERE chats.profile_id = ? ORDER BY chats.chat_id", id.number
        ) { row throws(StoreError) in try row.directChat() }
        return direct.merged(with: others) { $0.place.number < $1.place.number }.map(\.chat)
    }

    // MARK: - Notes

    func notes(of id: ProfileID) throws -> NoteFolder? {
        let folder = try database.first(
            "SELECT note_folder_id FROM note_folders WHERE profile_id = ?", id.number
        ) { row throws(StoreError) in NoteFolderID(try row.int64()) }
        guard let folder, case .notes(let notes) = try chat(.notes(folder)) else { return nil }
        return notes
    }

    /// Makes the notes of a profile, which has none.
    func insertNotes(named name: String, of id: ProfileID, at time: Timestamp) throws -> NoteFolderID {
        try take(name, in: id)
        let folder = try takeContactNumber()
        try database.run(
            """
            INSERT INTO note_folders (note_folder_id, profile_id, name, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
            """, folder, id.number, name, time, time)
        try database.run(
            "INSERT INTO chats (profile_id, note_folder_id, active_at) VALUES (?, ?, ?)", id.number, folder, time)
        return NoteFolderID(folder)
    }

    /// A number that no contact has, had or is going to have: ids such as `c7` name a contact or notes.
    private func takeContactNumber() throws -> Int64 {
        try database.run("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'contacts'")
        if database.changes == 0 {
            try database.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('contacts', 1)")
        }
        return try database.first("SELECT seq FROM sqlite_sequence WHERE name = 'contacts'") {
            row throws(StoreError) in try row.int64()
        } ?? 1
    }
}

extension ChatQuery {
    /// What SQL can tell of it.
    fileprivate var condition: String {
        let isUnread = "(chats.unread_count > 0 OR chats.is_unread)"
        return switch self {
        case .filters(true, true): "(chats.is_favorite OR \(isUnread))"
        case .filters(true, false): "chats.is_favorite"
        case .filters(false, true): isUnread
        case .filters(false, false), .search: "TRUE"
        }
    }

    /// Whether a chat that was found has the text.
    fileprivate func accepts(_ chat: Chat) -> Bool {
        guard case .search(let text) = self else { return true }
        var names = [chat.name]
        if let contact = chat.contact {
            let profile = contact.profile
            names += [
                contact.choices.presentedName ?? "", contact.choices.alias, profile.displayName, profile.fullName,
            ]
        }
        return names.contains { $0.lowercased().holds(text.lowercased()) }
    }
}

/// A chat with its place in lists.
private struct PlacedChat {
    struct Place: Comparable {
        let activeAt: Timestamp
        let number: Int64

        static func < (left: Place, right: Place) -> Bool {
            (left.activeAt, left.number) < (right.activeAt, right.number)
        }
    }

    let place: Place
    let chat: Chat
}

extension [PlacedChat] {
    /// Two lists in an order that both have.
    fileprivate func merged(
        with others: [PlacedChat], by precedes: (PlacedChat, PlacedChat) -> Bool
    ) -> [PlacedChat] {
        guard !isEmpty else { return others }
        var merged: [PlacedChat] = [], rest = others[...]
        merged.reserveCapacity(count + others.count)
        for chat in self {
            while let other = rest.first, precedes(other, chat) { merged.append(rest.removeFirst()) }
            merged.append(chat)
        }
        return merged + rest
    }
}

extension Row {
    fileprivate mutating func place() throws(StoreError) -> PlacedChat.Place {
        PlacedChat.Place(activeAt: try timestamp(), number: try int64())
    }

    fileprivate mutating func directChat() throws(StoreError) -> PlacedChat {
        PlacedChat(place: try place(), chat: .direct(try contact()))
    }

    /// With what a chat is. Exactly one of the three columns has a number.
    mutating func chatReference() throws(StoreError) -> ChatReference {
        guard let reference = try optionalChatReference() else { throw StoreError(.damaged) }
        return reference
    }

    /// The same, or nil where there is no chat.
    mutating func optionalChatReference() throws(StoreError) -> ChatReference? {
        let contact = try optional { row throws(StoreError) in try row.int64() }
        let group = try optional { row throws(StoreError) in try row.int64() }
        let notes = try optional { row throws(StoreError) in try row.int64() }
        switch (contact, group, notes) {
        case (let number?, nil, nil): return .direct(ContactID(number))
        case (nil, let number?, nil): return .group(GroupID(number))
        case (nil, nil, let number?): return .notes(NoteFolderID(number))
        case (nil, nil, nil): return nil
        default: throw StoreError(.damaged)
        }
    }

    /// How long messages are kept in a chat.
    mutating func retention() throws(StoreError) -> Retention {
        let seconds = try optional { row throws(StoreError) in try row.lifetime() }
        return seconds.map { $0 > 0 ? .limited(seconds: $0) : .unlimited } ?? .standard
    }

    fileprivate mutating func chat() throws(StoreError) -> PlacedChat {
        let place = try place()
        let reference = try chatReference()
        let profileID = ProfileID(try int64())
        let name = try optional { row throws(StoreError) in try row.text() }
        let unreadCount = try count()
        let createdAt = try optional { row throws(StoreError) in try row.timestamp() }
        let updatedAt = try optional { row throws(StoreError) in try row.timestamp() }
        let activeAt = try optional { row throws(StoreError) in try row.timestamp() }
        let retention = try retention()
        let expiry = try optional { row throws(StoreError) in try row.lifetime() }
        let marks = try marks()
        guard let name, let createdAt, let updatedAt else { throw StoreError(.damaged) }
        switch reference {
        case .direct: throw StoreError(.damaged)
        case .group(let id):
            var group = try group(
                id, profileID, name: name, unreadCount: unreadCount, createdAt: createdAt, updatedAt: updatedAt,
                activeAt: activeAt)
            group.retention = retention
            group.expiry = expiry
            group.marks = marks
            return PlacedChat(place: place, chat: .group(group))
        case .notes(let id):
            let notes = NoteFolder(
                id: id, profileID: profileID, name: name, unreadCount: unreadCount, createdAt: createdAt,
                updatedAt: updatedAt, activeAt: activeAt, retention: retention, expiry: expiry, marks: marks)
            return PlacedChat(place: place, chat: .notes(notes))
        }
    }
}
