import ByteCoding
import SMPProtocol

extension Connection {
    /// The most receipts that one message can carry: the count is one byte, and they fit in any ratchet message.
    public static let mostReceipts = 255

    /// Tells the other side which of its messages arrived. Nil if that cannot be said now; nothing is lost by waiting.
    public mutating func confirm(_ receipts: [MessageReceipt]) throws(Connection.Failure) -> ConnectionStep? {
        guard canSend, !receipts.isEmpty, receipts.count <= Connection.mostReceipts,
            agentVersion >= AgentVersion.receipts
        else { return nil }
        var step = ConnectionStep()
        step.tasks = [.send(try message(.receipts(receipts), kind: .receipts, notifies: false))]
        return step
    }
}
