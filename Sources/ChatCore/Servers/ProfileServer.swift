public import SMPProtocol
import XFTPProtocol

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
    /// True for a file relay. The ids of both kinds are counted apart.
    public let isForFiles: Bool

    public init(
        id: ServerID? = nil, _ server: ConfiguredServer, isPreset: Bool = false, isEnabled: Bool = true,
        isForFiles: Bool = false
    ) {
        self.id = id
        self.server = server
        self.isPreset = isPreset
        self.isEnabled = isEnabled
        self.isForFiles = isForFiles
    }

    /// The address with its password.
    public var text: String { server.text(scheme: isForFiles ? .xftp : .smp) }

    public var address: ServerAddress { server.address }
    /// Who runs it; nil stands for the user, or somebody whom the user trusts.
    public var `operator`: ServerOperator.Tag? { ServerOperator.Tag(of: address) }

    /// Whether both are reached at one host and port, so that they cannot both be meant.
    func collides(with other: ProfileServer) -> Bool {
        guard isForFiles == other.isForFiles else { return false }
        let port = isForFiles ? XFTP.defaultPort : SMP.defaultPort
        guard (address.port ?? port) == (other.address.port ?? port) else { return false }
        return address.hosts.contains { other.address.hosts.contains($0) }
    }
}

/// The servers of a profile that one operator runs.
public struct OperatorServers: Hashable, Sendable {
    /// Nil for servers of one's own.
    public let `operator`: ServerOperator?
    public let servers: [ProfileServer]
    /// The file relays.
    public let fileServers: [ProfileServer]
    /// The chat relays.
    public let relays: [ChatRelay]

    public init(
        _ operator: ServerOperator?, _ servers: [ProfileServer], files: [ProfileServer] = [], relays: [ChatRelay] = []
    ) {
        self.operator = `operator`
        self.servers = servers
        fileServers = files
        self.relays = relays
    }

    /// Whether new queues may be made on one of these.
    public func uses(_ server: ProfileServer) -> Bool {
        server.isEnabled && `operator`?.mayHoldQueues != false
    }

    /// Whether new channels may be made on one of these.
    public func uses(_ relay: ChatRelay) -> Bool {
        relay.isEnabled && !relay.isDeleted && `operator`?.isEnabled != false
    }

    /// Whether only conditions that were not accepted are in the way.
    public var needsConditions: Bool {
        guard let `operator`, `operator`.isEnabled, `operator`.acceptance == nil else { return false }
        return servers.contains(where: \.isEnabled)
    }

    /// True if the profile has nothing of the operator.
    var isEmpty: Bool { servers.isEmpty && fileServers.isEmpty && relays.isEmpty }

    /// Servers by operator; those of one's own come last.
    static func grouped(
        _ servers: [ProfileServer], files: [ProfileServer] = [], relays: [ChatRelay] = [], _ operators: [ServerOperator]
    ) -> [OperatorServers] {
        (operators.map { $0 } + [nil]).map { known in
            OperatorServers(
                known, servers.filter { $0.operator == known?.tag }, files: files.filter { $0.operator == known?.tag },
                relays: relays.filter { $0.operator == known?.tag })
        }
    }
}
