import ByteCoding
package import SMPProtocol

/// The numbers that the core goes by.
package struct RelayRules {
    package var acceptsNewQueues = true
    /// What clients must know to create queues, and to use this relay as a proxy.
    package var password: ServerPassword?
    /// How many queues a connection may make.
    package var queuesPerConnection = 10_000
    package var isProxy = true
    /// How many commands of a client may wait for other relays.
    package var proxyRequests = 32
    /// How many messages a queue holds before its senders are told QUOTA.
    package var quota = 128
    /// After what time a message is given up.
    package var messageLifetime = Duration.seconds(21 * 86_400)
    /// After what time a notification is given up.
    package var notificationLifetime = Duration.seconds(86_400)
    /// How many blocks of answers a client may leave unread.
    package var room = 16
    /// How many messages a connection may receive with GET without acknowledging them.
    package var fetchedMessages = 256
    /// How many recipient keys a queue may have. Each of them may have to be tried for each command.
    package var recipientKeyLimit = 16
    /// How many queues are kept in memory, at 1 KB each.
    package var cachedQueues = 4096
    /// How many bodies are kept in memory, at 16 KB each.
    package var freshMessages = 256

    /// How many queues there may be.
    package var queueLimit = Int.max
    /// How many messages may wait in all queues together.
    package var messageLimit = Int.max
    /// How large the database may become, in bytes.
    package var sizeLimit = Int.max
    /// True if a connection may make one more queue now, which counts it; nil for always.
    package var mayMakeQueue: ((ClientID) -> Bool)?

    /// How large the file may become, in pages of 4 KB; nil for as large as the disk allows.
    package var pageLimit: Int?
    /// At how many pages the disk was full before.
    package var fullAt: Int?
    /// After how many pages of 4 KB the log is copied into the file: every 16 MB, or about 700 messages.
    package var checkpointPages = 4096
    /// How much of the disk is kept free, in bytes (``StorageReserve``).
    package var reserve = 64 << 20
    /// The free bytes of the disk; nil asks the system.
    package var freeSpace: (@Sendable () -> Int)?

    package init() {}
}
