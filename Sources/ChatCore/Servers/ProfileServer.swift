public import SMPProtocol

/// Names a server of a profile, for ever.
public struct ServerID: Hashable, Sendable {
    public let number: Int64

    public init(_ number: Int64) {
        self.number = number
    }
}

/// A relay that a profile may make its queues on.
public struct ProfileServer: Hashable, Sendable {
    /// Nil before it is stored.
    public let id: ServerID?
    public var server: ConfiguredServer
    /// Whether it came with the program.
    public let isPreset: Bool
    /// Whether the user wants new queues there.
    public var isEnabled: Bool
    /// Of a change: it is to be removed.
    public var isDeleted = false

    public init(id: ServerID? = nil, _ server: ConfiguredServer, isPreset: Bool = false, isEnabled: Bool = true) {
        self.id = id
        self.server = server
        self.isPreset = isPreset
        self.isEnabled = isEnabled
    }

    public var address: ServerAddress { server.address }
    /// Who runs it; nil stands for the user, or somebody whom the user trusts.
    public var `operator`: ServerOperator.Tag? { ServerOperator.Tag(of: address) }

    /// Whether both are reached at one host and port, so that they cannot both be meant.
    func collides(with other: ProfileServer) -> Bool {
        guard (address.port ?? SMP.defaultPort) == (other.address.port ?? SMP.defaultPort) else { return false }
        return address.hosts.contains { other.address.hosts.contains($0) }
    }
}

/// The servers of a profile that one operator runs.
public struct OperatorServers: Hashable, Sendable {
    /// Nil for servers of one's own.
    public let `operator`: ServerOperator?
    public let servers: [ProfileServer]

    public init(_ operator: ServerOperator?, _ servers: [ProfileServer]) {
        self.operator = `operator`
        self.servers = servers
    }

    /// Whether new queues may be made on one of these.
    public func uses(_ server: ProfileServer) -> Bool {
        server.isEnabled && `operator`?.mayHoldQueues != false
    }

    /// Whether only conditions that were not accepted are in the way.
    public var needsConditions: Bool {
        guard let `operator`, `operator`.isEnabled, `operator`.acceptance == nil else { return false }
        return servers.contains(where: \.isEnabled)
    }

    /// Servers by operator; those of one's own come last.
    static func grouped(_ servers: [ProfileServer], _ operators: [ServerOperator]) -> [OperatorServers] {
        operators.map { known in OperatorServers(known, servers.filter { $0.operator == known.tag }) }
            + [OperatorServers(nil, servers.filter { $0.operator == nil })]
    }
}
