import Agent
public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Gives up a connection without a contact. Its links lead nowhere then. (`/_delete :5 [full|entity|messages] [notify=on|off]`)
public struct DeleteConnection: ChatCommand {
    public var id: ConnectionID

    public init(_ id: ConnectionID) {
        self.id = id
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_delete", .pending(\.id), mode, make: { id, _ in Self(id) }))

    /// Which part of a chat is deleted: a connection without a contact has but one.
    private static let mode = Argument<Self, Bool>(
        read: { reader throws(DecodeError) in
            if !reader.isAtEnd, ChatDeletion(rawValue: reader.word()) == nil { throw .invalid("mode") }
            if reader.skipExactly("notify", "=") { _ = try reader.isOn() }
            return true
        }, write: { _ in "full" })

    public func effect(of response: DeletedConnection) -> SessionEffect? {
        .visible(response.profile, .listsChanged)
    }

    public func perform(on core: isolated LocalCore) async throws -> DeletedConnection {
        let agent = try core.agent
        let former = try core.lookup.connection(id)
        guard former.contactID == nil, former.memberID == nil, former.status != .deleted, try !core.store.isAddress(id)
        else {
            throw ChatError.connectionNotFound(id)
        }
        try core.store.transaction { try core.store.update(id, status: .deleted, at: core.now) }
        let connection = try core.lookup.connection(id)
        if try agent.contains(id) { try await core.connector.discard(id) } else { try core.connector.forget(id) }
        return DeletedConnection(profile: try core.lookup.profile(connection.profileID), connection: connection)
    }
}

/// A connection that was given up.
public struct DeletedConnection: SimpleResponse {
    public let profile: OwnProfile
    public let connection: ContactConnection

    public static let type = "contactConnectionDeleted"

    public var fields: JSONObject { ["user": profile.json, "connection": connection.json] }

    init(profile: OwnProfile, connection: ContactConnection) {
        self.profile = profile
        self.connection = connection
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), connection: try fields.required("connection"))
    }
}

extension Argument where Value == ConnectionID {
    /// `:5`: a connection without a contact.
    static func pending(_ value: @escaping @Sendable (Command) -> ConnectionID) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard reader.skipExactly(":") else { throw .invalid("connection") }
                return ConnectionID(try reader.integer())
            }, write: { ":\(value($0).number)" })
    }
}
