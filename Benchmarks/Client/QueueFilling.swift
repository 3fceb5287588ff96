import ByteCoding
import CryptoCore
import SMPProtocol
import Store

/// Gives a store and a relay the same queues, with nothing in them, so that there is much to subscribe to. To have the relay
/// make them would take an hour.
struct QueueFilling {
    private let agent: Database
    private let relay: Database
    private let count: Int

    /// - Parameters:
    ///   - store: The folder of a new store that is not encrypted, whose first server is the relay.
    ///   - relay: The folder of a relay that does not run.
    init(store: String, relay: String, count: Int) throws {
        agent = try Database("\(store)/simplex_v1_agent.db", .readWrite, durability: .process)
        self.relay = try Database("\(relay)/relay.db", .readWrite, durability: .process)
        self.count = count
    }

    /// Adds the queues to both, in one transaction each.
    func run(_ address: String) throws {
        try agent.run("INSERT OR IGNORE INTO servers (address) VALUES (?)", address)
        try relay.transaction {
            try agent.transaction {
                for number in 1...Int64(count) { try addQueue(number, address) }
            }
        }
    }

    private func addQueue(_ number: Int64, _ address: String) throws {
        let random = SystemRandom()
        let recipientID = random.bytes(SMP.idSize), senderID = random.bytes(SMP.idSize)
        let key = Ed25519.PrivateKey(random: random), secret = Secret(random: random, count: SecretBox.keySize)
        var keys = ByteWriter()
        keys.list([AuthorizationKey.ed25519(key.publicKey)])
        try relay.run(
            """
            INSERT INTO queues (recipient_id, sender_id, recipient_keys, secret, mode, last_used)
            VALUES (?, ?, ?, ?, 'M', 19000)
            """, recipientID, senderID, keys.bytes, secret)
        // Connections that are ready: role and status as AgentProtocol has them.
        try agent.run(
            """
            INSERT INTO connections (connection_id, profile_id, role, status, agent_version, is_post_quantum, sent_number,
                sent_hash, received_number, received_hash, created_at) VALUES (?, 1, 0, 5, 7, 1, 0, x'', 0, x'', 0)
            """, number)
        try agent.run(
            """
            INSERT INTO receive_queues (connection_id, server_id, recipient_id, sender_id, mode, authorization_key,
                relay_secret, agreement_key)
            SELECT ?, server_id, ?, ?, 'messaging', ?, ?, ? FROM servers WHERE address = ?
            """, number, recipientID, senderID, key.seed, secret, X25519.PrivateKey(random: random).secret, address)
    }
}
