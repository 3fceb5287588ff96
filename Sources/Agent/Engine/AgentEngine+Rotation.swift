import AgentProtocol
import ByteCoding

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
