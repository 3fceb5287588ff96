/// The counters of a relay.
public struct RelayStatistics: Hashable, Sendable {
    // Gauges.

    /// Open connections.
    public var connections = 0
    /// Subscribed queues.
    public var subscriptions = 0
    /// Open sessions with other relays.
    public var proxiedRelays = 0

    // Counters.

    /// Accepted connections; those above the limit are not counted here.
    public var acceptedConnections = 0
    /// Connections that were closed at once because of a limit.
    public var refusedConnections = 0
    /// Connections that were closed before their hello in favour of a new one.
    public var replacedConnections = 0
    /// Connections from blocked addresses, which were closed at once.
    public var blockedConnections = 0
    /// Connections without a complete hello.
    public var failedHandshakes = 0
    /// Delays of connections that exceeded their rate.
    public var delays = 0

    /// Received commands.
    public var commands = 0
    /// Commands with the response `ERR AUTH`.
    public var refusedCommands = 0
    /// Commands for blocked queues, with the response `ERR BLOCKED`.
    public var blockedCommands = 0

    /// Created queues.
    public var createdQueues = 0
    /// Secured queues.
    public var securedQueues = 0
    /// Deleted queues.
    public var deletedQueues = 0
    /// Queues that were rejected because their range of addresses created too many.
    public var limitedQueues = 0

    /// Accepted messages.
    public var sentMessages = 0
    /// Delivered messages, including repetitions.
    public var deliveredMessages = 0
    /// Acknowledged messages.
    public var acknowledgedMessages = 0
    /// Expired messages.
    public var expiredMessages = 0
    /// Messages that were rejected because their queue was full.
    public var refusedMessages = 0
    /// Sent notifications.
    public var notifications = 0
    /// Commands that were rejected because the disk was nearly full.
    public var refusedForSpace = 0
    /// Commands that were rejected because a limit of the store was reached.
    public var refusedForLimit = 0

    /// Commands from proxies.
    public var forwardedCommands = 0
    /// PRXY that opened a session.
    public var proxySessions = 0
    /// PRXY that failed.
    public var failedProxySessions = 0
    /// Requests for a relay at a private address, to which the relay does not forward.
    public var refusedPrivateRelays = 0
    /// PFWD with a response of the other relay.
    public var proxiedCommands = 0
    /// PFWD that failed.
    public var failedProxiedCommands = 0

    /// Created chunks of files.
    public var createdFiles = 0
    /// Uploaded chunks.
    public var uploadedFiles = 0
    /// The bytes of uploaded chunks.
    public var uploadedBytes = 0
    /// Uploads that failed, with another size or digest than announced.
    public var failedUploads = 0
    /// Uploads that were replaced or rejected, because their address had too many.
    public var limitedUploads = 0
    /// Uploads that were ended, because they were silent or too slow.
    public var slowUploads = 0
    /// Completely sent chunks.
    public var downloadedFiles = 0
    /// The bytes of completely sent chunks.
    public var downloadedBytes = 0
    /// Chunks that a recipient has acknowledged.
    public var acknowledgedFiles = 0
    /// Chunks that their sender has deleted.
    public var deletedFiles = 0
    /// Expired chunks.
    public var expiredFiles = 0
    /// Commands for files that were rejected because of the quota, the disk or the rate of the range.
    public var refusedFiles = 0

    /// Turns whose writes could not be stored, which closed all connections.
    public var failedTurns = 0

    /// Creates counters of zero.
    public init() {}

    /// Adds the counters of another part of the relay.
    mutating func add(_ other: RelayStatistics) {
        for counter in RelayStatistics.counters { self[keyPath: counter.path] += other[keyPath: counter.path] }
    }

    /// The gauges with their stable names.
    public var gauges: [(name: String, value: Int)] {
        [("connections", connections), ("subscriptions", subscriptions), ("proxied_relays", proxiedRelays)]
    }

    /// A counter.
    public struct Counter: Sendable {
        /// The stable name.
        public let name: String
        /// The property with the value.
        public let path: any WritableKeyPath<RelayStatistics, Int> & Sendable
        /// A noun phrase, for metrics and the manual.
        public let meaning: String

        init(_ name: String, _ path: any WritableKeyPath<RelayStatistics, Int> & Sendable, _ meaning: String) {
            self.name = name
            self.path = path
            self.meaning = meaning
        }
    }

    /// All counters.
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
        Counter("blocked_commands", \.blockedCommands, "Commands for blocked queues"),
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
        Counter(
            "refused_private_relays", \.refusedPrivateRelays,
            "Requests for a session with a relay at a private address, refused by 'proxy_private'"),
        Counter("proxied_commands", \.proxiedCommands, "Commands forwarded to other relays and answered"),
        Counter("failed_proxied_commands", \.failedProxiedCommands, "Commands forwarded and not answered"),
        Counter("created_files", \.createdFiles, "New file chunks"),
        Counter("uploaded_files", \.uploadedFiles, "File chunks uploaded"),
        Counter("uploaded_bytes", \.uploadedBytes, "Bytes of file chunks uploaded"),
        Counter("failed_uploads", \.failedUploads, "Uploads of file chunks that failed"),
        Counter(
            "limited_uploads", \.limitedUploads,
            "Uploads replaced or refused because their address had too many unfinished ones"),
        Counter("slow_uploads", \.slowUploads, "Uploads ended because they were silent or too slow"),
        Counter("downloaded_files", \.downloadedFiles, "File chunks downloaded"),
        Counter("downloaded_bytes", \.downloadedBytes, "Bytes of file chunks downloaded"),
        Counter("acknowledged_files", \.acknowledgedFiles, "File chunks acknowledged by a recipient"),
        Counter("deleted_files", \.deletedFiles, "File chunks deleted by their sender"),
        Counter("expired_files", \.expiredFiles, "File chunks deleted because they were too old"),
        Counter(
            "refused_files", \.refusedFiles,
            "Commands refused because of the file limit, the disk or too many files of an address or its range"),
        Counter("failed_turns", \.failedTurns, "Failed writes of the database; all connections were closed"),
    ]
}
