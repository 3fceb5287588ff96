import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

/// An owner that asks the user to serve a channel.
struct ServiceRequest: Hashable {
    let number: Int64
    let profileID: ProfileID
    /// The link to the owner.
    let link: String
    let versions: VersionRange
    let invitation: RelayInvitation
    let attempts: Int
    let createdAt: Timestamp
}

/// An element that a relay passes on.
struct RelayTask: Hashable {
    let groupID: GroupID
    /// The member whose conversation with the moderators it belongs to; nil for one for all members.
    let supportID: GroupMemberID?
    let senderID: GroupMemberID
    let element: Bytes
    /// True if the user serves the channel until it is passed on.
    var isLast = false
}

/// A payload that a relay passes on to one member after the other.
struct RelayJob: Hashable {
    let number: Int64
    let groupID: GroupID
    let supportID: GroupMemberID?
    let senderIDs: [GroupMemberID]
    let body: Bytes
    /// What the tokens for the agent begin with.
    let token: Bytes
    /// The last member that has it.
    let cursor: GroupMemberID
    let isLast: Bool
}

/// What a chat relay has to do.
extension ChatStore {
    // MARK: - Requests

    func insertRelayRequest(
        _ invitation: RelayInvitation, _ versions: VersionRange, link: String, of id: ProfileID, at time: Timestamp
    ) throws -> Int64 {
        try database.run(
            "INSERT INTO relay_requests (profile_id, link, versions, invitation, created_at) VALUES (?, ?, ?, ?, ?)",
            id.number, link, versions.description, invitation.json.line, time)
        return database.lastInsertedID
    }

    /// The requests that are not carried out, the oldest first.
    func relayRequests() throws -> [ServiceRequest] {
        try database.rows("\(ChatStore.requestQuery) ORDER BY relay_request_id") { row throws(StoreError) in
            try row.relayRequest()
        }
    }

    func relayRequest(_ number: Int64) throws -> ServiceRequest? {
        try database.first("\(ChatStore.requestQuery) WHERE relay_request_id = ?", number) { row throws(StoreError) in
            try row.relayRequest()
        }
    }

    private static let requestQuery =
        "SELECT relay_request_id, profile_id, link, versions, invitation, attempts, created_at FROM relay_requests"

    func countRelayAttempt(_ number: Int64) throws {
        try database.run("UPDATE relay_requests SET attempts = attempts + 1 WHERE relay_request_id = ?", number)
    }

    func removeRelayRequest(_ number: Int64) throws {
        try database.run("DELETE FROM relay_requests WHERE relay_request_id = ?", number)
    }

    // MARK: - Tasks and jobs

    func insert(_ task: RelayTask) throws {
        try database.run(
            "INSERT INTO relay_tasks (group_id, support_id, sender_id, element, is_last) VALUES (?, ?, ?, ?, ?)",
            task.groupID.number, task.supportID?.number, task.senderID.number, task.element, task.isLast)
    }

    /// The first tasks, which have the same recipients, in their order.
    func nextRelayTasks(_ count: Int) throws -> [(number: Int64, task: RelayTask)] {
        try database.rows(
            """
            SELECT tasks.relay_task_id, tasks.group_id, tasks.support_id, tasks.sender_id, tasks.element, tasks.is_last
            FROM relay_tasks AS tasks JOIN (SELECT * FROM relay_tasks ORDER BY relay_task_id LIMIT 1) AS first
            WHERE tasks.group_id = first.group_id AND tasks.support_id IS first.support_id
                AND tasks.is_last = first.is_last
            ORDER BY tasks.relay_task_id LIMIT ?
            """, count
        ) { row throws(StoreError) in
            let number = try row.int64(), groupID = GroupID(try row.int64())
            let supportID = try row.optional { row throws(StoreError) in GroupMemberID(try row.int64()) }
            let senderID = GroupMemberID(try row.int64()), element = try row.bytes()
            return (
                number,
                RelayTask(
                    groupID: groupID, supportID: supportID, senderID: senderID, element: element,
                    isLast: try row.bool())
            )
        }
    }

    func removeRelayTask(_ number: Int64) throws {
        try database.run("DELETE FROM relay_tasks WHERE relay_task_id = ?", number)
    }

    /// Removes everything that was to be passed on in a group.
    func removeRelaying(of id: GroupID) throws {
        try database.run("DELETE FROM relay_tasks WHERE group_id = ?", id.number)
        try database.run("DELETE FROM relay_jobs WHERE group_id = ?", id.number)
    }

    /// Inserts a job of tasks with the same recipients.
    func insertRelayJob(_ body: Bytes, of tasks: [RelayTask], token: Bytes) throws {
        guard let first = tasks.first else { return }
        let senders = Set(tasks.map(\.senderID.number)).sorted().map { JSONValue.integer($0) }
        try database.run(
            "INSERT INTO relay_jobs (group_id, support_id, senders, body, token, is_last) VALUES (?, ?, ?, ?, ?, ?)",
            first.groupID.number, first.supportID?.number, JSONValue.array(senders).line, body, token, first.isLast)
    }

    /// The oldest job.
    func nextRelayJob() throws -> RelayJob? {
        try database.first(
            """
            SELECT relay_job_id, group_id, support_id, senders, body, token, cursor, is_last FROM relay_jobs
            ORDER BY relay_job_id LIMIT 1
            """
        ) { row throws(StoreError) in
            let number = try row.int64(), groupID = GroupID(try row.int64())
            let supportID = try row.optional { row throws(StoreError) in GroupMemberID(try row.int64()) }
            guard let senders = try? JSONValue(decoding: Bytes(try row.text().utf8)).array else {
                throw StoreError(.damaged)
            }
            let body = try row.bytes(), token = try row.bytes(), cursor = GroupMemberID(try row.int64())
            return RelayJob(
                number: number, groupID: groupID, supportID: supportID,
                senderIDs: senders.compactMap { $0.integer.map { GroupMemberID($0) } }, body: body, token: token,
                cursor: cursor, isLast: try row.bool())
        }
    }

    func setCursor(_ cursor: GroupMemberID, ofRelayJob number: Int64) throws {
        try database.run("UPDATE relay_jobs SET cursor = ? WHERE relay_job_id = ?", cursor.number, number)
    }

    func removeRelayJob(_ number: Int64) throws {
        try database.run("DELETE FROM relay_jobs WHERE relay_job_id = ?", number)
    }

    /// The numbers of the next members of a group that belong to it, without the user, in the order of their numbers.
    func members(of id: GroupID, after cursor: GroupMemberID, _ count: Int) throws -> [GroupMemberID] {
        try database.rows(
            """
            SELECT group_member_id FROM group_members WHERE group_id = ? AND group_member_id > ? AND category != 'user'
                AND status IN (\(ChatStore.belongingStatuses)) ORDER BY group_member_id LIMIT ?
            """, id.number, cursor.number, count
        ) { row throws(StoreError) in GroupMemberID(try row.int64()) }
    }

    // MARK: - Relations

    /// The members that were told of a member.
    ///
    /// - Parameter first: The membership of the user in the group.
    func told(of id: GroupMemberID, from first: GroupMemberID) throws -> MemberSet {
        let bytes = try database.first("SELECT told FROM relay_relations WHERE group_member_id = ?", id.number) {
            row throws(StoreError) in try row.bytes()
        }
        return MemberSet(bytes ?? [], from: first)
    }

    func setTold(_ members: MemberSet, of id: GroupMemberID) throws {
        try database.run(
            """
            INSERT INTO relay_relations (group_member_id, told) VALUES (?1, ?2)
            ON CONFLICT (group_member_id) DO UPDATE SET told = excluded.told
            """, id.number, members.bytes)
    }

    /// The version of the newest roster that a member got from the user.
    func servedRoster(of id: GroupMemberID) throws -> Int64? {
        try database.first("SELECT roster_version FROM relay_relations WHERE group_member_id = ?", id.number) {
            row throws(StoreError) in try row.optional { row throws(StoreError) in try row.int64() }
        } ?? nil
    }

    func setServedRoster(_ version: Int64, of id: GroupMemberID) throws {
        try database.run(
            """
            INSERT INTO relay_relations (group_member_id, roster_version) VALUES (?1, ?2)
            ON CONFLICT (group_member_id) DO UPDATE SET roster_version = excluded.roster_version
            """, id.number, version)
    }
}

extension Row {
    fileprivate mutating func relayRequest() throws(StoreError) -> ServiceRequest {
        let number = try int64(), profileID = ProfileID(try int64()), link = try text()
        guard let versions = try? VersionRange(text: try text()) else { throw StoreError(.damaged) }
        let invitation = try value(RelayInvitation.self), attempts = try int()
        return ServiceRequest(
            number: number, profileID: profileID, link: link, versions: versions, invitation: invitation,
            attempts: attempts, createdAt: try timestamp())
    }
}
