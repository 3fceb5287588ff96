import ByteCoding
package import SMPProtocol

/// The limits and settings of the core.
package struct RelayRules {
    /// True if clients may create queues.
    package var acceptsNewQueues = true
    /// The password for creating queues and for proxying.
    package var password: ServerPassword?
    /// The largest number of queues created by a connection.
    package var queuesPerConnection = 10_000
    /// True if the relay forwards commands.
    package var isProxy = true
    /// The largest number of a client's commands that wait for other relays.
    package var proxyRequests = 32
    /// The number of messages in a queue at which senders get QUOTA.
    package var quota = 128
    /// The time after which a message expires.
    package var messageLifetime = Duration.seconds(21 * 86_400)
    /// The time after which a notification expires.
    package var notificationLifetime = Duration.seconds(86_400)
    /// The largest number of unread blocks of responses for a client.
    package var room = 16
    /// The largest number of unacknowledged messages from GET for a connection.
    package var fetchedMessages = 256
    /// The largest number of recipient keys of a queue. A command may have to try all of them.
    package var recipientKeyLimit = 16
    /// The number of cached queues, 1 KB each.
    package var cachedQueues = 4096
    /// The number of cached bodies, 16 KB each.
    package var freshMessages = 256

    /// The largest number of queues.
    package var queueLimit = Int.max
    /// The largest number of services. At the limit a new one replaces one without queues.
    package var serviceLimit = 10_000
    /// The largest number of messages in all queues.
    package var messageLimit = Int.max
    /// The largest size of the database in bytes.
    package var sizeLimit = Int.max
    /// True if the relay has a resolver of names.
    package var resolvesNames = false
    /// The largest number of a client's requests of names without a response.
    package var nameRequests = 32
    /// The blocked queues.
    package var blocked = BlockedEntities()
    /// Returns true if a connection may create another queue now, and counts it; nil for always.
    package var mayMakeQueue: ((ClientID) -> Bool)?

    /// The largest size of the file in pages of 4 KB; nil for no limit.
    package var pageLimit: Int?
    /// The size in pages at which the disk was full before.
    package var fullAt: Int?
    /// The number of log pages of 4 KB at which a checkpoint is due: every 16 MB, or about 700 messages.
    package var checkpointPages = 4096
    /// The free space to keep on the disk, in bytes (``StorageReserve``).
    package var reserve = 64 << 20
    /// Returns the free bytes of the disk; nil asks the system.
    package var freeSpace: (@Sendable () -> Int)?

    /// Creates the default rules.
    package init() {}
}
