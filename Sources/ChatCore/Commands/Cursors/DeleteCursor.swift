public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Deletes a read cursor. (`/_delete_cursor 1 'NAME'`, `/delete_cursor 'NAME'`)
public struct DeleteCursor: ChatCommand {
    public var profile: ProfileID?
    public var name: String

    public init(_ profile: ProfileID? = nil, name: String) {
        self.profile = profile
        self.name = name
    }

    public static let access = Access.write
    public static let syntax = Syntax(numbered: "delete_cursor", { $0.profile }, .cursor(\.name), make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> CursorDeleted {
        let profile = try core.lookup.profile(profile), cursor = try core.cursors.named(name, of: profile)
        _ = try core.store.transaction { try core.store.removeCursor(name, of: profile.id) }
        return CursorDeleted(profile: profile, cursor: cursor)
    }
}

/// A cursor as it was.
public struct CursorDeleted: SimpleResponse {
    public let profile: OwnProfile
    public let cursor: Cursor

    public static let type = "cursorDeleted"

    public var fields: JSONObject { ["user": profile.json, "cursor": cursor.json] }

    init(profile: OwnProfile, cursor: Cursor) {
        self.profile = profile
        self.cursor = cursor
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), cursor: try fields.required("cursor"))
    }
}
