import AgentProtocol
import ByteCoding
import Store

extension AgentStore {
    /// Keeps an event until the application has it.
    func append(_ content: AgentEvent.Content, of id: ConnectionID, _ profileID: ProfileID) throws -> AgentEvent {
        try database.run(
            "INSERT INTO events (connection_id, profile_id, content) VALUES (?, ?, ?)", id.number, profileID.number,
            content.encoded)
        return AgentEvent(id: database.lastInsertedID, connectionID: id, profileID: profileID, content: content)
    }

    private static let eventQuery = "SELECT event_id, connection_id, profile_id, content FROM events"

    /// The events behind `id`, in order.
    func events(after id: Int64) throws -> [AgentEvent] {
        try database.rows("\(AgentStore.eventQuery) WHERE event_id > ? ORDER BY event_id", id) {
            row throws(StoreError) in try row.event()
        }
    }

    /// The events up to `id` that were not removed yet, in order.
    func events(through id: Int64) throws -> [AgentEvent] {
        try database.rows("\(AgentStore.eventQuery) WHERE event_id <= ? ORDER BY event_id", id) {
            row throws(StoreError) in try row.event()
        }
    }

    func event(_ id: Int64) throws -> AgentEvent? {
        try database.first("\(AgentStore.eventQuery) WHERE event_id = ?", id) { row throws(StoreError) in
            try row.event()
        }
    }

    func removeEvents(through id: Int64) throws {
        try database.run("DELETE FROM events WHERE event_id <= ?", id)
    }
}

extension Row {
    fileprivate mutating func event() throws(StoreError) -> AgentEvent {
        let id = try int64()
        let connectionID = ConnectionID(try int64())
        let profileID = ProfileID(try int64())
        return AgentEvent(id: id, connectionID: connectionID, profileID: profileID, content: try decoded())
    }
}
