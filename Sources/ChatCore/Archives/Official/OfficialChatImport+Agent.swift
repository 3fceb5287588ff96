import Agent
import AgentProtocol
import ByteCoding
import Store

/// What the chat and the agent tell each other during an import.
extension OfficialChatImport {
    /// The token of a message that was handed to the agent: the id of its first part, by which receipts are told.
    func token(_ connection: Bytes, _ agentMessage: Int64) throws -> Bytes? {
        try tables.first(
            "shared_msg_id", from: "messages",
            """
            WHERE message_id = (SELECT message_id FROM msg_deliveries JOIN connections USING (connection_id)
                WHERE agent_conn_id = ? AND agent_msg_id = ? ORDER BY msg_delivery_id LIMIT 1)
            """, connection, agentMessage
        ) { row throws(StoreError) in try row.optionalSharedID() } ?? nil
    }

    /// Notes what became of the connections. Those that the agent did not take over have failed.
    func note(_ states: [ConnectionID: OfficialAgentImport.State]) throws {
        try store.transaction {
            for target in targets.values {
                if let state = states[target.id] {
                    try database.run(
                        """
                        UPDATE connections SET synchronization = ?, moves_own_queue = ?, moves_contact_queue = ?
                        WHERE connection_id = ?
                        """, state.synchronization.rawValue, state.movesOwnQueue, state.movesContactQueue,
                        target.id.number)
                    continue
                }
                // A contact that was prepared from a link can be connected again.
                try database.run(
                    """
                    DELETE FROM connections WHERE connection_id = ?1 AND contact_id IN
                        (SELECT contact_id FROM contacts WHERE prepared IS NOT NULL)
                    """, target.id.number)
                try database.run(
                    "UPDATE connections SET status = 'failed' WHERE connection_id = ?", target.id.number)
            }
        }
    }
}
