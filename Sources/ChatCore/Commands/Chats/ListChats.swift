public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Lists the chats that were active last, each with its newest message. (`/_get chats 1 [pcc=on] [count=20|before=TIME
/// count=20|after=TIME count=20] [{"type":"search","search":"..."}]`, `/chats [20|all]`)
public struct ListChats: ChatCommand {
    public var profile: ProfileID?
    /// Whether connections that belong to no contact yet are listed too.
    public var includesPending: Bool
    /// Which page of the list; nil for all.
    public var page: ChatPage?
    public var query: ChatQuery?

    public init(
        _ profile: ProfileID? = nil, includesPending: Bool = false, page: ChatPage?, query: ChatQuery? = nil
    ) {
        self.profile = profile
        self.includesPending = includesPending
        self.page = page
        self.query = query
    }

    /// - Parameter count: At most so many chats; nil for all.
    public init(_ profile: ProfileID? = nil, includesPending: Bool = false, count: Int? = nil) {
        self.init(profile, includesPending: includesPending, page: count.map { .last($0) })
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form.numbered(
            "/_get chats", named: "/chats", { $0.profile }, aliases: ["/cs"], .flag("pcc", \.includesPending),
            .page(\.page), .query(\.query), make: { Self($0, includesPending: $1, page: $2, query: $3) })
            + ["/chats", "/cs"].map { Form($0, .countForPeople, make: { Self(page: $0) }) })

    public func perform(on core: isolated LocalCore) async throws -> ChatList {
        let profile = try core.lookup.profile(profile)
        let chats = try core.store.recentChats(of: profile.id, page ?? .last(Int(Int32.max)), query)
        let items = try core.store.lastItems(of: chats.map(\.reference), of: profile.id)
        return ChatList(
            profile: profile, chats: chats.map { ChatPreview(chat: $0, lastItem: items[$0.reference]) },
            pending: includesPending ? try core.store.pendingConnections(of: profile.id) : [],
            requests: isBeginning ? try core.store.requests(of: profile.id) : [])
    }

    /// True if the list begins with the chat that was active last, and nothing is left out of it.
    private var isBeginning: Bool {
        switch page {
        case nil, .last?: query == nil
        case .before?, .after?: false
        }
    }
}

/// A part of the list of chats, which begins with the one that was active last.
public enum ChatPage: Hashable, Sendable {
    /// The first ones.
    case last(Int)
    /// Those that were active last before a moment.
    case before(Timestamp, Int)
    /// The ones that were active soonest after a moment.
    case after(Timestamp, Int)

    var count: Int {
        switch self {
        case .last(let count), .before(_, let count), .after(_, let count): count
        }
    }
}

/// Which chats are listed.
public enum ChatQuery: Hashable, Sendable {
    /// Favourites, unread ones, or both kinds; all if neither is asked for.
    case filters(isFavorite: Bool, isUnread: Bool)
    /// Those with a name that has the text.
    case search(String)
}

extension ChatQuery: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        switch try fields.text("type") {
        case "filters":
            self = .filters(isFavorite: try fields.bool("favorite"), isUnread: try fields.bool("unread"))
        case "search": self = .search(try fields.text("search"))
        default: throw .invalid("type")
        }
    }

    /// `ChatListQuery` of the API.
    public var fields: JSONObject {
        switch self {
        case .filters(let isFavorite, let isUnread):
            ["type": "filters", "favorite": .bool(isFavorite), "unread": .bool(isUnread)]
        case .search(let text): ["type": "search", "search": .string(text)]
        }
    }
}

/// Chats, the last active first, requests that wait for an answer, and connections that belong to no contact yet.
public struct ChatList: SimpleResponse {
    public let profile: OwnProfile
    public let chats: [ChatPreview]
    public let pending: [ContactConnection]
    public let requests: [ReceivedRequest]

    public static let type = "apiChats"

    public var fields: JSONObject {
        ["user": profile.json, "chats": .array(chats.map(\.json) + requests.map(\.chatJSON) + pending.map(\.chatJSON))]
    }

    init(
        profile: OwnProfile, chats: [ChatPreview], pending: [ContactConnection], requests: [ReceivedRequest] = []
    ) {
        self.profile = profile
        self.chats = chats
        self.pending = pending
        self.requests = requests
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        (chats, requests, pending) = try ChatPreview.list("chats", from: &fields)
    }
}

extension Argument where Value == ChatPage? {
    /// `count=20`, `before=TIME count=20`, `after=TIME count=20`, or nothing
    fileprivate static func page(_ value: @escaping @Sendable (Command) -> ChatPage?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in try reader.page() },
            write: { command in
                switch value(command) {
                case nil: ""
                case .last(let count): "count=\(count)"
                case .before(let time, let count): "before=\(time) count=\(count)"
                case .after(let time, let count): "after=\(time) count=\(count)"
                }
            })
    }

    /// `20` or `all`, as people write it.
    fileprivate static var countForPeople: Argument {
        .onlyRead { reader throws(DecodeError) in reader.skip("all") ? nil : .last(try reader.integer()) }
    }
}

extension Argument where Value == ChatQuery? {
    /// A JSON object, or nothing.
    fileprivate static func query(_ value: @escaping @Sendable (Command) -> ChatQuery?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                reader.isAtEnd ? nil : try ChatQuery(decoding: Bytes(reader.rest().utf8))
            }, write: { command in value(command)?.json.line ?? "" })
    }
}

extension CommandReader {
    fileprivate mutating func page() throws(DecodeError) -> ChatPage? {
        if skipExactly("before", "=") {
            let time = try Timestamp(text: word())
            guard let count = try count() else { throw .invalid("count") }
            return .before(time, count)
        }
        if skipExactly("after", "=") {
            let time = try Timestamp(text: word())
            guard let count = try count() else { throw .invalid("count") }
            return .after(time, count)
        }
        return try count().map { .last($0) }
    }
}
