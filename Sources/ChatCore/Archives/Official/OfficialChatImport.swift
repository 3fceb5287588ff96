import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import Store

/// Takes everything of an official chat database over into an empty one of this program.
///
/// Profiles, contacts, groups, members, connections, entries and files keep their numbers, so that what refers to them can be
/// taken over as it is. Every value is checked when it is read: the database may come from anybody.
final class OfficialChatImport {
    let tables: ForeignTables
    let agent: OfficialAgent
    let store: ChatStore
    let now: Timestamp
    /// The names of the files in the archive.
    let fileNames: Set<String>
    private(set) var remainders: [ImportRemainder: Int] = [:]

    /// The names that are taken, by profile.
    private var names: [Int64: Set<String>] = [:]
    /// The connections that the agent has to take over, by their ids there.
    var targets: [Bytes: OfficialAgentImport.Target] = [:]
    /// The connections of channels, which the agent leaves alone.
    var untouched: Set<Bytes> = []
    /// The profiles, and which contact each of them is there.
    var profiles: [Int64: OwnRow] = [:]
    /// The groups that were taken over, with the member that is the user.
    var memberships: [Int64: Int64] = [:]
    /// The channels that the user serves, by their numbers. They are kept as they are.
    var channels: [Int64: OfficialChannelRow] = [:]
    /// The chat relays by their numbers there.
    var chatRelays: [Int64: Int64] = [:]
    /// The contacts that were taken over.
    var contacts: Set<Int64> = []
    /// The members that were taken over, with their groups.
    var members: [Int64: Int64] = [:]
    /// The members by group and the id that all members know them by.
    var memberIDs: [Int64: [Bytes: Int64]] = [:]
    /// Those ids by member.
    var memberKeys: [Int64: Bytes] = [:]
    /// The notes by their number there.
    var notes: [Int64: Int64] = [:]
    /// The connections that were taken over.
    var connections: Set<Int64> = []
    /// The entries that were taken over, by their numbers there.
    var items: [Int64: Int64] = [:]

    /// A profile of the user.
    struct OwnRow {
        let contactID: Int64
        let profile: Profile
    }

    init(
        _ official: Database, _ agent: OfficialAgent, into store: ChatStore, fileNames: Set<String>, at now: Timestamp
    ) {
        tables = ForeignTables(official)
        self.agent = agent
        self.store = store
        self.fileNames = fileNames
        self.now = now
    }

    var database: Database { store.database }

    func note(_ remainder: ImportRemainder, _ count: Int = 1) {
        if count > 0 { remainders[remainder, default: 0] += count }
    }

    /// Takes everything over but what the agent knows, as one transaction.
    func run() throws {
        try store.transaction {
            try takeProfiles()
            try takeSettings()
            try takeChatRelays()
            try takeGroups()
            try takeContacts()
            try takeMembers()
            try takeConnections()
            try takeLinks()
            try takeRequests()
            try takeNotes()
            try takeItems()
            try takeFiles()
            try takeGroupMessages()
            try takeTags()
            try takeProbes()
            try keepChannels()
            try finishChats()
            try countRest()
        }
    }

    /// What is there and has no place here.
    private func countRest() throws {
        note(.devices, try tables.count("remote_hosts") + tables.count("remote_controllers"))
        note(.appSettings, try tables.count("app_settings"))
        if try tables.has("ui_themes", in: "users") {
            note(.themes, try tables.count("users", where: "ui_themes IS NOT NULL"))
        }
        note(.calls, try tables.count("calls"))
        if try tables.has("badge_proof", in: "contact_profiles") {
            note(.badges, try tables.count("contact_profiles", where: "badge_proof IS NOT NULL"))
        }
        if try tables.has("is_user_chat_relay", in: "users") {
            note(.chatRelays, try tables.count("users", where: "is_user_chat_relay = 1"))
        }
    }

    // MARK: - Names

    /// Takes a name of a profile, or the first of `name_1`, `name_2`... that is free.
    func takeName(_ name: String, in profile: Int64) throws -> String {
        let base = OfficialChatImport.printable(name)
        var taken = names[profile] ?? []
        var candidate = base, number = 0
        while taken.contains(candidate) {
            number += 1
            candidate = "\(base)_\(number)"
        }
        taken.insert(candidate)
        names[profile] = taken
        try store.take(candidate, in: ProfileID(profile))
        return candidate
    }

    /// The name without characters that cannot be printed.
    private static func printable(_ name: String) -> String {
        let scalars = name.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
            default: true
            }
        }
        let text = String(String.UnicodeScalarView(scalars.prefix(255)))
        return text.allSatisfy(\.isWhitespace) ? "unnamed" : text
    }

    // MARK: - Values

    /// Reads the profile of a contact or a member by its number; nil if it is not there.
    func profile(_ id: Int64) throws -> (profile: Profile, alias: String)? {
        try tables.first(
            """
            display_name, full_name, image, preferences, contact_link, local_alias, short_descr, chat_peer_type,
            description, contact_domain, contact_domain_proof
            """, from: "contact_profiles", "WHERE contact_profile_id = ?", id
        ) { row throws(StoreError) in
            let displayName = try row.foreignText(), fullName = try row.foreignText()
            let image = try row.optional { row throws(StoreError) in try row.foreignText() }
            let preferences = try row.optional { row throws(StoreError) in try row.foreignJSON() }
            let link = try row.optional { row throws(StoreError) in try row.foreignText() }
            let alias = try row.optional { row throws(StoreError) in try row.foreignText() } ?? ""
            let description = try row.optional { row throws(StoreError) in try row.foreignText() }
            let peerType = try row.optional { row throws(StoreError) in try row.foreignText() }
            var others: JSONObject = [:]
            others.set("description", try row.optionalForeignText())
            if let domain = try row.optionalForeignText() {
                var claim: JSONObject = ["domain": .string(domain)]
                claim["proof"] = try row.optional { row throws(StoreError) in try row.foreignJSON() }
                others["contactDomain"] = .object(claim)
            }
            let profile = Profile(
                displayName: displayName, fullName: fullName, shortDescription: description, image: image,
                contactLink: link, preferences: preferences, peerType: peerType.map(PeerType.init(rawValue:)),
                otherFields: others)
            return (profile.withBoundedImage, alias)
        }
    }

    /// Reads the profile of a group by its number.
    func groupProfile(_ id: Int64) throws -> GroupProfile? {
        try tables.first(
            """
            display_name, full_name, image, preferences, description, member_admission, short_descr, group_type, group_link,
            public_group_id, group_web_page, group_domain, domain_web_page, allow_embedding, group_domain_proof
            """, from: "group_profiles", "WHERE group_profile_id = ?", id
        ) { row throws(StoreError) in
            var fields: JSONObject = [:]
            fields.set("displayName", try row.foreignText())
            fields.set("fullName", try row.foreignText())
            fields.set("image", try row.optional { row throws(StoreError) in try row.foreignText() })
            fields["groupPreferences"] = try row.optional { row throws(StoreError) in try row.foreignJSON() }
            fields.set("description", try row.optional { row throws(StoreError) in try row.foreignText() })
            fields["memberAdmission"] = try row.optional { row throws(StoreError) in try row.foreignJSON() }
            fields.set("shortDescr", try row.optional { row throws(StoreError) in try row.foreignText() })
            fields.set("publicGroup", try row.officialPublicGroup())
            guard let profile = try? GroupProfile(decoding: JSONValue.object(fields).encoded) else {
                throw StoreError(.damaged)
            }
            return profile
        }
    }

    /// The canonical text of a full link; the text itself for one that this program does not know.
    static func link(_ text: String) -> String {
        (try? ConnectionRequest(text: text))?.description ?? text
    }

    /// The versions that a peer speaks, as text.
    static func versions(_ minimum: Int64, _ maximum: Int64) throws(StoreError) -> String {
        guard let low = UInt16(exactly: minimum), let high = UInt16(exactly: maximum), low <= high else {
            throw StoreError(.damaged)
        }
        return VersionRange(low, high).description
    }
}

extension Row {
    /// Reads the number of a row: a positive one that leaves room for others behind it.
    mutating func foreignID() throws(StoreError) -> Int64 { try int64(in: 1...1 << 53) }

    mutating func optionalForeignID() throws(StoreError) -> Int64? {
        try optional { row throws(StoreError) in try row.foreignID() }
    }

    mutating func foreignJSON() throws(StoreError) -> JSONValue {
        let text = try foreignText()
        guard let value = try? JSONValue(decoding: Bytes(text.utf8)) else { throw StoreError(.damaged) }
        return value
    }

    /// Reads the public part of a group profile; nil for a regular group.
    fileprivate mutating func officialPublicGroup() throws(StoreError) -> PublicGroup? {
        let kind = try optionalForeignText(), link = try optionalForeignText(), id = try optionalSharedID()
        let page = try optionalForeignText(), domain = try optionalForeignText()
        let hasDomainPage = try optional { row throws(StoreError) in try row.bool() }
        let allowsEmbedding = try optional { row throws(StoreError) in try row.bool() }
        let proof = try optional { row throws(StoreError) in try row.foreignJSON() }
        guard let kind, let link, let id else { return nil }
        var publicGroup = PublicGroup(PublicGroup.Kind(rawValue: kind), link: link, id: id)
        if page != nil || domain != nil || hasDomainPage != nil || allowsEmbedding != nil {
            var claim: JSONObject?
            if let domain {
                claim = ["domain": .string(domain)]
                claim?["proof"] = proof
            }
            publicGroup.access = PublicGroupAccess(
                webPage: page, domainClaim: claim.map(JSONValue.object), hasDomainPage: hasDomainPage ?? false,
                allowsEmbedding: allowsEmbedding ?? false)
        }
        return publicGroup
    }

    mutating func optionalForeignText() throws(StoreError) -> String? {
        try optional { row throws(StoreError) in try row.foreignText() }
    }

    mutating func optionalForeignBytes() throws(StoreError) -> Bytes? {
        try optional { row throws(StoreError) in try row.foreignBytes() }
    }

    mutating func optionalForeignTime() throws(StoreError) -> Timestamp? {
        try optional { row throws(StoreError) in try row.foreignTime() }
    }

    /// Reads an id of the protocol, up to 255 bytes.
    mutating func optionalSharedID() throws(StoreError) -> Bytes? {
        guard let bytes = try optionalForeignBytes() else { return nil }
        guard (1...255).contains(bytes.count) else { throw StoreError(.damaged) }
        return bytes
    }

    /// Reads a word of a closed list.
    mutating func foreignWord<Word: RawRepresentable<String>>() throws(StoreError) -> Word {
        guard let word = Word(rawValue: try foreignText()) else { throw StoreError(.damaged) }
        return word
    }
}
