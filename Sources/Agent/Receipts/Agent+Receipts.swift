import AgentProtocol

extension Agent {
    /// Asks for a receipt for the message of an event. It is sent when the event is forgotten, that is, when the application
    /// has stored what follows from it, together with others.
    public func confirm(_ event: AgentEvent) {
        guard case .connection(.msg) = event.content else { return }
        engine.confirmed.insert(event.id)
        receipts[event.connectionID, default: 0] += 1
    }

    /// Events up to `id` that were not forgotten before the program ended: receipts for them may be asked for again.
    public func unforgottenEvents(through id: Int64) throws(AgentError) -> [AgentEvent] {
        try tell { try engine.store.events(through: id) }
    }

    /// How many receipts are at most collected before they are sent.
    private static let batch = 100

    /// Sends the receipts that are due for a connection, if `isLast` says that no further message is about to come, or if
    /// there are enough of them.
    func sendReceipts(of id: ConnectionID, isLast: Bool) {
        guard activity != .resting, let count = receipts[id], isLast || count >= Agent.batch else { return }
        receipts[id] = nil
        do { try engine.sendReceipts(of: id) } catch { fail(error, at: id) }
    }

    /// Sends all receipts that are due.
    func sendAllReceipts() throws {
        for id in try engine.store.connectionsWithDueReceipts() {
            receipts[id] = nil
            do { try engine.sendReceipts(of: id) } catch { fail(error, at: id) }
        }
    }
}
