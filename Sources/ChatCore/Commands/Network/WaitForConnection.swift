public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Sends what a connection waits for; for `ready`, receives too. (`/_wait connection 5 joined|ready timeout=30`)
public struct WaitForConnection: ChatCommand {
    public var connection: ConnectionID
    public var stage: ConnectionStage
    public var timeout: Duration

    public init(_ connection: ConnectionID, _ stage: ConnectionStage, timeout: Duration) {
        self.connection = connection
        self.stage = stage
        self.timeout = timeout
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_wait connection", .connection(\.connection), .word(\.stage),
            .duration("timeout", \.timeout, byDefault: .seconds(30)), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> WaitedConnection {
        try await core.exchange.wait(for: connection, stage, timeout: timeout)
    }
}

/// The stage of a handshake that a command waits for.
public enum ConnectionStage: String, CaseIterable, Hashable, Sendable {
    /// The relay of the other side has our confirmation.
    case joined
    /// Both sides can send.
    case ready
}

/// A connection after waiting for it.
public struct WaitedConnection: SimpleResponse {
    public let profile: OwnProfile
    public let connection: ContactConnection
    /// The contact that the connection belongs to, if there is one already.
    public let contact: Contact?
    /// What prevents the connection from going on, if that is known.
    public let obstacle: RelayProblem?
    /// Why the connection failed, if it did while this core was open.
    public let problem: ConnectionProblem?

    public static let type = "connectionWaited"

    init(
        _ profile: OwnProfile, _ connection: ContactConnection, _ contact: Contact?, obstacle: RelayProblem?,
        problem: ConnectionProblem?
    ) {
        self.profile = profile
        self.connection = connection
        self.contact = contact
        self.obstacle = obstacle
        self.problem = problem
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        connection = try fields.required("connection")
        contact = try fields.optional("contact")
        obstacle = try fields.optional("obstacle")
        problem = try fields.optionalWord("problem", ConnectionProblem.init(word:))
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "connection": connection.json]
        fields.set("contact", contact)
        fields.set("obstacle", obstacle)
        fields.set("problem", problem?.word)
        return fields
    }
}
