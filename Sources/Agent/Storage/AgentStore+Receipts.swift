import AgentProtocol
import ByteCoding
import Store

extension AgentStore {
    /// Notes that the other side has to be told of the message of an event. Does nothing if its connection is gone.
    func appendReceipt(of eventID: Int64) throws {
        guard let event = try event(eventID), case .connection(.msg(let message)) = event.content else { return }
        try database.run(
            """
            INSERT OR IGNORE INTO due_receipts (connection_id, number, hash)
            SELECT connection_id, ?, ? FROM connections WHERE connection_id = ?
            """, message.number, message.hash, event.connectionID.number)
    }

    /// The receipts that are due first.
    func dueReceipts(of id: ConnectionID, _ count: Int) throws -> [MessageReceipt] {
        try database.rows(
            "SELECT number, hash FROM due_receipts WHERE connection_id = ? ORDER BY number LIMIT ?", id.number, count
        ) { row throws(StoreError) in MessageReceipt(number: try row.int64(), hash: try row.bytes()) }
    }

    func removeDueReceipts(_ receipts: [MessageReceipt], of id: ConnectionID) throws {
        for receipt in receipts {
            try database.run(
                "DELETE FROM due_receipts WHERE connection_id = ? AND number = ?", id.number, receipt.number)
        }
    }

    func connectionsWithDueReceipts() throws -> [ConnectionID] {
        try database.rows("SELECT DISTINCT connection_id FROM due_receipts ORDER BY connection_id") {
            row throws(StoreError) in ConnectionID(try row.int64())
        }
    }
}
