public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Lists the read cursors of a profile. (`/_cursors 1`, `/cursors`; the official core has none)
public struct ListCursors: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID? = nil) {
        self.profile = profile
    }

    public static let access = Access.read
    public static let syntax = Syntax(numbered: "cursors", { $0.profile }, make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> CursorList {
        let profile = try core.lookup.profile(profile)
        return CursorList(profile: profile, cursors: try core.cursors.list(of: profile))
    }
}

/// Read cursors.
public struct CursorList: SimpleResponse {
    public let profile: OwnProfile
    public let cursors: [Cursor]

    public static let type = "cursors"

    public var fields: JSONObject { ["user": profile.json, "cursors": .array(cursors.map(\.json))] }

    init(profile: OwnProfile, cursors: [Cursor]) {
        self.profile = profile
        self.cursors = cursors
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), cursors: try fields.list("cursors"))
    }
}
