import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
import Store

/// The transactions of the agent: each step of a connection is stored with all its consequences. The engine has no
/// network; relay responses and the time are passed in.
final class AgentEngine {
    let store: AgentStore
    let random: any RandomSource
    let now: () -> Timestamp
    /// Called after a transaction with its consequences.
    var onCommit: (Outcome) -> Void = { _ in }
    /// The last event that the application has stored.
    var forgottenThrough: Int64?
    /// The events whose messages get a receipt when they are forgotten.
    var confirmed: Set<Int64> = []
    /// The largest number of stored message hashes of a connection, and the excess at which the oldest are removed.
    static let (mostSeen, seenSlack) = (2000, 100)
    /// The number of messages since the last limit of a connection's hashes.
    var seenCounts: [ConnectionID: Int] = [:]
    /// The numbers of messages to acknowledge unread; nil before the first query.
    var deadlyMessages: Set<Int64>?
    /// The queues with a notice of their relay; nil before the first query.
    var noticedQueues: Set<EntityID>?
    /// See ``Agent/sendsReceipts``.
    var sendsReceipts: (ConnectionID) -> Bool = { _ in true }
    /// See ``Agent/checkpoint``.
    var checkpoint: () throws -> Void = {}

    /// The consequences of a transaction outside of the database.
    struct Outcome {
        var events: [AgentEvent] = []
        /// Connections with new tasks.
        var busy: [ConnectionID] = []
        /// Connections whose other side has an empty queue again.
        var resumed: [ConnectionID] = []
        /// Connections that wait for a message that decides the roles of an agreement.
        var undecided: [ConnectionID] = []
        /// Connections with a new or a deleted queue.
        var changedQueues: [ConnectionID] = []
        /// Completely removed connections.
        var deleted: [ConnectionID] = []
        /// Relays with one queue less.
        var leftServers: [LinkKey] = []
        /// True if there are queues to delete at relays.
        var hasDiscarded = false
    }

    init(store: AgentStore, random: any RandomSource, now: @escaping () -> Timestamp) {
        self.store = store
        self.random = random
        self.now = now
    }

    // MARK: - Transactions

    /// Runs one transaction. Its outcome is reported after it is stored.
    func commit<Value>(_ body: (inout Outcome) throws -> Value) throws -> Value {
        var outcome = Outcome()
        try checkpoint()
        let value = try store.database.transaction {
            if let forgottenThrough { try removeEvents(through: forgottenThrough) }
            return try body(&outcome)
        }
        if let forgottenThrough { confirmed = confirmed.filter { $0 > forgottenThrough } }
        forgottenThrough = nil
        try checkpoint()
        onCommit(outcome)
        return value
    }

    /// Removes forgotten events outside of another transaction.
    func forget() throws {
        if forgottenThrough != nil { try commit { _ in } }
    }

    /// Removes the data of expired messages: relays store messages for 21 days.
    func removeExpired() throws {
        try store.removeExpired(before: Timestamp(milliseconds: now().milliseconds - 22 * 24 * 3_600_000))
    }

    /// Loads a connection, performs a step and stores the consequences.
    func step(
        _ id: ConnectionID, in outcome: inout Outcome, _ body: (inout Connection) throws -> ConnectionStep
    ) throws {
        guard var stored = try store.connection(id) else { throw AgentError.unknownConnection }
        try step(&stored, in: &outcome, body)
    }

    /// Performs a step of a connection and stores it with its consequences. Connections are stored only here: the
    /// stored value must be the connection after its step, or a ratchet would be used twice.
    @discardableResult
    func step(
        _ stored: inout StoredConnection, in outcome: inout Outcome,
        _ body: (inout Connection) throws -> ConnectionStep
    ) throws -> ConnectionStep {
        let former = stored.connection.servers
        let step = try body(&stored.connection)
        try save(stored, after: step, in: &outcome)
        let servers = stored.connection.servers
        outcome.leftServers += former.filter { !servers.contains($0) }.map {
            LinkKey(profileID: stored.profileID, server: $0)
        }
        return step
    }

    private func save(_ stored: StoredConnection, after step: ConnectionStep, in outcome: inout Outcome) throws {
        try store.save(stored)
        if step.forgetsSkippedKeys { try store.skippedKeys(of: stored.id).removeAll() }
        try store.skippedKeys(of: stored.id).apply(step.skipped, at: now())
        for queue in step.discarded { try store.discard(queue, of: stored, at: now()) }
        if !step.discarded.isEmpty { outcome.hasDiscarded = true }
        if step.changesQueues { outcome.changedQueues.append(stored.id) }
        try append(step.tasks, of: stored.id, in: &outcome)
        for event in step.events {
            if let content = try content(of: event, in: stored.id) { try tell(content, of: stored, in: &outcome) }
        }
        if step.canContinue { outcome.resumed.append(stored.id) }
        if stored.connection.uncertainAgreement?.waitsSince != nil { outcome.undecided.append(stored.id) }
    }

    /// Stores an event for the application.
    func tell(_ content: AgentEvent.Content, of stored: StoredConnection, in outcome: inout Outcome) throws {
        outcome.events.append(try store.append(content, of: stored.id, stored.profileID))
    }

    func append(_ tasks: [ConnectionTask], of id: ConnectionID, in outcome: inout Outcome) throws {
        guard !tasks.isEmpty else { return }
        for task in tasks {
            if case .send(let message) = task, try isFull(for: message.kind, of: id) { continue }
            try store.append(task, of: id, at: now())
        }
        outcome.busy.append(id)
    }

    /// The largest number of queued messages of one kind that a contact's messages may cause. An honest contact causes
    /// one or two. A contact that never receives could fill the disk with 16 KB for each of its messages.
    private static let mostAnswers = 16

    private func isFull(for kind: OutgoingMessage.Kind, of id: ConnectionID) throws -> Bool {
        guard kind.isControl else { return false }
        return try store.count(of: [kind], in: id) >= AgentEngine.mostAnswers
    }

    // MARK: - Requests of the application

    func allow(_ id: ConnectionID, information: Bytes) throws {
        try commit { outcome in
            try step(id, in: &outcome) { try $0.allow(information) }
        }
    }

    /// Puts a message into the outbox and returns true if the KEM protects it. A second call with the same token has no
    /// effect.
    func send(
        _ body: Bytes, notifies: Bool, postQuantum: Bool?, token: Bytes, to id: ConnectionID
    ) throws -> Bool {
        var isProtected = false
        try commit { outcome in
            guard try store.number(of: token, in: id) == nil else {
                isProtected = try store.connection(id)?.connection.sendsPostQuantum ?? false
                return
            }
            try step(id, in: &outcome) { connection in
                let message = try connection.send(body, notifies: notifies, postQuantum: postQuantum)
                isProtected = connection.sendsPostQuantum
                try store.noteSent(message, token: token, in: id)
                var step = ConnectionStep()
                step.tasks = [.send(message)]
                return step
            }
        }
        return isProtected
    }

    /// Puts a message into the outboxes of several connections in one transaction. Connections that have a message with
    /// the token get no other.
    ///
    /// - Returns: The failure of each connection, whose outbox is as before; nil for none.
    func send(
        _ body: Bytes, notifies: Bool, token: Bytes, to ids: [ConnectionID]
    ) throws -> [AgentError?] {
        try commit { outcome in
            try ids.map { id in try send(body, notifies: notifies, token: token, to: id, in: &outcome) }
        }
    }

    private func send(
        _ body: Bytes, notifies: Bool, token: Bytes, to id: ConnectionID, in outcome: inout Outcome
    ) throws -> AgentError? {
        guard try store.number(of: token, in: id) == nil else { return nil }
        let found: StoredConnection?
        do { found = try store.connection(id) } catch let error as StoreError where error.isUnreadableValue {
            return .store(error)
        }
        guard var stored = found else { return .unknownConnection }
        let message: OutgoingMessage
        do { message = try stored.connection.send(body, notifies: notifies, postQuantum: nil) } catch {
            return AgentError(error)
        }
        // From here on only the database fails, and the whole transaction with it: no ratchet is used twice.
        try store.saveSent(stored)
        try store.noteSent(message, token: token, in: id)
        try append([.send(message)], of: id, in: &outcome)
        return nil
    }

    func delete(_ id: ConnectionID) throws {
        do {
            try commit { outcome in
                try step(id, in: &outcome) { $0.delete() }
                // Tasks run in order: an unreadable one would block the deletion.
                _ = try store.firstTask(of: id)
            }
        } catch let error as StoreError where error.isUnreadableValue {
            // Unreadable records can still be removed.
            try commit { outcome in
                try store.discardUnread(id, at: now())
                (outcome.hasDiscarded, outcome.changedQueues, outcome.deleted) = (true, [id], [id])
            }
        }
    }
}

extension AgentEngine {
    /// Processes a message of a relay. On return the message is stored or permanently unusable; in both cases it is to
    /// be acknowledged.
    ///
    /// - Parameter number: The number of the message, see ``EncryptedMessage/crashNumber(in:)``.
    func receive(
        _ message: EncryptedMessage, _ number: Int64, in recipientID: EntityID, at server: ServerAddress
    ) throws {
        try commit { outcome in
            // A queue that was removed here may have subscribers for a moment.
            guard let id = try store.connectionID(of: recipientID, at: server),
                var stored = try store.connection(id), let queue = stored.connection.receiveQueue(recipientID)
            else { return }
            let before = stored
            if try isDeadly(number) { return try tell(.unreadable(.malformed), of: stored, in: &outcome) }
            do {
                guard let body = try? ReceivedBody(opening: message, secret: queue.relaySecret) else {
                    throw ReceptionError.notAuthentic
                }
                switch body {
                case .quota:
                    try step(&stored, in: &outcome) { try $0.receiveQuota(of: queue) }
                case .message(let seconds, _, let body):
                    let opened = try queue.open(body)
                    if let hash = opened.repetitionHash {
                        guard try !store.hasSeen(hash, in: id) else { return }
                        try noteSeen(hash, in: id)
                    }
                    let skipped = try stored.connection.skippedKeys(for: opened, in: store.skippedKeys(of: id))
                    let step = try step(&stored, in: &outcome) {
                        try $0.receive(
                            opened, at: Timestamp(relaySeconds: seconds), skipped: skipped, random: random)
                    }
                    if let problem = step.problem { try report(problem, of: stored, in: &outcome) }
                }
            } catch let error as ReceptionError {
                // The changes of a failed step are discarded.
                try report(error, of: before, in: &outcome)
                if case .ratchet(let error) = error { try note(error, of: before, in: &outcome) }
            } catch is Connection.Failure {
                // If the response cannot be made, the message is ignored.
            }
        }
    }

    /// Stores the hash of a message, to detect a repetition. A relay repeats unacknowledged messages: one per queue, or
    /// after a restore as many as a queue holds.
    private func noteSeen(_ hash: Bytes, in id: ConnectionID) throws {
        try store.noteSeen(hash, in: id, at: now())
        // Counting costs more than the hash: it is done at the first message, and then from time to time.
        let count = seenCounts[id, default: AgentEngine.seenSlack] + 1
        seenCounts[id] = count > AgentEngine.seenSlack ? 0 : count
        if count > AgentEngine.seenSlack { try store.limitSeen(in: id, to: AgentEngine.mostSeen) }
    }

    /// Updates the ratchet synchronisation after an error.
    private func note(_ error: RatchetError, of stored: StoredConnection, in outcome: inout Outcome) throws {
        var stored = stored
        try step(&stored, in: &outcome) { $0.note(error) }
    }

    private func report(_ error: ReceptionError, of stored: StoredConnection, in outcome: inout Outcome) throws {
        let content: AgentEvent.Content
        switch error {
        // A new ciphertext with a used number: the contact, or a copy of its store, sent two messages with one number.
        // A repeated delivery is detected by its hash.
        case .repeated, .queue: return
        case .notAuthentic, .malformed, .unexpected, .incompatible: content = .unreadable(.malformed)
        case .ratchet(let error):
            content = .unreadable(error.resynchronization == .required ? .outOfSync : .undecryptable)
        }
        try tell(content, of: stored, in: &outcome)
    }
}

extension Timestamp {
    /// Creates a timestamp from a relay's Unix time in seconds, limited to ``Timestamp/range``.
    init(relaySeconds seconds: Int64) {
        self = Timestamp(seconds: seconds).clamped
    }
}

extension AgentEngine {
    /// Removes events that the application has stored. Their requested receipts become due.
    func removeEvents(through id: Int64) throws {
        for eventID in confirmed.sorted() where eventID <= id { try store.appendReceipt(of: eventID) }
        try store.removeEvents(through: id)
    }

    /// Puts the due receipts into the outbox, see ``sendReceipts(of:in:)``.
    func sendReceipts(of id: ConnectionID) throws {
        try commit { outcome in try sendReceipts(of: id, in: &outcome) }
    }

    /// Puts due receipts into the outbox, as many as fit into one message. The others stay due until that message is
    /// sent: a message takes 16 KB, a due receipt 50 bytes. They also stay due while the connection cannot send.
    func sendReceipts(of id: ConnectionID, in outcome: inout Outcome) throws {
        guard try store.count(of: [.receipts], in: id) == 0 else { return }
        let receipts = try store.dueReceipts(of: id, Connection.mostReceipts)
        // They may have waited for long, and receipts were turned off meanwhile.
        guard receipts.isEmpty || sendsReceipts(id) else { return try store.removeDueReceipts(of: id) }
        guard !receipts.isEmpty, var stored = try store.connection(id) else { return }
        do {
            try step(&stored, in: &outcome) { connection in
                guard let step = try connection.confirm(receipts) else { throw Connection.Failure.notReady }
                return step
            }
        } catch is Connection.Failure {
            return
        }
        try store.removeDueReceipts(receipts, of: id)
    }

    /// Returns the content of the application's event, or nil if the event does not concern the application.
    func content(of event: ConnectionEvent, in id: ConnectionID) throws -> AgentEvent.Content? {
        guard case .rcvd(let receipts) = event else { return .connection(event) }
        let known = try receipts.compactMap { receipt in
            try store.sentMessage(receipt.number, in: id).map { message in
                DeliveryReceipt(token: message.token, isIntact: message.hash == receipt.hash)
            }
        }
        return known.isEmpty ? nil : .rcvd(known)
    }
}

extension AgentEngine {
    func switchQueue(of id: ConnectionID) throws {
        try commit { outcome in try step(id, in: &outcome) { try $0.switchQueue() } }
    }

    func abortSwitch(of id: ConnectionID) throws {
        try commit { outcome in try step(id, in: &outcome) { try $0.abortSwitch() } }
    }

    /// Records that the replaced queue is empty.
    func drained(_ id: ConnectionID) throws {
        try commit { outcome in
            guard var stored = try store.connection(id) else { return }
            try step(&stored, in: &outcome) { $0.drained() }
        }
    }

    /// Records that a relay deleted a queue, or did not have it.
    func removeDiscarded(_ id: Int64) throws {
        try commit { _ in try store.removeDiscardedQueue(id) }
    }

    func synchronize(_ id: ConnectionID, force: Bool) throws {
        try commit { outcome in
            try step(id, in: &outcome) { try $0.synchronize(force: force, random: random) }
        }
    }

    /// Exchanges the roles of an agreement if the other side was silent for too long.
    ///
    /// - Returns: False if the other side still has time.
    func exchangeRoles(of id: ConnectionID) throws -> Bool {
        try commit { outcome in
            guard var stored = try store.connection(id), stored.connection.uncertainAgreement?.waitsSince != nil else {
                return true
            }
            do {
                try step(&stored, in: &outcome) { try $0.exchangeRoles(at: now(), random: random) }
                return true
            } catch is Connection.Failure {
                return false
            }
        }
    }
}

extension AgentEngine {
    /// Removes a message and its related ones from the outbox. Their ratchet steps remain. Returns false if the message
    /// was already sent.
    func withdraw(_ token: Bytes, to id: ConnectionID) throws -> Bool {
        try commit { _ in
            guard let number = try store.number(of: token, in: id) else { return true }
            guard try store.removeMessage(number, of: id) else { return false }
            for number in try store.numbers(withTokensFrom: token, in: id) {
                _ = try store.removeMessage(number, of: id)
            }
            return true
        }
    }

    /// Removes messages from the outboxes of several connections; none if one of them is not in its outbox.
    func withdraw(_ messages: [(token: Bytes, id: ConnectionID)]) throws -> Bool {
        try commit { _ in
            let found = try messages.compactMap { message in
                try store.number(of: message.token, in: message.id).map { (number: $0, id: message.id) }
            }
            guard try found.allSatisfy({ try store.hasMessage($0.number, of: $0.id) }) else { return false }
            for (number, id) in found { _ = try store.removeMessage(number, of: id) }
            return true
        }
    }
}
