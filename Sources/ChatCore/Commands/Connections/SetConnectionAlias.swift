public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Sets the user's own name for a connection that has no contact yet. (`/_set alias :5 TEXT`)
public struct SetConnectionAlias: ChatCommand {
    public var id: ConnectionID
    /// Empty for none.
    public var alias: String

    public init(_ id: ConnectionID, _ alias: String) {
        self.id = id
        self.alias = alias
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_set alias", .pending(\.id), .optionalWords("alias", \.words)) { Self($0, $1 ?? "") })

    /// Nil for none.
    private var words: String? { alias.isEmpty ? nil : alias }

    public func effect(of response: ConnectionAlias) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> ConnectionAlias {
        let (profile, connection) = try core.lookup.pending(id)
        try core.store.transaction { try core.store.update(connection.id, alias: alias, at: core.now) }
        return ConnectionAlias(profile, try core.lookup.connection(id))
    }
}

/// A connection with another alias.
public struct ConnectionAlias: SimpleResponse {
    public let profile: OwnProfile
    public let connection: ContactConnection

    public static let type = "connectionAliasUpdated"

    public var fields: JSONObject { ["user": profile.json, "toConnection": connection.json] }

    init(_ profile: OwnProfile, _ connection: ContactConnection) {
        self.profile = profile
        self.connection = connection
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.required("user"), try fields.required("toConnection"))
    }
}
