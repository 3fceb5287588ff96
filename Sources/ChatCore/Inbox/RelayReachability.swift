public import AgentProtocol
public import ByteCoding
public import JSONCoding
public import SMPProtocol

/// A relay that a profile cannot reach.
public struct UnreachableRelay: Hashable, Sendable, JSONObjectCodable {
    public let profileID: ProfileID
    public let server: ServerAddress
    /// The reason of the last attempt.
    public let problem: RelayProblem
    /// The time of the first attempt that failed.
    public let since: Timestamp
}

extension UnreachableRelay {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        var error = try fields.object("agentError")
        self.init(
            profileID: ProfileID(try fields.integer("userId")),
            server: try fields.word("server", ServerAddress.init(text:)), problem: try RelayProblem(from: &error),
            since: try fields.timestamp("since"))
    }

    public var fields: JSONObject {
        [
            "userId": .integer(profileID.number), "server": .string(server.description),
            "agentError": problem.json(server), "since": .string(since.description),
        ]
    }
}

/// Tells relays that cannot be reached from sessions that end and are opened again at once.
struct RelayReachability {
    private struct Session: Hashable {
        let profileID: ProfileID
        let server: ServerAddress
    }

    private var open: Set<Session> = []
    private(set) var unreachable: [UnreachableRelay] = []

    /// Notes a session.
    ///
    /// - Returns: True if the relay was unreachable before, and no other profile still fails to reach it.
    mutating func opened(_ id: ProfileID, _ server: ServerAddress) -> Bool {
        open.insert(Session(profileID: id, server: server))
        let count = unreachable.count
        unreachable.removeAll { $0.profileID == id && $0.server == server }
        return unreachable.count < count && !unreachable.contains { $0.server == server }
    }

    /// Notes the end of a session, or an attempt that failed.
    ///
    /// - Returns: True if the relay became unreachable by it.
    mutating func closed(
        _ id: ProfileID, _ server: ServerAddress, _ problem: RelayProblem, at now: Timestamp
    ) -> Bool {
        // The next attempt decides whether it is unreachable.
        guard open.remove(Session(profileID: id, server: server)) == nil else { return false }
        // The user wants no connections.
        guard problem != .offline else { return false }
        let isKnown = unreachable.contains { $0.server == server }
        let former = unreachable.firstIndex { $0.profileID == id && $0.server == server }
        let since = former.map { unreachable[$0].since } ?? now
        let changed = UnreachableRelay(profileID: id, server: server, problem: problem, since: since)
        if let former { unreachable[former] = changed } else { unreachable.append(changed) }
        return !isKnown
    }
}

extension ChatStore {
    private static let unreachableRelays = "unreachable-relays"

    /// The relays that could not be reached when messages were received last.
    func unreachableRelays() throws -> [UnreachableRelay] {
        guard let text = try sessionValue(ChatStore.unreachableRelays),
            let value = try? JSONValue(decoding: Bytes(text.utf8)),
            let object = value.object
        else { return [] }
        var fields = JSONFields(object)
        return (try? fields.list("relays")) ?? []
    }

    func setUnreachableRelays(_ relays: [UnreachableRelay]) throws {
        let isStored = try sessionValue(ChatStore.unreachableRelays) != nil
        guard !relays.isEmpty || isStored else { return }
        let object: JSONObject = ["relays": .array(relays.map(\.json))]
        try setSessionValue(ChatStore.unreachableRelays, relays.isEmpty ? nil : JSONValue.object(object).line)
    }
}
