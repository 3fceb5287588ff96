import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
import Store

/// Carries out the steps of connections, each with everything that follows from it in one transaction. It knows no network:
/// it is told what relays said and what time it is.
final class AgentEngine {
    let store: AgentStore
    let random: any RandomSource
    let now: () -> Timestamp
    /// Called after a transaction with what it changed.
    var onCommit: (Outcome) -> Void = { _ in }
    /// Events that the application has stored itself.
    var forgottenThrough: Int64?
    /// Events whose messages the other side is told of as soon as they are forgotten.
    var confirmed: Set<Int64> = []
    /// The most hashes of received messages of a connection, and how many more there may be before the oldest are removed.
    static let (mostSeen, seenSlack) = (2000, 100)
    /// How many messages came since the hashes of their connection were limited.
    var seenCounts: [ConnectionID: Int] = [:]
    /// The numbers of messages to acknowledge unread; nil before the first query.
    var deadlyMessages: Set<Int64>?
    /// See ``Agent/checkpoint``.
    var checkpoint: () throws -> Void = {}

    /// What a transaction leaves to be done outside of the database.
    struct Outcome {
        var events: [AgentEvent] = []
        /// Connections with new tasks.
        var busy: [ConnectionID] = []
        /// Connections whose other side has room again.
        var resumed: [ConnectionID] = []
        /// Connections with a new queue, or one that is gone.
        var changedQueues: [ConnectionID] = []
        /// Connections of which nothing is left.
        var deleted: [ConnectionID] = []
        /// Relays that lost a queue.
        var leftServers: [LinkKey] = []
        /// Whether relays have queues to delete.
        var hasDiscarded = false
    }

    init(store: AgentStore, random: any RandomSource, now: @escaping () -> Timestamp) {
        self.store = store
        self.random = random
        self.now = now
    }

    // MARK: - Transactions

    /// One transaction. Its outcome is told only when it is on disk.
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

    /// Removes events that were forgotten and did not go with another transaction.
    func forget() throws {
        if forgottenThrough != nil { try commit { _ in } }
    }

    /// Forgets what can only matter for messages that no relay holds any more: relays keep them for 21 days.
    func removeExpired() throws {
        try store.removeExpired(before: Timestamp(milliseconds: now().milliseconds - 22 * 24 * 3_600_000))
    }

    /// Loads a connection, lets it take a step and stores what follows.
    func step(
        _ id: ConnectionID, in outcome: inout Outcome, _ body: (inout Connection) throws -> ConnectionStep
    ) throws {
        guard var stored = try store.connection(id) else { throw AgentError.unknownConnection }
        try step(&stored, in: &outcome, body)
    }

    /// Lets a connection take a step and stores it with what follows. There is no other way to store one: what is stored must
    /// be the connection after its step, or a ratchet would be used twice.
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
    }

    /// Keeps an event for the application.
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

    /// The most messages of one kind that wait for a contact because of what the contact sent. An honest contact causes one or
    /// two; one that reads nothing could fill the disk with 16 KB for each of its own messages.
    private static let mostAnswers = 16

    private func isFull(for kind: OutgoingMessage.Kind, of id: ConnectionID) throws -> Bool {
        guard kind.isControl else { return false }
        return try store.count(of: [kind], in: id) >= AgentEngine.mostAnswers
    }

    // MARK: - What the application asks for

    func allow(_ id: ConnectionID, information: Bytes) throws {
        try commit { outcome in
            try step(id, in: &outcome) { try $0.allow(information) }
        }
    }

    /// Puts a message into the outbox, and returns whether the KEM protects what is sent. The same token a second time
    /// changes nothing.
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

    func delete(_ id: ConnectionID) throws {
        do {
            try commit { outcome in
                try step(id, in: &outcome) { $0.delete() }
                // Tasks are carried out in order: an unreadable one would block the deletion.
                _ = try store.firstTask(of: id)
            }
        } catch let error as StoreError where error.isUnreadableValue {
            // What cannot be read can be removed nevertheless.
            try commit { outcome in
                try store.discardUnread(id, at: now())
                (outcome.hasDiscarded, outcome.changedQueues, outcome.deleted) = (true, [id], [id])
            }
        }
    }
}

extension AgentEngine {
    /// Takes a message of a relay. When this returns it is on disk, or it is known that it never will be of use: in both
    /// cases it is to be acknowledged.
    ///
    /// - Parameter number: Names the message, see ``EncryptedMessage/crashNumber(in:)``.
    func receive(
        _ message: EncryptedMessage, _ number: Int64, in recipientID: EntityID, at server: ServerAddress
    ) throws {
        try commit { outcome in
            // A queue that was removed here may still have subscribers for a moment.
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
                // What the step did to the connection before it failed is not kept.
                try report(error, of: before, in: &outcome)
                if case .ratchet(let error) = error { try note(error, of: before, in: &outcome) }
            } catch is Connection.Failure {
                // An answer that cannot be made is not worth the message that asked for it.
            }
        }
    }

    /// Keeps the hash of a message, to know it if the relay repeats it. A relay repeats what was not acknowledged: one message of
    /// a queue, or after a restore of its own as many as a queue holds.
    private func noteSeen(_ hash: Bytes, in id: ConnectionID) throws {
        try store.noteSeen(hash, in: id, at: now())
        // Counting costs more than the hash: it is done at the first message, and then from time to time.
        let count = seenCounts[id, default: AgentEngine.seenSlack] + 1
        seenCounts[id] = count > AgentEngine.seenSlack ? 0 : count
        if count > AgentEngine.seenSlack { try store.limitSeen(in: id, to: AgentEngine.mostSeen) }
    }

    /// Draws the conclusion about the ratchet.
    private func note(_ error: RatchetError, of stored: StoredConnection, in outcome: inout Outcome) throws {
        var stored = stored
        try step(&stored, in: &outcome) { $0.note(error) }
    }

    private func report(_ error: ReceptionError, of stored: StoredConnection, in outcome: inout Outcome) throws {
        let content: AgentEvent.Content
        switch error {
        // A ciphertext that was not seen before under a number that was: the contact, or a copy of its store, sent two messages
        // with one number. A repeated delivery is recognised by its hash.
        case .repeated, .queue: return
        case .notAuthentic, .malformed, .unexpected, .incompatible: content = .unreadable(.malformed)
        case .ratchet(let error):
            content = .unreadable(error.resynchronization == .required ? .outOfSync : .undecryptable)
        }
        try tell(content, of: stored, in: &outcome)
    }
}

extension Timestamp {
    /// The second that a relay named, or the nearest one in ``Timestamp/range``.
    init(relaySeconds seconds: Int64) {
        self = Timestamp(seconds: seconds).clamped
    }
}

extension AgentEngine {
    /// Removes events that the application has stored; the receipts that it asked for become due.
    func removeEvents(through id: Int64) throws {
        for eventID in confirmed.sorted() where eventID <= id { try store.appendReceipt(of: eventID) }
        try store.removeEvents(through: id)
    }

    /// Puts the receipts that are due into the outbox, see ``sendReceipts(of:in:)``.
    func sendReceipts(of id: ConnectionID) throws {
        try commit { outcome in try sendReceipts(of: id, in: &outcome) }
    }

    /// Puts receipts that are due into the outbox, as many as one message can carry. The others stay due until that message
    /// has left: a message takes 16 KB, a due receipt 50 bytes. They also stay due while nothing can be sent.
    func sendReceipts(of id: ConnectionID, in outcome: inout Outcome) throws {
        guard try store.count(of: [.receipts], in: id) == 0 else { return }
        let receipts = try store.dueReceipts(of: id, Connection.mostReceipts)
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

    /// What the application is told of something that happened to a connection; nil if it is nothing to it.
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

    /// Nothing is left in the queue that was replaced.
    func drained(_ id: ConnectionID) throws {
        try commit { outcome in
            guard var stored = try store.connection(id) else { return }
            try step(&stored, in: &outcome) { $0.drained() }
        }
    }

    /// A relay has deleted a queue, or never had it.
    func removeDiscarded(_ id: Int64) throws {
        try commit { _ in try store.removeDiscardedQueue(id) }
    }

    func synchronize(_ id: ConnectionID, force: Bool) throws {
        try commit { outcome in
            try step(id, in: &outcome) { try $0.synchronize(force: force, random: random) }
        }
    }
}

extension AgentEngine {
    /// Takes a message out of the outbox, and those about it. The steps of the ratchet that encrypted them stay taken. False if
    /// it has left it.
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
}
