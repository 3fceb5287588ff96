import AgentProtocol
import ByteCoding

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
