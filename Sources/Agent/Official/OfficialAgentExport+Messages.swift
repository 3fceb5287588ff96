import AgentProtocol
import ByteCoding
import CryptoCore
import SMPProtocol
import Store

/// Messages of both directions. The official agent counts them together; here the sent ones have their own numbers, and the
/// received ones follow behind.
extension OfficialAgentExport {
    mutating func insertMessages(_ outgoing: OutgoingConnection) throws {
        let waiting = outgoing.messages
        var written: Set<Int64> = []
        for (message, createdAt) in waiting where !isMadeAgain(message, outgoing) {
            // A repeated number cannot be stored, and is not written by any version.
            guard written.insert(message.number).inserted else { throw StoreError(.damaged) }
            try insertSent(
                SentRow(
                    number: message.number, hash: message.hash, letters: message.kind.officialLetters(outgoing),
                    notifies: message.notifies, body: message.envelope, createdAt: createdAt,
                    isPostQuantum: outgoing.connection.sendsPostQuantum), of: outgoing.name)
            try official.run(
                "INSERT INTO snd_message_deliveries (conn_id, snd_queue_id, internal_id) VALUES (?, 1, ?)",
                outgoing.name, message.number)
        }
        for sent in try store.sentMessages(of: outgoing.id) where !written.contains(sent.number) {
            try insertSent(
                SentRow(number: sent.number, hash: sent.hash, letters: "M", notifies: true, body: [], createdAt: now),
                of: outgoing.name)
        }
        try insertDueReceipts(outgoing)
    }

    /// HELLO is made by the command that lets the other side in.
    private func isMadeAgain(_ message: OutgoingMessage, _ outgoing: OutgoingConnection) -> Bool {
        message.kind == .hello && outgoing.connection.role == .joiner
            && outgoing.tasks.securesReceiveQueue
    }

    private struct SentRow {
        let number: Int64
        let hash: Bytes
        let letters: String
        let notifies: Bool
        let body: Bytes
        let createdAt: Timestamp
        var isPostQuantum = false
    }

    /// A message that waits was encrypted already. The official agent reads it so, as those of its former versions.
    private func insertSent(_ row: SentRow, of name: Bytes) throws {
        try official.run(
            """
            INSERT INTO messages (conn_id, internal_id, internal_ts, internal_snd_id, msg_type, msg_body, msg_flags,
                pq_encryption) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, name, row.number, time(row.createdAt), row.number, Bytes(row.letters.utf8), row.body,
            row.notifies ? "T" : "F", row.isPostQuantum)
        try official.run(
            "INSERT INTO snd_messages (conn_id, internal_snd_id, internal_id, internal_hash) VALUES (?, ?, ?, ?)",
            name, row.number, row.number, row.hash)
    }

    /// A receipt that is due is the acknowledgement of a message, which the relay has forgotten.
    private mutating func insertDueReceipts(_ outgoing: OutgoingConnection) throws {
        let connection = outgoing.connection
        guard let queue = connection.receiveQueue else { return }
        let receipts = try store.dueReceipts(of: outgoing.id, Int(Int32.max))
        // As many numbers were left free for received messages.
        for (index, receipt) in receipts.enumerated() where index < connection.received.lastNumber {
            let received = Int64(index) + 1
            let number = connection.sent.lastNumber + received
            let body = AgentMessage.message(MessageHeader(number: receipt.number, previousHash: []), .content([]))
            try official.run(
                """
                INSERT INTO messages (conn_id, internal_id, internal_ts, internal_rcv_id, msg_type, msg_body, msg_flags)
                VALUES (?, ?, ?, ?, ?, ?, 'F')
                """, outgoing.name, number, time(now), received, Bytes("M".utf8), body.encoded)
            try official.run(
                """
                INSERT INTO rcv_messages (conn_id, internal_rcv_id, internal_id, external_snd_id, broker_id, broker_ts,
                    internal_hash, external_prev_snd_hash, integrity, user_ack, rcv_queue_id)
                VALUES (?, ?, ?, ?, ?, ?, ?, x'', ?, 0, ?)
                """, outgoing.name, received, number, receipt.number, random.bytes(SMP.idSize), time(now), receipt.hash,
                Bytes("OK".utf8), Int64(connection.receiveRotation?.stage == .draining ? 2 : 1))
            try insertCommand(
                "CLIENT ACK", "CLIENT ACK \(number) 0\n", at: queue.server, of: outgoing.name, now)
        }
    }
}

extension OutgoingMessage.Kind {
    /// The letters of the official programs.
    fileprivate func officialLetters(_ outgoing: OutgoingConnection) -> String {
        switch self {
        case .confirmation: outgoing.connection.role == .joiner ? "D" : "C"
        case .ratchetKey: "S"
        case .hello: "H"
        case .content: "M"
        case .receipts: "V"
        case .control: "QC"
        case .queueAdd: "QA"
        case .queueKey: "QK"
        case .queueUse: "QU"
        // The queue before is forgotten already, so nothing but the delivery is left to do.
        case .queueTest: "QC"
        case .ratchetReady: "E"
        }
    }
}
