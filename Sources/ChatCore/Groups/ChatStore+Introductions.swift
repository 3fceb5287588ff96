import AgentProtocol
import ByteCoding
import ChatProtocol
import Store

/// Two members that the user introduced to each other.
struct Introduction {
    /// How far it has come.
    enum Status: String, Sendable {
        /// The newcomer was told of the other.
        case sent
        /// The other has the link of the newcomer.
        case forwarded
        /// The newcomer said that they are connected. What it sent before is passed on, what it sends now goes directly.
        case newcomerConnected
        /// The other said so.
        case existingConnected
        /// The two members are connected: the host no longer forwards between them.
        case connected

        /// The status after a member said that they are connected. What each of them wrote before it was connected comes before that
        /// word of its own, but perhaps after that of the other. Who repeats it gets messages twice.
        func connected(saidByNewcomer isNewcomer: Bool) -> Status {
            switch self {
            case .sent, .forwarded: isNewcomer ? .newcomerConnected : .existingConnected
            case .newcomerConnected, .existingConnected, .connected: .connected
            }
        }
    }

    let number: Int64
    let existingID: GroupMemberID
    let newcomerID: GroupMemberID
    let status: Status
}

extension ChatStore {
    private static let introductionQuery =
        "SELECT introduction_id, existing_id, newcomer_id, status FROM introductions"

    func insertIntroduction(of newcomer: GroupMemberID, to existing: GroupMemberID, at time: Timestamp) throws {
        try database.run(
            """
            INSERT INTO introductions (existing_id, newcomer_id, status, updated_at) VALUES (?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """, existing.number, newcomer.number, Introduction.Status.sent.rawValue, time)
    }

    func introduction(of newcomer: GroupMemberID, to existing: GroupMemberID) throws -> Introduction? {
        try database.first(
            "\(ChatStore.introductionQuery) WHERE newcomer_id = ? AND existing_id = ?", newcomer.number, existing.number
        ) { row throws(StoreError) in try row.introduction() }
    }

    /// What the user introduced a member to, or to it.
    func introductions(of id: GroupMemberID) throws -> [Introduction] {
        try database.rows(
            "\(ChatStore.introductionQuery) WHERE newcomer_id = ?1 OR existing_id = ?1 ORDER BY introduction_id",
            id.number
        ) { row throws(StoreError) in try row.introduction() }
    }

    func update(_ introduction: Introduction, _ status: Introduction.Status, at time: Timestamp) throws {
        try database.run(
            "UPDATE introductions SET status = ?, updated_at = ? WHERE introduction_id = ?", status.rawValue, time,
            introduction.number)
    }
}

extension Row {
    fileprivate mutating func introduction() throws(StoreError) -> Introduction {
        Introduction(
            number: try int64(), existingID: GroupMemberID(try int64()), newcomerID: GroupMemberID(try int64()),
            status: try word())
    }
}
