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
    /// Connections from blocked addresses, which were closed at once.
    public var blockedConnections = 0
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
    /// Queues that were refused because clients in their range of addresses made too many.
    public var limitedQueues = 0

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
    /// Commands that were refused because a limit of the store was reached.
    public var refusedForLimit = 0

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

    /// Something that is counted.
    public struct Counter: Sendable {
        /// A name that stays what it is.
        public let name: String
        public let path: any WritableKeyPath<RelayStatistics, Int> & Sendable
        /// A noun phrase, for metrics and the manual.
        public let meaning: String

        init(_ name: String, _ path: any WritableKeyPath<RelayStatistics, Int> & Sendable, _ meaning: String) {
            self.name = name
            self.path = path
            self.meaning = meaning
        }
    }

    /// What has happened.
    public static let counters = [
        Counter("accepted_connections", \.acceptedConnections, "Accepted connections"),
        Counter("refused_connections", \.refusedConnections, "Connections refused at a limit"),
        Counter(
            "replaced_connections", \.replacedConnections,
            "Connections closed before the greeting of the client, at a limit"),
        Counter("blocked_connections", \.blockedConnections, "Connections from blocked addresses"),
        Counter("failed_handshakes", \.failedHandshakes, "Connections that ended before the greeting of the client"),
        Counter("delays", \.delays, "Times that a connection was read later because it sent too much"),
        Counter("commands", \.commands, "Commands"),
        Counter("refused_commands", \.refusedCommands, "Commands that were not authorized"),
        Counter("created_queues", \.createdQueues, "New queues"),
        Counter("secured_queues", \.securedQueues, "Queues that got the key of a sender"),
        Counter("deleted_queues", \.deletedQueues, "Deleted queues"),
        Counter("limited_queues", \.limitedQueues, "New queues refused because their address range made too many"),
        Counter("sent_messages", \.sentMessages, "Messages accepted from senders"),
        Counter("delivered_messages", \.deliveredMessages, "Deliveries to recipients, with repetitions"),
        Counter("acknowledged_messages", \.acknowledgedMessages, "Messages acknowledged by recipients"),
        Counter("expired_messages", \.expiredMessages, "Messages deleted because they were too old"),
        Counter("refused_messages", \.refusedMessages, "Messages refused because of a full queue, disk or store"),
        Counter("refused_for_space", \.refusedForSpace, "Commands refused because the disk was nearly full"),
        Counter("refused_for_limit", \.refusedForLimit, "Commands refused because a limit of the store was reached"),
        Counter("notifications", \.notifications, "Notifications"),
        Counter("forwarded_commands", \.forwardedCommands, "Commands that came through a proxy"),
        Counter("proxy_sessions", \.proxySessions, "Requests for a session with another relay that succeeded"),
        Counter("failed_proxy_sessions", \.failedProxySessions, "Requests for such a session that failed"),
        Counter("proxied_commands", \.proxiedCommands, "Commands forwarded to other relays and answered"),
        Counter("failed_proxied_commands", \.failedProxiedCommands, "Commands forwarded and not answered"),
        Counter("failed_turns", \.failedTurns, "Failed writes of the database; all connections were closed"),
    ]
}
