import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import Store

/// Writes everything of a chat database of this program into an empty one of the official apps.
///
/// Profiles, contacts, groups, members, connections, entries and files keep their numbers. The database is the other half of
/// ``OfficialChatImport``.
final class OfficialChatExport {
    let store: ChatStore
    var agent: OfficialAgentExport
    let official: Database
    /// The version of the app.
    let version: OfficialVersion
    let now: Timestamp
    private(set) var remainders: [ExportRemainder: Int] = [:]

    /// The profiles, with their numbers as contacts and the numbers of their contents there.
    var owners: [Int64: Owner] = [:]
    /// The names that are used, by profile.
    private var names: [Int64: Set<String>] = [:]
    /// The contents of profiles that were made up for connections and groups.
    private var incognito: [IncognitoKey: Int64] = [:]
    private var lastProfile: Int64 = 0
    /// The next number of a contact.
    var nextContact: Int64 = 1
    /// The contents of the contacts' profiles there.
    var contactProfiles: [Int64: Int64] = [:]
    /// The names of contacts.
    var contactNames: [Int64: String] = [:]
    /// The members.
    var members: [Int64: Member] = [:]
    /// The user as a member, by group.
    var memberships: [Int64: Int64] = [:]
    /// The links for contacts, by their connections.
    var contactLinks: [Int64: Int64] = [:]
    /// The newest connections of contacts and members.
    var contactConnections: [Int64: Int64] = [:]
    var memberConnections: [Int64: Int64] = [:]
    /// The connections that are there.
    var connections: Set<Int64> = []
    /// The numbers of entries there that differ from those here.
    var notices: [Int64: Int64] = [:]
    var items: Set<Int64> = []
    var nextItem: Int64 = 1
    private var nextMessage: Int64 = 1
    /// The names of files in the archive.
    var fileNames: Set<String>
    /// Files outside of the store that belong to the archive, with their names there.
    var addedFiles: [String: String] = [:]

    /// A profile of the user.
    struct Owner {
        let contactID: Int64
        let profileID: Int64
        let name: String
    }

    /// A member of a group.
    struct Member {
        let id: Bytes
        let group: Int64
        let profile: Int64
        let isUser: Bool
    }

    private struct IncognitoKey: Hashable {
        let profile: Int64
        let text: String
    }

    /// - Parameter fileNames: The names in the folder of files.
    init(
        _ store: ChatStore, _ agent: OfficialAgentExport, into official: Database, for version: OfficialVersion,
        fileNames: Set<String>, at now: Timestamp
    ) {
        self.store = store
        self.fileNames = fileNames
        self.agent = agent
        self.official = official
        self.version = version
        self.now = now
    }

    var database: Database { store.database }

    func note(_ remainder: ExportRemainder, _ count: Int = 1) {
        if count > 0 { remainders[remainder, default: 0] += count }
    }

    /// Writes everything as one transaction. The agent's half is complete before.
    func run() throws {
        try prepareNumbers()
        try official.transaction {
            try writeProfiles()
            try writeServers()
            try writeOperators()
            try writeGroups()
            try writeContacts()
            try writeMembers()
            try writeLinks()
            try writeConnections()
            try linkConnections()
            try writeNotes()
            try writeRequests()
            try writeItems()
            try writeMessages()
            try writeFiles()
            try writeTags()
            try writeProbes()
            try countRest()
        }
        try official.complete(version.chatSchema)
        if version != .version6 {
            try writeRelations()
            try writeChannels()
        }
        try official.checkReferences()
    }

    private func prepareNumbers() throws {
        func highest(_ column: String, _ table: String) throws -> Int64 {
            // Numbers above it are given to rows that the official apps have beside ours.
            try database.first("SELECT coalesce(max(\(column)), 0) FROM \(table)") { row throws(StoreError) in
                try row.int64(in: Int64.min...(Int64.max - Int64(UInt32.max)))
            } ?? 0
        }
        nextContact = max(try highest("contact_id", "contacts"), try highest("note_folder_id", "note_folders")) + 1
        nextItem = max(try highest("item_id", "items"), 0) + 1
    }

    /// Data that has no place there.
    private func countRest() throws {
        func count(_ table: String, _ condition: String = "true") throws -> Int {
            try database.first("SELECT count(*) FROM \(table) WHERE \(condition)") { row throws(StoreError) in
                try row.count()
            } ?? 0
        }
        note(.blockedContacts, try count("contacts", "is_blocked = 1"))
        note(.settings, try count("chats", "expiry IS NOT NULL") + count("file_acceptance"))
        note(.channels, try count("kept_channels"))
        note(.cursors, try count("cursors"))
        note(.drafts, try count("drafts"))
        note(.changes, try count("early_events"))
        note(.unsentMessages, try count("owed_events"))
        note(.standaloneFiles, try count("files", "is_of_item = 0"))
    }

    // MARK: - Names

    /// Takes a name that is unique here.
    func takeName(_ name: String, of displayName: String, in profile: Int64, at time: Timestamp) throws -> String {
        var taken = names[profile] ?? []
        guard taken.insert(name).inserted else { return name }
        names[profile] = taken
        let (base, suffix) = OfficialChatExport.parts(of: name, displayName)
        try official.insert(
            into: "display_names",
            [
                "user_id": profile, "local_display_name": name, "ldn_base": base, "ldn_suffix": suffix,
                "created_at": text(time), "updated_at": text(time),
            ])
        return name
    }

    /// Takes the first of `name`, `name_1`, `name_2`... that is free.
    func takeFreeName(_ name: String, in profile: Int64, at time: Timestamp) throws -> String {
        var candidate = name, number = 0
        while names[profile]?.contains(candidate) == true {
            number += 1
            candidate = "\(name)_\(number)"
        }
        return try takeName(candidate, of: name, in: profile, at: time)
    }

    /// The name that its owner chose, and the number that makes it unique.
    private static func parts(of name: String, _ displayName: String) -> (String, Int64) {
        guard name.hasPrefix(displayName + "_"),
            let number = Int64(name.dropFirst(displayName.count + 1)), number > 0, "\(displayName)_\(number)" == name
        else { return (name, 0) }
        return (displayName, number)
    }

    // MARK: - Profiles

    /// Writes a profile of a contact or a member. Returns its number.
    func writeProfile(
        _ profile: Profile, of owner: Int64, alias: String = "", isIncognito: Bool = false, at time: Timestamp
    ) throws -> Int64 {
        lastProfile += 1
        let link = profile.contactLink.flatMap { OfficialContent.contactLink($0) }
        try official.insert(
            into: "contact_profiles",
            [
                "contact_profile_id": lastProfile, "display_name": profile.displayName, "full_name": profile.fullName,
                "created_at": text(time), "updated_at": text(time), "image": profile.image, "user_id": owner,
                "incognito": isIncognito ? true : nil, "local_alias": alias,
                "preferences": OfficialContent.preferences(profile.preferences), "contact_link": link.map(blob),
                "short_descr": profile.shortDescription,
                "chat_peer_type": profile.peerType.flatMap { [.human, .bot].contains($0) ? $0.rawValue : nil },
            ])
        try writeOthers(profile.otherFields, of: lastProfile)
        return lastProfile
    }

    /// Writes the fields of later versions.
    private func writeOthers(_ fields: JSONObject, of number: Int64) throws {
        var fields = fields
        if version != .version6, let claim = fields["contactDomain"]?.object, let domain = claim["domain"]?.string {
            fields["contactDomain"] = nil
            try official.run(
                "UPDATE contact_profiles SET contact_domain = ?, contact_domain_proof = ? WHERE contact_profile_id = ?",
                domain, claim["proof"].map { String(decoding: $0.encoded, as: UTF8.self) }, number)
        }
        if !fields.isEmpty { note(.profileFields) }
    }

    /// Writes a profile that was made up, once for each profile of the user. Returns its number.
    func incognitoProfile(_ stored: String, of owner: Int64, at time: Timestamp) throws -> Int64 {
        let key = IncognitoKey(profile: owner, text: stored)
        if let known = incognito[key] { return known }
        var profile = StoredProfile(text: stored).profile
        // It is written as the official program makes them.
        (profile.preferences, profile.contactLink) = (nil, nil)
        let reduced = IncognitoKey(profile: owner, text: StoredProfile(profile).text)
        let number =
            try incognito[reduced] ?? writeProfile(profile, of: owner, isIncognito: true, at: time)
        incognito[key] = number
        incognito[reduced] = number
        return number
    }

    // MARK: - Values

    /// A time as the official databases have it.
    func text(_ time: Timestamp) -> String { ForeignTime.text(time) }

    func text(_ time: Timestamp?) -> String? { time.map(ForeignTime.text) }

    /// A word that stands in a blob in versions before 6.5.
    func word(_ text: String) -> any SQLBindable { version == .version6 ? blob(text) : text }

    /// A text that stands in a blob there.
    func blob(_ text: String) -> Bytes { Bytes(text.utf8) }

    /// A random id in the form of the official program.
    func randomID() -> Bytes { blob(Base64URL.encode(SystemRandom().bytes(12))) }

    /// Writes a message, of which an entry is made or which waits to be sent. Returns its number.
    func writeMessage(
        isSent: Bool, event: String, body: Bytes = [], id: Bytes?, connection: Int64? = nil, group: Int64? = nil,
        author: Int64? = nil, forwarder: Int64? = nil, profile: Int64? = nil, at time: Timestamp
    ) throws -> Int64 {
        let number = nextMessage
        nextMessage += 1
        try official.insert(
            into: "messages",
            [
                "message_id": number, "msg_sent": isSent, "chat_msg_event": event, "msg_body": body,
                "created_at": text(time), "updated_at": text(time), "connection_id": connection, "group_id": group,
                "shared_msg_id": id, "shared_msg_id_user": isSent ? true : nil, "author_group_member_id": author,
                "forwarded_by_group_member_id": forwarder,
            ])
        return number
    }
}

extension Row {
    mutating func optionalInteger() throws(StoreError) -> Int64? {
        try optional { row throws(StoreError) in try row.int64() }
    }

    mutating func optionalText() throws(StoreError) -> String? {
        try optional { row throws(StoreError) in try row.text() }
    }

    mutating func optionalBytes() throws(StoreError) -> Bytes? {
        try optional { row throws(StoreError) in try row.bytes() }
    }

    mutating func optionalTime() throws(StoreError) -> Timestamp? {
        try optional { row throws(StoreError) in try row.timestamp() }
    }

    mutating func optionalBool() throws(StoreError) -> Bool? {
        try optional { row throws(StoreError) in try row.bool() }
    }
}
