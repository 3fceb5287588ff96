public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Compares the connections of the chats with those that the agent has. (`/_connections diff [show_ids=on]`)
public struct CompareConnections: ChatCommand {
    public var showsIDs: Bool

    public init(showsIDs: Bool = false) {
        self.showsIDs = showsIDs
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_connections diff", .flag("show_ids", \.showsIDs), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ConnectionComparison {
        let agent = try core.agent
        // A connection is written to the chat database first.
        let begun = try core.store.livingConnections().filter { $0.status != .new && $0.status != .prepared }
        return ConnectionComparison(showsIDs: showsIDs, missing: try begun.map(\.id).filter { try !agent.contains($0) })
    }
}

/// The connections of the chats that the agent lacks.
public struct ConnectionComparison: SimpleResponse {
    public let showsIDs: Bool
    public let missing: [ConnectionID]

    public static let type = "connectionsDiff"

    public var fields: JSONObject {
        [
            "showIds": .bool(showsIDs),
            // The agent has no users of its own here, and deletes by itself what belongs to no chat.
            "userIds": .object(["missingIds": [], "extraIds": []]),
            "connIds": .object([
                "missingIds": .array(missing.map { .string($0.description) }), "extraIds": [],
            ]),
        ]
    }

    init(showsIDs: Bool, missing: [ConnectionID]) {
        self.showsIDs = showsIDs
        self.missing = missing
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        var connections = try fields.object("connIds")
        self.init(
            showsIDs: try fields.bool("showIds"),
            missing: try connections.elements("missingIds").map { id throws(DecodeError) in
                guard let number = id.string.flatMap({ Int64($0) }) else { throw .invalid("missingIds") }
                return ConnectionID(number)
            })
    }
}
