import AgentProtocol
import ByteCoding

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
