/// What happens at a relay, counted.
public struct RelayStatistics: Hashable, Sendable {
    // What is so now.

    public var connections = 0
    public var subscriptions = 0
    /// Sessions with other relays that stand.
    public var proxiedRelays = 0

    // What has happened.

    /// Connections that were accepted in all; those over the limit are not counted here.
    public var acceptedConnections = 0
    /// Connections that were closed at once because there were too many.
    public var refusedConnections = 0
    /// Connections that were closed before their hellos were done, because a new one needed their place.
    public var replacedConnections = 0
    /// Connections that did not finish their hellos.
    public var failedHandshakes = 0
    /// How often a connection had to wait because it sent more than it may.
    public var delays = 0

    public var commands = 0
    /// Commands that were answered with `ERR AUTH`.
    public var refusedCommands = 0

    public var createdQueues = 0
    public var securedQueues = 0
    public var deletedQueues = 0

    public var sentMessages = 0
    /// Deliveries, repeated ones too.
    public var deliveredMessages = 0
    public var acknowledgedMessages = 0
    public var expiredMessages = 0
    /// Messages that were refused because their queue was full.
    public var refusedMessages = 0
    public var notifications = 0
    /// Commands that were refused because the disk was nearly full.
    public var refusedForSpace = 0

    /// Commands that a proxy brought.
    public var forwardedCommands = 0
    /// PRXY that were answered with a session, and those that were not.
    public var proxySessions = 0
    public var failedProxySessions = 0
    /// PFWD that another relay has answered, and those that were not.
    public var proxiedCommands = 0
    public var failedProxiedCommands = 0

    /// Turns whose writes could not be stored: all connections were closed then.
    public var failedTurns = 0

    public init() {}

    /// What is so now, by names that stay what they are.
    public var gauges: [(name: String, value: Int)] {
        [("connections", connections), ("subscriptions", subscriptions), ("proxied_relays", proxiedRelays)]
    }

    /// What has happened, by names that stay what they are.
    public static let counters: [(name: String, path: any WritableKeyPath<RelayStatistics, Int> & Sendable)] = [
        ("accepted_connections", \.acceptedConnections),
        ("refused_connections", \.refusedConnections),
        ("replaced_connections", \.replacedConnections),
        ("failed_handshakes", \.failedHandshakes),
        ("delays", \.delays),
        ("commands", \.commands),
        ("refused_commands", \.refusedCommands),
        ("created_queues", \.createdQueues),
        ("secured_queues", \.securedQueues),
        ("deleted_queues", \.deletedQueues),
        ("sent_messages", \.sentMessages),
        ("delivered_messages", \.deliveredMessages),
        ("acknowledged_messages", \.acknowledgedMessages),
        ("expired_messages", \.expiredMessages),
        ("refused_messages", \.refusedMessages),
        ("refused_for_space", \.refusedForSpace),
        ("notifications", \.notifications),
        ("forwarded_commands", \.forwardedCommands),
        ("proxy_sessions", \.proxySessions),
        ("failed_proxy_sessions", \.failedProxySessions),
        ("proxied_commands", \.proxiedCommands),
        ("failed_proxied_commands", \.failedProxiedCommands),
        ("failed_turns", \.failedTurns),
    ]
}
