/// The times and sizes that a relay's connections go by.
package struct RelayLimits: Sendable {
    /// How long TLS, and then the client's hello, may take.
    package var handshakeDeadline = Duration.seconds(60)
    /// How long a client may accept nothing that waits for it.
    package var writeDeadline = Duration.seconds(60)
    /// How many blocks may be on their way to a client.
    package var window = 16
    /// How many commands of a client are carried out before others have their turn. A block is not divided for this.
    package var fairShare = 32
    /// Notifications are collected for this time.
    package var notificationInterval = Duration.milliseconds(1500)
    /// How often old messages and idle connections are looked for.
    package var housekeepingInterval = Duration.seconds(3600)
    /// After what time a connection without subscriptions is closed.
    package var idleLimit = Duration.seconds(6 * 3600)

    package var proxy = ProxyLimits()

    /// As in ``RelayRules``.
    package var pageLimit: Int?

    package init() {}
}
