import AgentProtocol
import ByteCoding
import ChatProtocol
import Store

/// The order of entries in a list.
private enum ItemOrder {
    /// As they were stored, without those that people do not see. A page may begin at an entry that is gone.
    case stored
    /// By the times of the relays, and those of the same time as they were stored.
    case timed

    init(_ chat: ChatReference) {
        if case .group = chat { self = .timed } else { self = .stored }
    }

    /// The columns by which it is ordered.
    var keys: [String] {
        switch self {
        case .stored: ["item_id"]
        case .timed: ["items.time", "item_id"]
        }
    }

    /// True for entries on one side of a place, whose number and time are the parameters 5 and 6.
    func condition(_ comparison: String) -> String {
        switch self {
        case .stored: "item_id \(comparison) ?5"
        case .timed: "(items.time, item_id) \(comparison) (?6, ?5)"
        }
    }
}

/// A place between entries.
private struct ItemPlace {
    var number: Int64
    var time: Timestamp

    static let end = ItemPlace(number: .max, time: Timestamp(milliseconds: .max))
}

/// Entries that are read in pages.
private struct ItemList {
    /// Finds them by the number of an owner, the parameter 1.
    let choice: String
    let owner: Int64
    var order = ItemOrder.stored
    /// What the messages say; nil for all.
    var words: String?
    /// The kind of the messages, or `link`; nil for all.
    var kind: String?
}

/// Entries of conversations, a page at a time.
extension ChatStore {
    /// The entries of a conversation that people see, oldest first.
    ///
    /// - Parameters:
    ///   - search: What the messages say; nil or nothing for all.
    ///   - support: In a group, the member whose conversation with the moderators is meant; nil for that of all members.
    func items(
        in chat: ChatReference, _ range: ItemRange, search: String? = nil, kind: String? = nil,
        support: GroupMemberID? = nil
    ) throws -> [ChatItem] {
        try page(list(of: chat, support, search, kind, .stored), range)
    }

    /// The entries of all conversations of a profile that people see, oldest first.
    func items(of id: ProfileID, _ range: ItemRange, search: String? = nil) throws -> [ChatItem] {
        let choice = "\(ChatStore.orderedItemQuery) WHERE chats.profile_id = ?1"
        return try page(ItemList(choice: choice, owner: id.number, words: search?.nonempty), range)
    }

    /// The entries of a conversation as programs see them, oldest first: with those that people do not see, which stand where they
    /// were made. Those of a group are in the order of their times. What people do not see says nothing that could be searched.
    func allItems(
        in chat: ChatReference, _ range: ItemRange, search: String? = nil, support: GroupMemberID? = nil
    ) throws -> [ChatItem] {
        let list = list(of: chat, support, search, nil, ItemOrder(chat))
        guard list.order == .stored, list.words == nil else { return try page(list, range) }
        let hidden = try database.rows(
            "\(ChatStore.itemQuery) WHERE chats.\(chat.column) = ? AND item_id < 0 ORDER BY item_id DESC", chat.number
        ) { row throws(StoreError) in try row.item() }
        switch range {
        case .last(let count):
            return try items(in: chat, range).mixed(with: hidden).suffix(max(count, 0))
        case .before(let id, let count):
            guard let anchor = try item(id) else { return [] }
            let isHidden = id.number < 0
            let items =
                isHidden
                ? try items(in: chat, "items.created_at < ?2 ORDER BY item_id DESC", anchor.createdAt, count).reversed()
                : try items(in: chat, range)
            let earlier = hidden.filter { isHidden ? $0.id > id : $0.createdAt <= anchor.createdAt }
            return items.mixed(with: earlier).suffix(max(count, 0))
        case .after(let id, let count):
            guard let anchor = try item(id) else { return [] }
            let isHidden = id.number < 0
            let items =
                isHidden
                ? try items(in: chat, "items.created_at >= ?2 ORDER BY item_id", anchor.createdAt, count)
                : try items(in: chat, range)
            let later = hidden.filter { isHidden ? $0.id < id : $0.createdAt > anchor.createdAt }
            return Array(items.mixed(with: later).prefix(max(count, 0)))
        case .around(let id, let count):
            guard let anchor = try item(id), anchor.chat == chat else { return [] }
            return try allItems(in: chat, .before(id, count)) + [anchor] + allItems(in: chat, .after(id, count))
        case .initial(let count):
            return try allItems(in: chat, pivot(of: list).map { .around($0, count) } ?? .last(count))
        }
    }

    private func items(
        in chat: ChatReference, _ choice: String, _ time: Timestamp, _ count: Int
    ) throws -> [ChatItem] {
        try database.rows(
            "\(ChatStore.itemQuery) WHERE chats.\(chat.column) = ?1 AND item_id > 0 AND \(choice) LIMIT ?3",
            chat.number, time, count
        ) { row throws(StoreError) in try row.item() }
    }

    /// What is behind some entries of a conversation in the order of programs: how many others, and how many of them are unread.
    func rest(
        of chat: ChatReference, support: GroupMemberID?, behind items: [ChatItem]
    ) throws -> (all: Int, unread: Int) {
        let order = ItemOrder(chat), last = items.last { order == .timed || $0.id.number > 0 }
        let none = order == .timed ? ItemPlace.end : ItemPlace(number: 0, time: ItemPlace.end.time)
        return try count(
            """
            SELECT count(*), coalesce(sum(items.status = 'rcv_new'), 0) FROM items JOIN chats USING (chat_id)
            WHERE chats.\(chat.column) = ?1 AND items.support_id IS ?2 AND ?3 IS NULL AND ?4 IS NULL
                AND \(order.condition(">"))
            """, chat, support, last.map(ItemPlace.init) ?? none, order)
    }

    private func count(
        _ query: String, _ chat: ChatReference, _ support: GroupMemberID?, _ place: ItemPlace, _ order: ItemOrder
    ) throws -> (all: Int, unread: Int) {
        let none: Int64? = nil
        let counts =
            switch order {
            case .stored:
                try database.first(query, chat.number, support?.number, none, none, place.number) {
                    row throws(StoreError) in (try row.int(), try row.int())
                }
            case .timed:
                try database.first(query, chat.number, support?.number, none, none, place.number, place.time) {
                    row throws(StoreError) in (try row.int(), try row.int())
                }
            }
        return counts ?? (0, 0)
    }

    // MARK: - One page

    private func list(
        of chat: ChatReference, _ support: GroupMemberID?, _ search: String?, _ kind: String?, _ order: ItemOrder
    ) -> ItemList {
        // A number of the database, not a text of a person.
        let scope = support.map { "items.support_id = \($0.number)" } ?? "items.support_id IS NULL"
        return ItemList(
            choice: "\(ChatStore.itemQuery) WHERE \(scope) AND chats.\(chat.column) = ?1", owner: chat.number,
            order: order, words: search?.nonempty, kind: kind)
    }

    private func page(_ list: ItemList, _ range: ItemRange) throws -> [ChatItem] {
        switch range {
        case .last(let count): return try chosen(list, before: .end, count)
        case .before(let id, let count):
            guard let place = try place(of: id, in: list) else { return [] }
            return try chosen(list, before: place, count)
        case .after(let id, let count):
            guard let place = try place(of: id, in: list) else { return [] }
            return try chosen(list, after: place, count)
        case .around(let id, let count):
            let found = try database.rows("\(list.choice) AND item_id = ?2", list.owner, id.number) {
                row throws(StoreError) in try row.item()
            }
            guard !found.isEmpty || list.order == .stored else { return [] }
            return try page(list, .before(id, count)) + found + page(list, .after(id, count))
        case .initial(let count):
            return try page(list, pivot(of: list).map { .around($0, count) } ?? .last(count))
        }
    }

    /// The place of an entry; nil for one that is gone from a list that is ordered by what it says.
    private func place(of id: ChatItemID, in list: ItemList) throws -> ItemPlace? {
        switch list.order {
        case .stored: ItemPlace(number: id.number, time: ItemPlace.end.time)
        case .timed: try item(id).map(ItemPlace.init)
        }
    }

    /// Where the user reads on: the newest message that was seen or sent, else the first unread one; nil if all are read.
    private func pivot(of list: ItemList) throws -> ChatItemID? {
        let keys = list.order.keys
        let first = keys.joined(separator: ", "), last = keys.map { "\($0) DESC" }.joined(separator: ", ")
        let unread = try database.first(
            "\(list.choice) AND items.status = 'rcv_new' ORDER BY \(first) LIMIT 1", list.owner
        ) { row throws(StoreError) in try row.item() }
        guard let unread else { return nil }
        let seen = try database.first(
            """
            \(list.choice) AND items.kind = 'message' AND (items.direction = 'sent' OR items.status = 'rcv_read')
            ORDER BY \(last) LIMIT 1
            """, list.owner
        ) { row throws(StoreError) in try row.item() }
        return (seen ?? unread).id
    }

    private func chosen(_ list: ItemList, before place: ItemPlace, _ count: Int) throws -> [ChatItem] {
        try chosen(list, "<", " DESC", place, count).reversed()
    }

    private func chosen(_ list: ItemList, after place: ItemPlace, _ count: Int) throws -> [ChatItem] {
        try chosen(list, ">", "", place, count)
    }

    /// So many entries on one side of a place.
    private func chosen(
        _ list: ItemList, _ comparison: String, _ direction: String, _ place: ItemPlace, _ count: Int
    ) throws -> [ChatItem] {
        // Links are found by reading the text, and these signs are in each.
        let query = """
            \(list.choice) \(list.order == .stored ? "AND item_id > 0" : "") AND (?3 IS NULL OR items.kind = 'message'
                AND (items.content ->> '$.type' = ?3
                    OR ?3 = 'link' AND items.content ->> '$.text' GLOB '*[.:#@]*'))
            AND (?2 IS NULL OR items.kind = 'message' AND items.content ->> '$.text' LIKE '%' || ?2 || '%')
            AND \(list.order.condition(comparison))
            ORDER BY \(list.order.keys.map { $0 + direction }.joined(separator: ", ")) LIMIT ?4
            """
        var found: [ChatItem] = [], place = place, isAtEnd = false
        while found.count < count, !isAtEnd {
            let page = try rows(query, list, place, count)
            found += list.kind == "link" ? page.filter(\.hasLink) : page
            isAtEnd = page.count < count
            place = page.last.map(ItemPlace.init) ?? place
        }
        return Array(found.prefix(max(count, 0)))
    }

    private func rows(_ query: String, _ list: ItemList, _ place: ItemPlace, _ count: Int) throws -> [ChatItem] {
        switch list.order {
        case .stored:
            try database.rows(query, list.owner, list.words, list.kind, count, place.number) {
                row throws(StoreError) in try row.item()
            }
        case .timed:
            try database.rows(query, list.owner, list.words, list.kind, count, place.number, place.time) {
                row throws(StoreError) in try row.item()
            }
        }
    }
}

extension ItemPlace {
    init(_ item: ChatItem) {
        self.init(number: item.id.number, time: item.time)
    }
}

extension String {
    fileprivate var nonempty: String? { isEmpty ? nil : self }
}

extension [ChatItem] {
    /// The same with others between them: each before the first that is not older.
    fileprivate func mixed(with others: [ChatItem]) -> [ChatItem] {
        var mixed: [ChatItem] = [], rest = others[...]
        for item in self {
            while let other = rest.first, other.createdAt <= item.createdAt {
                mixed.append(other)
                rest = rest.dropFirst()
            }
            mixed.append(item)
        }
        return mixed + rest
    }
}
