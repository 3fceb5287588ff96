import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

extension ChatStore {
    private static let requestQuery = """
        SELECT request_id, profile_id, name, profile, versions, link, request_key, welcome_id, message_id, message,
            connection_id, created_at, updated_at FROM requests
        """

    /// The requests that wait for an answer.
    func requests(of id: ProfileID) throws -> [ReceivedRequest] {
        try database.rows(
            "\(ChatStore.requestQuery) WHERE profile_id = ? AND connection_id IS NULL ORDER BY request_id", id.number
        ) { row throws(StoreError) in try row.request() }
    }

    /// How many requests wait for an answer.
    func requestCount(of id: ProfileID) throws -> Int {
        try database.first(
            "SELECT count(*) FROM requests WHERE profile_id = ? AND connection_id IS NULL", id.number
        ) { row throws(StoreError) in try row.int() } ?? 0
    }

    /// How many contacts were made from a time on by answering requests or by joining with links.
    func contactsMade(of id: ProfileID, since time: Timestamp) throws -> Int {
        try database.first(
            """
            SELECT count(*) FROM connections
            WHERE profile_id = ? AND is_initiated = 0 AND contact_id IS NOT NULL AND created_at > ?
            """, id.number, time
        ) { row throws(StoreError) in try row.count() } ?? 0
    }

    func request(_ id: RequestID) throws -> ReceivedRequest? {
        try database.first("\(ChatStore.requestQuery) WHERE request_id = ?", id.number) { row throws(StoreError) in
            try row.request()
        }
    }

    /// The requests with a name, the oldest first; those too that were answered and are not over.
    func requests(named name: String, of id: ProfileID) throws -> [ReceivedRequest] {
        try database.rows(
            "\(ChatStore.requestQuery) WHERE profile_id = ? AND name = ? ORDER BY request_id", id.number, name
        ) { row throws(StoreError) in try row.request() }
    }

    /// The request that whoever asks calls `key`, if it waits.
    func request(key: Bytes, of id: ProfileID) throws -> ReceivedRequest? {
        try database.first("\(ChatStore.requestQuery) WHERE profile_id = ? AND request_key = ?", id.number, key) {
            row throws(StoreError) in try row.request()
        }
    }

    /// Requests that were accepted, of which the agent does not know for certain.
    func acceptedRequests() throws -> [ReceivedRequest] {
        try database.rows("\(ChatStore.requestQuery) WHERE is_accepted = 1 ORDER BY request_id") {
            row throws(StoreError) in try row.request()
        }
    }

    /// The connection that was made of the request that whoever asked calls `key`.
    func connection(forRequest key: Bytes, of id: ProfileID) throws -> ContactConnection? {
        try database.first(
            """
            SELECT connection_id FROM connections WHERE profile_id = ? AND request_key = ? AND contact_id IS NOT NULL
            ORDER BY connection_id DESC LIMIT 1
            """, id.number, key
        ) { row throws(StoreError) in ConnectionID(try row.int64()) }.flatMap { try connection($0) }
    }

    /// The own requests with a key that are with no contact and in no group.
    func unanswered(_ key: Bytes, of id: ProfileID) throws -> [ConnectionID] {
        try database.rows(
            """
            SELECT connection_id FROM connections WHERE profile_id = ? AND request_key = ? AND contact_id IS NULL
                AND member_id IS NULL AND status IN ('prepared', 'joined')
            """, id.number, key
        ) { row throws(StoreError) in ConnectionID(try row.int64()) }
    }

    func insertRequest(
        _ request: ContactRequest, _ versions: VersionRange, named name: String, link: String, of id: ProfileID,
        at time: Timestamp
    ) throws -> RequestID {
        try take(name, in: id)
        try database.run(
            """
            INSERT INTO requests (profile_id, name, profile, versions, link, request_key, knows_welcome, welcome_id,
                message_id, message, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, id.number, name, request.profile.json.line, versions.description, link, request.requestID,
            request.welcomeMessageID != nil, request.welcomeMessageID?.bytes, request.message?.id.bytes,
            request.message?.content.json.line, time, time)
        return RequestID(database.lastInsertedID)
    }

    /// The same request came again, with a new queue for the answer.
    func update(
        _ id: RequestID, _ request: ContactRequest, _ versions: VersionRange, named name: String, link: String,
        at time: Timestamp
    ) throws {
        try database.run(
            """
            UPDATE requests SET name = ?, profile = ?, versions = ?, link = ?, knows_welcome = ?, welcome_id = ?,
                message_id = ?, message = ?, updated_at = ? WHERE request_id = ?
            """, name, request.profile.json.line, versions.description, link, request.welcomeMessageID != nil,
            request.welcomeMessageID?.bytes, request.message?.id.bytes, request.message?.content.json.line, time,
            id.number)
    }

    func setAccepted(_ id: RequestID) throws {
        try database.run("UPDATE requests SET is_accepted = 1 WHERE request_id = ?", id.number)
    }

    /// A request that cannot be accepted after all waits again.
    func setWaiting(_ id: RequestID) throws {
        try database.run(
            "UPDATE requests SET is_accepted = 0, connection_id = NULL WHERE request_id = ?", id.number)
    }

    func update(_ id: RequestID, connection: ConnectionID) throws {
        try database.run("UPDATE requests SET connection_id = ? WHERE request_id = ?", connection.number, id.number)
    }

    func removeRequest(_ id: RequestID) throws {
        try database.run("DELETE FROM requests WHERE request_id = ?", id.number)
    }
}

extension Row {
    fileprivate mutating func request() throws(StoreError) -> ReceivedRequest {
        let id = RequestID(try int64())
        let profileID = ProfileID(try int64())
        let name = try text()
        let profile = try profile()
        let versions = try versions()
        let link = try text()
        let key = try optional { row throws(StoreError) in try row.bytes() }
        let welcomeID = try optional { row throws(StoreError) in try row.sharedID() }
        let messageID = try optional { row throws(StoreError) in try row.sharedID() }
        let content = try optional { row throws(StoreError) in try row.messageContent() }
        var message: ContactRequest.Message?
        if let messageID, let content { message = ContactRequest.Message(id: messageID, content: content) }
        let connectionID = try optional { row throws(StoreError) in ConnectionID(try row.int64()) }
        let createdAt = try timestamp()
        return ReceivedRequest(
            id: id, profileID: profileID, name: name, profile: profile, versions: versions, link: link, key: key,
            welcomeID: welcomeID, message: message, connectionID: connectionID, createdAt: createdAt,
            updatedAt: try timestamp())
    }
}
