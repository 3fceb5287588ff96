import SMPProtocol

/// The limits of a relay's connections.
package struct RelayLimits {
    /// The largest number of connections from one IPv4 address or IPv6 /64.
    package var connectionsPerAddress = 0
    /// The largest number of connections from one range of addresses (``IPAddress/range``).
    package var connectionsPerRange = 0
    /// The largest number of queues created from one range in an hour.
    package var queuesPerHour = 0
    /// The time limit of a connection for its first byte, then for TLS, and then for the client's hello.
    package var handshakeDeadline = Duration.zero
    /// The time limit for a client to accept waiting blocks.
    package var writeDeadline = Duration.seconds(60)
    /// The largest number of blocks on their way to a client.
    package var window = 16
    /// The largest number of further unread blocks of events, before the client is disconnected.
    package var unreadEvents = 64
    /// The number of a client's commands executed before those of others. A block is not divided for this.
    package var fairShare = 32
    /// The interval of sending collected notifications.
    package var notificationInterval = Duration.milliseconds(1500)
    /// The interval of removing expired messages and idle connections.
    package var housekeepingInterval = Duration.seconds(3600)
    /// The time after which an idle connection without subscriptions is closed.
    package var idleLimit = Duration.zero
    /// The interval of checking the free space and the limits of the store for notices.
    package var lookInterval = Duration.seconds(5)
    /// The time of collecting the first incidents before a notice.
    package var firstIncidentInterval = Duration.seconds(10)
    /// The time of collecting later incidents before a notice.
    package var incidentInterval = Duration.seconds(60)
    /// The interval of writing metrics.
    package var metricsInterval = Duration.seconds(15)
    /// The interval of writing statistics.
    package var statisticsInterval = Duration.seconds(60)

    /// The average number of commands of a client per second. Faster clients are delayed.
    package var commandRate = 0
    /// The average number of bytes of a client per second.
    package var byteRate = 0
    /// The time of inactivity that a client may use up later: a returning client subscribes to all of its queues at
    /// once.
    package var burst = Duration.seconds(10)
    /// The largest number of queues created by a connection.
    package var queuesPerConnection = 0

    /// The largest number of requests of a file client at a time.
    package var fileStreams = 16
    /// The time without bytes after which an upload of a chunk ends.
    package var uploadSilence = Duration.seconds(120)
    /// The average number of bytes per second of an upload, after a first time of ``uploadSilence``. A slower one ends.
    package var uploadRate = 0
    /// The largest space of the stored chunks of one IPv4 address or IPv6 /64 in bytes, and a half of that of one range.
    package var spacePerAddress = 0
    /// The largest number of unfinished uploads from one IPv4 address or IPv6 /64, and a quarter of those from one range.
    package var uploadsPerAddress = 0
    /// The time without bytes after which an upload gives its place to a new one of its address, at the limit.
    package var uploadYield = Duration.seconds(5)
    /// The time limit of an upload of a chunk.
    package var uploadDeadline = Duration.seconds(3600)
    /// The largest number of chunks created from one range in an hour.
    package var filesPerHour = 0

    /// The limits of the proxy.
    package var proxy = ProxyLimits()

    /// The largest size of the file, as in ``RelayRules``.
    package var pageLimit: Int?
    /// The free space to keep on the disk, as in ``RelayRules``.
    package var reserve = 0
    /// The free bytes of the disk, as in ``RelayRules``.
    package var freeSpace: (@Sendable () -> Int)?
    /// A clock that cannot be set.
    package var steadyClock: () -> ContinuousClock.Instant = { .now }
    /// The time for which the size of the database at a full disk counts as its limit.
    package var fullPause = Duration.seconds(3600)

    /// Creates the limits of an operator's settings, with defaults for the rest.
    package init(_ settings: RelaySettings = RelaySettings(hosts: [.domain("localhost")])) {
        apply(settings)
    }

    /// Applies the operator's settings.
    package mutating func apply(_ settings: RelaySettings) {
        connectionsPerRange = settings.connectionsPerRange
        queuesPerHour = settings.queuesPerHour
        filesPerHour = settings.filesPerHour
        uploadsPerAddress = settings.uploadsPerAddress
        spacePerAddress = settings.fileMegabytesPerAddress << 20
        uploadRate = settings.uploadKilobytesPerSecond << 10
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

/// A limit of the whole relay.
public enum StoreLimit: String, CaseIterable, Hashable, Sendable {
    /// The number of queues (`queues` in relay.conf).
    case queues
    /// The number of stored messages (`messages`).
    case messages
    /// The size of the database (`store_megabytes`).
    case size

    /// The name of the setting in relay.conf.
    public var setting: String {
        switch self {
        case .queues: "queues"
        case .messages: "messages"
        case .size: "store_megabytes"
        }
    }
}
