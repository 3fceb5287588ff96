import SMPProtocol

/// The times and sizes that a relay's connections go by.
package struct RelayLimits {
    /// How many connections may come from one IPv4 address, or from one /64 of IPv6.
    package var connectionsPerAddress = 0
    /// How many may come from one range of addresses (``IPAddress/range``).
    package var connectionsPerRange = 0
    /// How many queues the clients of one range may make in an hour.
    package var queuesPerHour = 0
    /// How long a connection may take until its first byte comes, then for TLS, and then for the client's hello.
    package var handshakeDeadline = Duration.zero
    /// How long a client may accept nothing that waits for it.
    package var writeDeadline = Duration.seconds(60)
    /// How many blocks may be on their way to a client.
    package var window = 16
    /// How many more blocks a client may leave unread with what it did not ask for, before it is closed.
    package var unreadEvents = 64
    /// How many commands of a client are carried out before others have their turn. A block is not divided for this.
    package var fairShare = 32
    /// Notifications are collected for this time.
    package var notificationInterval = Duration.milliseconds(1500)
    /// How often old messages and idle connections are looked for.
    package var housekeepingInterval = Duration.seconds(3600)
    /// After what time a connection without subscriptions is closed.
    package var idleLimit = Duration.zero
    /// How often the free space and the limits of the store are looked at, for notices.
    package var lookInterval = Duration.seconds(5)
    /// For what time incidents are collected before they are noticed: the first ones, and later ones.
    package var firstIncidentInterval = Duration.seconds(10)
    package var incidentInterval = Duration.seconds(60)
    /// How often metrics are written.
    package var metricsInterval = Duration.seconds(15)
    /// How often the statistics are written down.
    package var statisticsInterval = Duration.seconds(60)

    /// What a client may send in a second. One that sends more is not read until its time has come.
    package var commandRate = 0
    package var byteRate = 0
    /// For what time a client that sent nothing may send more afterwards: one that comes back subscribes to all of its
    /// queues at once.
    package var burst = Duration.seconds(10)
    /// How many queues a connection may make.
    package var queuesPerConnection = 0

    package var proxy = ProxyLimits()

    /// As in ``RelayRules``.
    package var pageLimit: Int?
    package var reserve = 0
    package var freeSpace: (@Sendable () -> Int)?
    /// How long the size that the database had when the disk was full counts as its limit.
    /// A clock that nobody sets.
    package var steadyClock: () -> ContinuousClock.Instant = { .now }
    package var fullPause = Duration.seconds(3600)

    /// What the operator has decided, and the usual values for everything else.
    package init(_ settings: RelaySettings = RelaySettings(hosts: [.domain("localhost")])) {
        apply(settings)
    }

    /// Takes over what the operator has decided.
    package mutating func apply(_ settings: RelaySettings) {
        connectionsPerRange = settings.connectionsPerRange
        queuesPerHour = settings.queuesPerHour
        connectionsPerAddress = settings.connectionsPerAddress
        handshakeDeadline = .seconds(settings.handshakeSeconds)
        idleLimit = .seconds(settings.idleHours * 3600)
        commandRate = settings.commandsPerSecond
        reserve = settings.reserveMegabytes << 20
        byteRate = settings.megabytesPerSecond << 20
        queuesPerConnection = settings.queuesPerConnection
        proxy.relays = settings.proxyRelays
        proxy.relaysPerAddress = settings.proxyRelaysPerAddress
        proxy.openingsPerMinute = settings.proxyOpeningsPerMinute
        proxy.connectionsPerHost = settings.proxyConnectionsPerHost
        proxy.admitsPrivate = settings.proxyPrivate
        proxy.openingTime = .seconds(settings.proxySeconds)
        proxy.requestsPerClient = settings.proxyRequests
    }
}

/// A limit for the whole relay.
public enum StoreLimit: String, CaseIterable, Hashable, Sendable {
    /// The number of queues (`queues` in relay.conf).
    case queues
    /// The number of waiting messages (`messages`).
    case messages
    /// The size of the database (`store_megabytes`).
    case size

    /// Its name in relay.conf.
    public var setting: String {
        switch self {
        case .queues: "queues"
        case .messages: "messages"
        case .size: "store_megabytes"
        }
    }
}
