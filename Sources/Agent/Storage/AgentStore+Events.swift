import AgentProtocol
import ByteCoding
import Store

extension AgentStore {
    /// Stores an event until the application has it.
    func append(_ content: AgentEvent.Content, of id: ConnectionID, _ profileID: ProfileID) throws -> AgentEvent {
        try database.run(
            "INSERT INTO events (connection_id, profile_id, content) VALUES (?, ?, ?)", id.number, profileID.number,
            content.encoded)
        return AgentEvent(id: database.lastInsertedID, connectionID: id, profileID: profileID, content: content)
    }

    private static let eventQuery = "SELECT event_id, connection_id, profile_id, content FROM events"

    /// Returns the events after `id`, in order, and the ids and connections of the unreadable ones.
    func events(after id: Int64) throws -> (events: [AgentEvent], unreadable: [(Int64, ConnectionID)]) {
        try readable("\(AgentStore.eventQuery) WHERE event_id > ? ORDER BY event_id", id)
    }

    /// Returns the readable events up to `id`, in order.
    func events(through id: Int64) throws -> [AgentEvent] {
        try readable("\(AgentStore.eventQuery) WHERE event_id <= ? ORDER BY event_id", id).events
    }

    private func readable(
        _ query: String, _ id: Int64
    ) throws -> (events: [AgentEvent], unreadable: [(Int64, ConnectionID)]) {
        var unreadable: [(Int64, ConnectionID)] = []
        let events = try database.rows(query, id) { row throws(StoreError) -> AgentEvent? in
            let id = try row.int64()
            let connectionID = ConnectionID(try row.int64())
            let profileID = ProfileID(try row.int64())
            // A value of another type is as unreadable as one that does not decode.
            let stored = try row.readable { row throws(StoreError) in try row.bytes() }
            guard let stored, let content = try? AgentEvent.Content(decoding: stored) else {
                unreadable.append((id, connectionID))
                return nil
            }
            return AgentEvent(id: id, connectionID: connectionID, profileID: profileID, content: content)
        }
        return (events.compactMap(\.self), unreadable)
    }

    func event(_ id: Int64) throws -> AgentEvent? {
        try database.first("\(AgentStore.eventQuery) WHERE event_id = ?", id) { row throws(StoreError) in
            try row.event()
        }
    }

    func removeEvents(through id: Int64) throws {
        try database.run("DELETE FROM events WHERE event_id <= ?", id)
    }

    func connectionID(ofEvent id: Int64) throws -> ConnectionID? {
        try database.first("SELECT connection_id FROM events WHERE event_id = ?", id) { row throws(StoreError) in
            ConnectionID(try row.int64())
        }
    }

    // MARK: - Failures

    /// Counts a failure of the application and returns the number of failures; 0 if the event does not exist.
    func noteFailure(ofEvent id: Int64) throws -> Int {
        try database.run("UPDATE events SET failures = failures + 1 WHERE event_id = ?", id)
        return try database.first("SELECT failures FROM events WHERE event_id = ?", id) { row throws(StoreError) in
            try row.int()
        } ?? 0
    }

    /// The largest number of events that are set aside.
    private static let mostSetAside = 1000

    /// Sets an event aside. Above the limit, the oldest one is deleted.
    func setAside(_ id: Int64, at time: Timestamp) throws {
        try database.run(
            """
            INSERT OR IGNORE INTO set_aside_events (event_id, connection_id, profile_id, content, set_aside_at)
            SELECT event_id, connection_id, profile_id, content, ? FROM events WHERE event_id = ?
            """, time, id)
        try database.run("DELETE FROM events WHERE event_id = ?", id)
        try database.run(
            """
            DELETE FROM set_aside_events WHERE event_id <= (
                SELECT event_id FROM set_aside_events ORDER BY event_id DESC LIMIT 1 OFFSET ?)
            """, Int64(AgentStore.mostSetAside))
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
