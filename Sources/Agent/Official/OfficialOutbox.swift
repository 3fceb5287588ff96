import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
import Store

extension OfficialAgent {
    /// A message that waits for its relay, in the order of sending.
    struct WaitingMessage {
        let message: OutgoingMessage
        let createdAt: Timestamp
    }

    /// Reads the messages that wait for their relays. One that waits for two queues counts once.
    ///
    /// - Returns: The messages, and how many have no content.
    func waitingMessages(of id: Bytes) throws(StoreError) -> (messages: [WaitingMessage], empty: Int) {
        let numbers = try tables.rows(
            "internal_id", from: "snd_message_deliveries", "WHERE conn_id = ? AND failed = 0 ORDER BY internal_id", id
        ) { row throws(StoreError) in try row.int64() }
        var messages: [WaitingMessage] = [], empty = 0, last: Int64?
        for number in numbers where number != last {
            last = number
            if let message = try waitingMessage(number, of: id) { messages.append(message) } else { empty += 1 }
        }
        return (messages, empty)
    }

    private func waitingMessage(_ internalID: Int64, of id: Bytes) throws(StoreError) -> WaitingMessage? {
        let plain = try tables.first(
            "msg_type, msg_flags, msg_body, internal_ts", from: "messages", "WHERE conn_id = ? AND internal_id = ?", id,
            internalID
        ) { row throws(StoreError) in
            let kind = try OutgoingMessage.Kind(official: try row.foreignText())
            let flags = try row.optional { row throws(StoreError) in try row.foreignText() } ?? "F"
            return (kind: kind, notifies: flags.hasPrefix("T"), body: try row.bytes(), time: try row.foreignTime())
        }
        guard let plain else { return nil }
        return try tables.first(
            "internal_snd_id, internal_hash, previous_msg_hash, msg_encrypt_key, padded_msg_len, snd_message_body_id",
            from: "snd_messages", "WHERE conn_id = ? AND internal_id = ?", id, internalID
        ) { row throws(StoreError) -> WaitingMessage? in
            let number = try row.int64(), hash = try row.bytes(), previous = try row.bytes()
            guard number > 0, hash.count <= UInt8.max, previous.count <= UInt8.max else { throw StoreError(.damaged) }
            let key = try row.optional { row throws(StoreError) in try row.bytes() }
            let size = try row.optional { row throws(StoreError) in try row.int64(in: 1...16_384) }
            let bodyID = try row.optional { row throws(StoreError) in try row.int64() }
            var envelope = plain.body
            if let key, let size {
                guard let bodyID, let body = try body(bodyID) else { return nil }
                let message = Bytes("M".utf8) + MessageHeader(number: number, previousHash: previous).encoded + body
                guard let sealed = try? OfficialRatchet.pendingMessage(key).seal(message, paddedSize: Int(size)) else {
                    throw StoreError(.damaged)
                }
                envelope = AgentEnvelope(version: AgentVersion.supported.max, .message(encrypted: sealed)).encoded
            }
            guard !envelope.isEmpty else { return nil }
            guard (try? AgentEnvelope(decoding: envelope)) != nil else { throw StoreError(.damaged) }
            let message = OutgoingMessage(
                kind: plain.kind, number: number, hash: hash, notifies: plain.notifies, envelope: envelope)
            return WaitingMessage(message: message, createdAt: plain.time)
        } ?? nil
    }

    private func body(_ id: Int64) throws(StoreError) -> Bytes? {
        try tables.first("agent_msg", from: "snd_message_bodies", "WHERE snd_message_body_id = ?", id) {
            row throws(StoreError) in try row.bytes()
        }
    }

    /// A message of the application that was sent: receipts name it by its number.
    struct SentMessage {
        let internalID: Int64
        let number: Int64
        let hash: Bytes
    }

    func sentMessages(of id: Bytes) throws(StoreError) -> [SentMessage] {
        try tables.rows(
            "internal_id, internal_snd_id, internal_hash", from: "snd_messages",
            """
            WHERE conn_id = ? AND EXISTS (SELECT 1 FROM messages m WHERE m.conn_id = snd_messages.conn_id
            AND m.internal_id = snd_messages.internal_id AND CAST(m.msg_type AS TEXT) = 'M') ORDER BY internal_snd_id
            """, id
        ) { row throws(StoreError) in
            let internalID = try row.int64(), number = try row.int64()
            let hash = try row.bytes()
            guard number > 0, hash.count <= UInt8.max else { throw StoreError(.damaged) }
            return SentMessage(internalID: internalID, number: number, hash: hash)
        }
    }

    // MARK: - Received messages

    /// A received message that the application has not acknowledged.
    struct UnacknowledgedMessage {
        let internalID: Int64
        let content: Content
        let receivedAt: Timestamp

        enum Content {
            case message(ReceivedMessage)
            case receipts([MessageReceipt])
        }
    }

    func unacknowledgedMessages(of id: Bytes) throws(StoreError) -> [UnacknowledgedMessage] {
        let rows = try tables.rows(
            "internal_id, external_snd_id, broker_ts, internal_hash, integrity", from: "rcv_messages",
            "WHERE conn_id = ? AND user_ack = 0 ORDER BY internal_id", id
        ) { row throws(StoreError) in
            let internalID = try row.int64(), number = try row.int64(), time = try row.foreignTime()
            let hash = try row.bytes()
            guard hash.count <= UInt8.max, let integrity = MessageIntegrity(official: try row.foreignText(), number)
            else { throw StoreError(.damaged) }
            return (internalID: internalID, number: number, time: time, hash: hash, integrity: integrity)
        }
        var messages: [UnacknowledgedMessage] = []
        for row in rows {
            let stored = try tables.first(
                "msg_body, pq_encryption", from: "messages", "WHERE conn_id = ? AND internal_id = ?", id,
                row.internalID
            ) { row throws(StoreError) in (try row.bytes(), try row.foreignBool()) }
            guard let (body, isPostQuantum) = stored else { continue }
            guard let message = try? AgentMessage(decoding: body), case .message(_, let body) = message else {
                throw StoreError(.damaged)
            }
            let content: UnacknowledgedMessage.Content
            switch body {
            case .content(let body):
                guard body.count <= UInt16.max else { throw StoreError(.damaged) }
                content = .message(
                    ReceivedMessage(
                        number: row.number, hash: row.hash, relayTime: row.time, integrity: row.integrity,
                        isPostQuantum: isPostQuantum, body: body))
            case .receipts(let receipts): content = .receipts(receipts)
            // The agent has dealt with these already.
            case .hello, .queueContinue, .queueAdd, .queueKey, .queueUse, .queueTest, .ratchetReady: continue
            }
            messages.append(UnacknowledgedMessage(internalID: row.internalID, content: content, receivedAt: row.time))
        }
        return messages
    }

    /// The hashes of received messages and of keys for ratchets, by which repetitions are known.
    func seenHashes(of id: Bytes) throws(StoreError) -> [(hash: Bytes, time: Timestamp)] {
        var seen: [(Bytes, Timestamp)] = []
        for table in ["encrypted_rcv_message_hashes", "processed_ratchet_key_hashes"] {
            seen += try tables.rows("hash, created_at", from: table, "WHERE conn_id = ?", id) {
                row throws(StoreError) in
                let hash = try row.bytes()
                guard hash.count == 32 else { throw StoreError(.damaged) }
                return (hash, try row.foreignTime())
            }
        }
        return seen
    }
}

extension OutgoingMessage.Kind {
    /// Reads the letters of the official programs.
    fileprivate init(official letters: String) throws(StoreError) {
        switch letters {
        case "C", "D": self = .confirmation
        case "S": self = .ratchetKey
        case "H": self = .hello
        case "M": self = .content
        case "V": self = .receipts
        case "QC": self = .control
        case "QA": self = .queueAdd
        case "QK": self = .queueKey
        case "QU": self = .queueUse
        case "QT": self = .queueTest
        case "E": self = .ratchetReady
        default: throw StoreError(.damaged)
        }
    }
}

extension MessageIntegrity {
    /// Reads the words of the official programs.
    fileprivate init?(official text: String, _ number: Int64) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        switch (words.first, words.dropFirst().first, words.dropFirst(2).compactMap { Int64($0) }) {
        case ("OK", nil, []): self = .ok
        case ("ERR", "HASH", []): self = .badHash
        case ("ERR", "DUPLICATE", []): self = .duplicate
        case ("ERR", "ID", let numbers) where numbers.count == 1: self = .badNumber(last: numbers[0])
        case ("ERR", "NO_ID", let numbers) where numbers.count == 2: self = .skipped(from: numbers[0], to: numbers[1])
        default: return nil
        }
    }
}
