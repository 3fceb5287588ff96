import SMPProtocol

/// The times and sizes that a relay's connections go by.
package struct RelayLimits {
    /// How many connections may come from one IPv4 address, or from one /64 of IPv6.
    package var connectionsPerAddress: Int
    /// How long a connection may take until its first byte comes, then for TLS, and then for the client's hello.
    package var handshakeDeadline: Duration
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
    package var idleLimit: Duration
    /// How often the statistics are written down.
    package var statisticsInterval = Duration.seconds(60)

    /// What a client may send in a second. One that sends more is not read until its time has come.
    package var commandRate: Int
    package var byteRate: Int
    /// For what time a client that sent nothing may send more afterwards: one that comes back subscribes to all of its
    /// queues at once.
    package var burst = Duration.seconds(10)
    /// How many queues a connection may make.
    package var queuesPerConnection: Int

    package var proxy = ProxyLimits()

    /// As in ``RelayRules``.
    package var pageLimit: Int?
    package var reserve: Int
    package var freeSpace: (@Sendable () -> Int)?
    /// How long the size that the database had when the disk was full counts as its limit.
    /// A clock that nobody sets.
    package var steadyClock: () -> ContinuousClock.Instant = { .now }
    package var fullPause = Duration.seconds(3600)

    /// What the operator has decided, and the usual values for everything else.
    package init(_ settings: RelaySettings = RelaySettings(hosts: [.domain("localhost")])) {
        connectionsPerAddress = settings.connectionsPerAddress
        handshakeDeadline = .seconds(settings.handshakeSeconds)
        idleLimit = .seconds(settings.idleHours * 3600)
        commandRate = settings.commandsPerSecond
        reserve = settings.reserveMegabytes << 20
        byteRate = settings.megabytesPerSecond * 1_000_000
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
