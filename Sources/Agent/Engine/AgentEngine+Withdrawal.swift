import AgentProtocol
import ByteCoding

extension AgentEngine {
    /// Takes a message out of the outbox. The step of the ratchet that encrypted it stays taken. False if it has left it.
    func withdraw(_ token: Bytes, to id: ConnectionID) throws -> Bool {
        try commit { _ in
            guard let number = try store.number(of: token, in: id) else { return true }
            return try store.removeMessage(number, of: id)
        }
    }
}
