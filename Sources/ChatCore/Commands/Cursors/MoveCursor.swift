public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Moves a read cursor; a new one is made. (`/_cursor 1 'NAME' [@4] start|end|past 12|to 12|nowhere|failed 12`)
public struct MoveCursor: ChatCommand {
    public var profile: ProfileID?
    public var name: String
    /// The only chat that the cursor goes through; nil for all of the profile, or as the cursor has it.
    public var chat: ChatReference?
    public var move: CursorMove

    public init(_ profile: ProfileID? = nil, name: String, in chat: ChatReference? = nil, _ move: CursorMove) {
        self.profile = profile
        self.name = name
        self.chat = chat
        self.move = move
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        numbered: "cursor", { $0.profile }, .cursor(\.name), .reference(\.chat), .move(\.move), make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> CursorMoved {
        let profile = try core.lookup.profile(profile)
        return CursorMoved(profile: profile, cursor: try core.cursors.move(name, of: profile, in: chat, move))
    }
}

/// A cursor where it is now.
public struct CursorMoved: SimpleResponse {
    public let profile: OwnProfile
    public let cursor: Cursor

    public static let type = "cursorMoved"

    public var fields: JSONObject { ["user": profile.json, "cursor": cursor.json] }

    init(profile: OwnProfile, cursor: Cursor) {
        self.profile = profile
        self.cursor = cursor
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), cursor: try fields.required("cursor"))
    }
}

extension Argument where Value == String {
    /// The name of a cursor in single quotes; which names there can be the core knows.
    static func cursor(_ value: @escaping @Sendable (Command) -> String) -> Argument {
        Argument(read: { $0.name() }, write: { CommandText.quoted(value($0)) })
    }
}

extension Argument where Value == CursorMove {
    /// `start`, `end`, `past 12`, `to 12`, `nowhere` or `failed 12`
    fileprivate static func move(_ value: @escaping @Sendable (Command) -> CursorMove) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                switch reader.word() {
                case "start": return .start
                case "end": return .end
                case "past": return .past(ChatItemID(try reader.integer()))
                case "to": return .to(ChatItemID(try reader.integer()))
                case "nowhere": return .nowhere
                case "failed": return .failed(ChatItemID(try reader.integer()))
                default: throw .invalid("place")
                }
            }, write: { value($0).text })
    }
}

extension CursorMove {
    fileprivate var text: String {
        switch self {
        case .start: "start"
        case .end: "end"
        case .past(let id): "past \(id.number)"
        case .to(let id): "to \(id.number)"
        case .nowhere: "nowhere"
        case .failed(let id): "failed \(id.number)"
        }
    }
}
