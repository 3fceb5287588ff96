import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol

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
