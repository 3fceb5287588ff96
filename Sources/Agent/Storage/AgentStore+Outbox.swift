import AgentProtocol
import ByteCoding
import SMPProtocol
import Store

/// A task in the outbox.
struct StoredTask {
    let id: Int64
    let connectionID: ConnectionID
    let task: ConnectionTask
    let createdAt: Timestamp
}

/// The raw values of the outbox's `kind` column.
private enum TaskKind: Int64 {
    case secureSendQueue = 1
    case createReplyQueue
    case secureReceiveQueue
    case send
    case deleteReceiveQueue
    case createNextQueue
    case secureNextQueue
    case openLink = 20
    case createRequestQueue
    case sendRequest
    case setLink
    case deleteLink
}

extension AgentStore {
    func append(_ task: ConnectionTask, of id: ConnectionID, at time: Timestamp) throws {
        switch task {
        case .secureSendQueue: try append(.secureSendQueue, nil, of: id, at: time)
        case .createReplyQueue(let mode):
            try append(.createReplyQueue, mode == .messaging ? Bytes("M".utf8) : nil, of: id, at: time)
        case .secureReceiveQueue(let key): try append(.secureReceiveQueue, key.der, of: id, at: time)
        case .createNextQueue: try append(.createNextQueue, nil, of: id, at: time)
        case .secureNextQueue(let key): try append(.secureNextQueue, key.der, of: id, at: time)
        case .deleteReceiveQueue: try append(.deleteReceiveQueue, nil, of: id, at: time)
        case .openLink(let link): try append(.openLink, link.encoded, of: id, at: time)
        case .createRequestQueue(let target): try append(.createRequestQueue, target.encoded, of: id, at: time)
        case .sendRequest(let envelope, let target):
            try append(.sendRequest, StoredRequest(target: target, envelope: envelope).encoded, of: id, at: time)
        case .setLink(let record): try append(.setLink, record.encoded, of: id, at: time)
        case .deleteLink: try append(.deleteLink, nil, of: id, at: time)
        case .send(let message):
            try database.run(
                """
                INSERT INTO outbox (connection_id, kind, parameter, message_kind, number, hash, notifies, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """, id.number, TaskKind.send.rawValue, message.envelope, message.kind.rawValue, message.number,
                message.hash, message.notifies, time)
        }
    }

    private func append(_ kind: TaskKind, _ parameter: Bytes?, of id: ConnectionID, at time: Timestamp) throws {
        try database.run(
            "INSERT INTO outbox (connection_id, kind, parameter, created_at) VALUES (?, ?, ?, ?)", id.number,
            kind.rawValue, parameter, time)
    }

    /// The tasks of a connection, in order.
    private static let tasks = """
        SELECT task_id, created_at, kind, parameter, message_kind, number, hash, notifies
        FROM outbox WHERE connection_id = ? ORDER BY task_id
        """

    /// Returns all tasks of a connection, in order.
    func tasks(of id: ConnectionID) throws -> [StoredTask] {
        try database.rows(AgentStore.tasks, id.number) { row throws(StoreError) in try row.task(of: id) }
    }

    /// Returns the next task of a connection.
    func firstTask(of id: ConnectionID) throws -> StoredTask? {
        try database.first("\(AgentStore.tasks) LIMIT 1", id.number) { row throws(StoreError) in try row.task(of: id) }
    }

    /// Returns the id of the next task of a connection.
    func firstTaskID(of id: ConnectionID) throws -> Int64? {
        try database.first(
            "SELECT task_id FROM outbox WHERE connection_id = ? ORDER BY task_id LIMIT 1", id.number
        ) { row throws(StoreError) in try row.int64() }
    }

    func removeTask(_ id: Int64) throws {
        try database.run("DELETE FROM outbox WHERE task_id = ?", id)
    }

    /// Returns true if the application's message with a number is in the outbox.
    func hasMessage(_ number: Int64, of id: ConnectionID) throws -> Bool {
        try database.first(
            "SELECT 1 FROM outbox WHERE connection_id = ? AND message_kind = ? AND number = ?", id.number,
            OutgoingMessage.Kind.content.rawValue, number
        ) { _ in true } ?? false
    }

    /// Removes the application's message with a number. Returns true if there was one.
    func removeMessage(_ number: Int64, of id: ConnectionID) throws -> Bool {
        try database.run(
            "DELETE FROM outbox WHERE connection_id = ? AND message_kind = ? AND number = ?", id.number,
            OutgoingMessage.Kind.content.rawValue, number)
        return database.changes > 0
    }

    /// Removes all tasks of a connection and returns the numbers of the messages among them.
    func removeTasks(of id: ConnectionID) throws -> [Int64] {
        let numbers = try database.rows(
            "SELECT number FROM outbox WHERE connection_id = ? AND message_kind = ? ORDER BY task_id", id.number,
            OutgoingMessage.Kind.content.rawValue
        ) { row throws(StoreError) in try row.int64() }
        try database.run("DELETE FROM outbox WHERE connection_id = ?", id.number)
        return numbers
    }

    /// Returns the connections with tasks, oldest task first.
    func connectionsWithTasks() throws -> [ConnectionID] {
        try database.rows("SELECT connection_id FROM outbox GROUP BY connection_id ORDER BY min(task_id)") {
            row throws(StoreError) in ConnectionID(try row.int64())
        }
    }

    /// Returns the connections with tasks that are newer than one.
    func connectionsWithTasks(after id: Int64) throws -> [ConnectionID] {
        try database.rows("SELECT DISTINCT connection_id FROM outbox WHERE task_id > ?", id) {
            row throws(StoreError) in ConnectionID(try row.int64())
        }
    }

    /// Returns the id of the newest task, which may have left the outbox; 0 if there never was one.
    func newestTask() throws -> Int64 {
        try database.first("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'") { row throws(StoreError) in
            try row.int64()
        } ?? 0
    }

    /// Returns the number of queued messages of some kinds for a connection.
    func count(of kinds: [OutgoingMessage.Kind], in id: ConnectionID) throws -> Int {
        try kinds.reduce(0) { count, kind in
            count
                + (try database.first(
                    "SELECT count(*) FROM outbox WHERE connection_id = ? AND message_kind = ?", id.number, kind.rawValue
                ) { row throws(StoreError) in try row.int() } ?? 0)
        }
    }

    /// Returns the number of queued messages of the application.
    func waitingMessages() throws -> Int {
        try database.first(
            "SELECT count(*) FROM outbox WHERE message_kind = ?", OutgoingMessage.Kind.content.rawValue
        ) { row throws(StoreError) in try row.int() } ?? 0
    }

    // MARK: - Sent messages

    /// Returns the number of the message with a token.
    func number(of token: Bytes, in id: ConnectionID) throws -> Int64? {
        try database.first(
            "SELECT number FROM sent_messages WHERE connection_id = ? AND token = ?", id.number, token
        ) { row throws(StoreError) in try row.int64() }
    }

    /// Returns the numbers of the messages whose tokens begin with `token`.
    func numbers(withTokensFrom token: Bytes, in id: ConnectionID) throws -> [Int64] {
        try database.rows(
            "SELECT number FROM sent_messages WHERE connection_id = ? AND substr(token, 1, ?) = ?", id.number,
            Int64(token.count), token
        ) { row throws(StoreError) in try row.int64() }
    }

    func noteSent(_ message: OutgoingMessage, token: Bytes, in id: ConnectionID) throws {
        try database.run(
            "INSERT INTO sent_messages (connection_id, number, token, hash) VALUES (?, ?, ?, ?)", id.number,
            message.number, token, message.hash)
    }

    /// Returns the token and the hash of a sent message.
    func sentMessage(_ number: Int64, in id: ConnectionID) throws -> (token: Bytes, hash: Bytes)? {
        try database.first(
            "SELECT token, hash FROM sent_messages WHERE connection_id = ? AND number = ?", id.number, number
        ) { row throws(StoreError) in (try row.bytes(), try row.bytes()) }
    }

    func token(of number: Int64, in id: ConnectionID) throws -> Bytes? {
        try database.first(
            "SELECT token FROM sent_messages WHERE connection_id = ? AND number = ?", id.number, number
        ) { row throws(StoreError) in try row.bytes() }
    }
}

extension Row {
    fileprivate mutating func task(of id: ConnectionID) throws(StoreError) -> StoredTask {
        let taskID = try int64(), createdAt = try timestamp()
        return StoredTask(id: taskID, connectionID: id, task: try task(), createdAt: createdAt)
    }

    private mutating func task() throws(StoreError) -> ConnectionTask {
        let kind: TaskKind = try code()
        let parameter = try optional { row throws(StoreError) in try row.bytes() }
        switch kind {
        case .secureSendQueue: return .secureSendQueue
        case .createReplyQueue: return .createReplyQueue(mode: parameter == nil ? nil : .messaging)
        case .deleteReceiveQueue: return .deleteReceiveQueue
        case .deleteLink: return .deleteLink
        case .openLink:
            return .openLink(try stored(parameter) { bytes throws(DecodeError) in try ShortLink(decoding: bytes) })
        case .createRequestQueue:
            return .createRequestQueue(
                for: try stored(parameter) { bytes throws(DecodeError) in try AgreedQueueAddress(decoding: bytes) })
        case .sendRequest:
            let request = try stored(parameter) { bytes throws(DecodeError) in try StoredRequest(decoding: bytes) }
            return .sendRequest(request.envelope, to: request.target)
        case .setLink:
            return .setLink(try stored(parameter) { bytes throws(DecodeError) in try UserLinkRecord(decoding: bytes) })
        case .createNextQueue: return .createNextQueue
        case .secureReceiveQueue, .secureNextQueue:
            guard let parameter, let key = try? AuthorizationKey(der: parameter) else { throw StoreError(.damaged) }
            return kind == .secureNextQueue ? .secureNextQueue(key) : .secureReceiveQueue(key)
        case .send:
            guard let parameter else { throw StoreError(.damaged) }
            let kind: OutgoingMessage.Kind = try code()
            let number = try int64()
            let hash = try bytes()
            return .send(
                OutgoingMessage(
                    kind: kind, number: number, hash: hash, notifies: try bool(), envelope: parameter))
        }
    }

    private func stored<Value>(
        _ parameter: Bytes?, _ decode: (Bytes) throws(DecodeError) -> Value
    ) throws(StoreError) -> Value {
        guard let parameter else { throw StoreError(.damaged) }
        do throws(DecodeError) { return try decode(parameter) } catch { throw StoreError(.damaged) }
    }
}

/// The parameter of a request to an address.
private struct StoredRequest: ByteCodable {
    let target: AgreedQueueAddress
    let envelope: Bytes

    init(target: AgreedQueueAddress, envelope: Bytes) {
        self.target = target
        self.envelope = envelope
    }

    init(from reader: inout ByteReader) throws(DecodeError) {
        var fields = ByteReader(try reader.largeBytes())
        target = try fields.value()
        envelope = reader.rest()
    }

    func encode(into writer: inout ByteWriter) {
        // An address may end with fields of later versions, so it comes last.
        writer.largeBytes(target.encoded)
        writer.raw(envelope)
    }
}

extension AgentStore {
    /// Marks the receipt for an event's message as due. Has no effect without its connection.
    func appendReceipt(of eventID: Int64) throws {
        guard let event = try event(eventID), case .connection(.msg(let message)) = event.content else { return }
        try database.run(
            """
            INSERT OR IGNORE INTO due_receipts (connection_id, number, hash)
            SELECT connection_id, ?, ? FROM connections WHERE connection_id = ?
            """, message.number, message.hash, event.connectionID.number)
    }

    /// Returns the receipts that are due first.
    func dueReceipts(of id: ConnectionID, _ count: Int) throws -> [MessageReceipt] {
        try database.rows(
            "SELECT number, hash FROM due_receipts WHERE connection_id = ? ORDER BY number LIMIT ?", id.number, count
        ) { row throws(StoreError) in MessageReceipt(number: try row.int64(), hash: try row.bytes()) }
    }

    func removeDueReceipts(_ receipts: [MessageReceipt], of id: ConnectionID) throws {
        for receipt in receipts {
            try database.run(
                "DELETE FROM due_receipts WHERE connection_id = ? AND number = ?", id.number, receipt.number)
        }
    }

    /// Forgets all due receipts of a connection.
    func removeDueReceipts(of id: ConnectionID) throws {
        try database.run("DELETE FROM due_receipts WHERE connection_id = ?", id.number)
    }

    func connectionsWithDueReceipts() throws -> [ConnectionID] {
        try database.rows("SELECT DISTINCT connection_id FROM due_receipts ORDER BY connection_id") {
            row throws(StoreError) in ConnectionID(try row.int64())
        }
    }
}
