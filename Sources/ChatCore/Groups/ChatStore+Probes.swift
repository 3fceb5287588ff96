import AgentProtocol
import ByteCoding
import ChatProtocol
import Store

/// A contact or a member with a connection.
enum Counterpart {
    case contact(Contact)
    case member(GroupMember)

    var profileID: ProfileID {
        switch self {
        case .contact(let contact): contact.profileID
        case .member(let member): member.profileID
        }
    }

    fileprivate var contactID: Int64? {
        if case .contact(let contact) = self { contact.id.number } else { nil }
    }

    fileprivate var memberID: Int64? {
        if case .member(let member) = self { member.id.number } else { nil }
    }
}

/// The probes by which contacts and members recognise each other.
extension ChatStore {
    /// How long probes are remembered. Source: the reference implementation.
    private static let probeMemory = Duration.seconds(14 * 24 * 3600)
    /// The most probes and hashes of one person that are remembered.
    private static let mostProbes = 50

    // MARK: - Sent

    /// Notes a sent probe and its recipient. Returns its number.
    func insertProbe(_ probe: Bytes, sentTo person: Counterpart, at time: Timestamp) throws -> Int64 {
        try database.run("DELETE FROM sent_probes WHERE created_at <= ?", time + (.zero - ChatStore.probeMemory))
        try database.run(
            """
            INSERT INTO sent_probes (profile_id, contact_id, group_member_id, probe, created_at) VALUES (?, ?, ?, ?, ?)
            """, person.profileID.number, person.contactID, person.memberID, probe, time)
        return database.lastInsertedID
    }

    /// Notes a recipient of the hash of a probe.
    func insertCheck(of probe: Int64, sentTo person: Counterpart) throws {
        try database.run(
            "INSERT INTO sent_checks (probe_id, contact_id, group_member_id) VALUES (?, ?, ?)", probe,
            person.contactID, person.memberID)
    }

    /// True if a probe was sent to somebody.
    func hasProbed(_ person: Counterpart) throws -> Bool {
        try database.first(
            "SELECT 1 FROM sent_probes WHERE contact_id IS ? AND group_member_id IS ?", person.contactID,
            person.memberID
        ) { _ in true } ?? false
    }

    /// The person to whom a probe was sent, if another got its hash.
    func person(probedWith probe: Bytes, checkedWith other: Counterpart) throws -> Counterpart? {
        try database.first(
            """
            SELECT sent_probes.contact_id, sent_probes.group_member_id FROM sent_probes
            JOIN sent_checks USING (probe_id)
            WHERE profile_id = ? AND probe = ? AND sent_checks.contact_id IS ? AND sent_checks.group_member_id IS ?
            """, other.profileID.number, probe, other.contactID, other.memberID
        ) { row throws(StoreError) in try row.personID() }.flatMap(person)
    }

    // MARK: - Received

    /// Notes a probe, or only its hash, and drops the oldest of its sender if there are too many.
    func insertReceivedProbe(_ probe: Bytes?, hash: Bytes, from person: Counterpart, at time: Timestamp) throws {
        try database.run(
            "DELETE FROM received_probes WHERE received_at <= ?", time + (.zero - ChatStore.probeMemory))
        try database.run(
            """
            DELETE FROM received_probes WHERE contact_id IS ?1 AND group_member_id IS ?2 AND received_probe_id <= (
                SELECT received_probe_id FROM received_probes WHERE contact_id IS ?1 AND group_member_id IS ?2
                ORDER BY received_probe_id DESC LIMIT 1 OFFSET ?3)
            """, person.contactID, person.memberID, ChatStore.mostProbes)
        try database.run(
            """
            INSERT INTO received_probes (profile_id, contact_id, group_member_id, hash, probe, received_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """, person.profileID.number, person.contactID, person.memberID, hash, probe, time)
    }

    /// Those who sent nothing but the hash of a probe.
    func senders(ofHash hash: Bytes, in id: ProfileID) throws -> [Counterpart] {
        try database.rows(
            """
            SELECT DISTINCT contact_id, group_member_id FROM received_probes
            WHERE profile_id = ? AND hash = ? AND probe IS NULL
            """, id.number, hash
        ) { row throws(StoreError) in try row.personID() }.compactMap(person)
    }

    /// The probe with a hash, and its sender.
    func receivedProbe(hash: Bytes, in id: ProfileID) throws -> (probe: Bytes, sender: Counterpart)? {
        let found = try database.first(
            """
            SELECT contact_id, group_member_id, probe FROM received_probes
            WHERE profile_id = ? AND hash = ? AND probe IS NOT NULL ORDER BY received_probe_id
            """, id.number, hash
        ) { row throws(StoreError) in (try row.personID(), try row.bytes()) }
        guard let found, let sender = try person(found.0) else { return nil }
        return (found.1, sender)
    }

    private func person(_ id: CounterpartID) throws -> Counterpart? {
        if let contactID = id.contactID { return try contact(contactID).map { .contact($0) } }
        return try id.memberID.flatMap { try member($0) }.map { .member($0) }
    }

    // MARK: - The same profile

    /// The active contacts that present themselves as somebody does.
    func contacts(like presented: Profile, of id: ProfileID) throws -> [Contact] {
        try database.rows(
            """
            SELECT contact_id FROM contacts
            WHERE profile_id = ? AND status = 'active' AND profile ->> '$.displayName' = ? ORDER BY contact_id
            """, id.number, presented.displayName
        ) { row throws(StoreError) in ContactID(try row.int64()) }.compactMap { try contact($0) }
            .filter { $0.profile.looksLike(presented) }
    }

    /// The members of all groups that present themselves as somebody does, and are no contacts.
    func members(like presented: Profile, of id: ProfileID) throws -> [GroupMember] {
        // The local name of a member begins with the name that it gave itself.
        try database.rows(
            """
            SELECT group_member_id FROM group_members JOIN groups USING (group_id)
            WHERE groups.profile_id = ?1 AND contact_id IS NULL AND category != 'user'
                AND substr(group_members.name, 1, length(?2)) = ?2
            ORDER BY group_member_id
            """, id.number, Profile.DisplayName.localName(for: presented.displayName) ?? "member"
        ) { row throws(StoreError) in GroupMemberID(try row.int64()) }.compactMap { try member($0) }
            .filter { $0.profile.looksLike(presented) && $0.status.isCurrent }
    }

    // MARK: - Contacts that are members

    /// Gives the members that are a contact the name that other programs show of it.
    func shareName(of id: ContactID) throws {
        try database.run(
            """
            UPDATE group_members SET name = (
                SELECT coalesce(presented_name, name) FROM contacts WHERE contact_id = ?1)
            WHERE contact_id = ?1
            """, id.number)
    }
}

private struct CounterpartID {
    let contactID: ContactID?
    let memberID: GroupMemberID?
}

extension Row {
    fileprivate mutating func personID() throws(StoreError) -> CounterpartID {
        let contactID = try optional { row throws(StoreError) in ContactID(try row.int64()) }
        return CounterpartID(
            contactID: contactID, memberID: try optional { row throws(StoreError) in GroupMemberID(try row.int64()) })
    }
}

extension Profile {
    /// True if people cannot tell two profiles apart.
    func looksLike(_ other: Profile) -> Bool {
        displayName == other.displayName && fullName == other.fullName && shortDescription == other.shortDescription
            && image == other.image
    }
}
