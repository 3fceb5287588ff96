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
