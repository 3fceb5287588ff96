import AgentProtocol
public import ByteCoding
public import JSONCoding

extension Chat: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        switch try fields.text("type") {
        case "direct": self = .direct(try fields.required("contact"))
        case "group":
            var group: Group = try fields.required("groupInfo")
            group.support = try fields.optional("groupChatScope")
            self = .group(group)
        case "local": self = .notes(try fields.required("noteFolder"))
        default: throw .invalid("chatInfo")
        }
    }

    /// `ChatInfo` of the API.
    public var fields: JSONObject {
        switch self {
        case .direct(let contact): ["type": "direct", "contact": contact.json]
        case .group(let group): group.chatFields
        case .notes(let folder): ["type": "local", "noteFolder": folder.json]
        }
    }
}

extension Group {
    /// `ChatInfo` of the API.
    fileprivate var chatFields: JSONObject {
        var fields: JSONObject = ["type": "group", "groupInfo": json]
        fields.set("groupChatScope", support)
        return fields
    }
}

extension SupportScope: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        guard try fields.text("type") == "memberSupport" else { throw .invalid("groupChatScope") }
        let member: GroupMember? = try fields.optional("groupMember_")
        self = member.map { .member($0) } ?? .own
    }

    /// `GroupChatScopeInfo` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["type": "memberSupport"]
        if case .member(let member) = self { fields.set("groupMember_", member) }
        return fields
    }
}

extension NoteFolder: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let activeAt = try fields.timestamp("chatTs")
        var marks = try ChatMarks(from: &fields)
        marks.isFavorite = try fields.bool("favorite")
        marks.isUnread = try fields.bool("unread")
        marks.tags = try fields.elements("chatTags").compactMap(\.integer).map { TagID($0) }
        self.init(
            id: NoteFolderID(try fields.integer("noteFolderId")), profileID: ProfileID(try fields.integer("userId")),
            name: try fields.text("localDisplayName"), unreadCount: try fields.count("unreadCount"),
            createdAt: try fields.timestamp("createdAt"), updatedAt: try fields.timestamp("updatedAt"),
            activeAt: try fields.optionalBool("empty") == true ? nil : activeAt,
            retention: Retention(ttl: try fields.optionalInteger("chatItemTTL")),
            expiry: try fields.optionalInteger("messageTTL"), marks: marks)
    }

    /// `NoteFolder` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = [
            "noteFolderId": .integer(id.number), "userId": .integer(profileID.number),
            "favorite": .bool(marks.isFavorite), "unread": .bool(marks.isUnread),
        ]
        fields.set("createdAt", createdAt.apiText)
        fields.set("updatedAt", updatedAt.apiText)
        fields.set("chatTs", (activeAt ?? createdAt).description)
        // The official core has these elsewhere, or not at all.
        fields.set("localDisplayName", name)
        fields.set("unreadCount", unreadCount)
        fields.set("chatItemTTL", retention.ttl)
        fields.set("messageTTL", expiry)
        marks.set(in: &fields)
        fields["unreadChat"] = nil
        if !marks.tags.isEmpty { fields["chatTags"] = .array(marks.tags.map { .integer($0.number) }) }
        if activeAt == nil { fields["empty"] = true }
        return fields
    }
}

extension Retention {
    /// `chatItemTTL` of the API: nil as the profile has it, 0 for ever.
    init(ttl: Int64?) {
        self =
            switch ttl {
            case nil: .standard
            case 0: .unlimited
            case let seconds?: .limited(seconds: seconds)
            }
    }

    var ttl: Int64? {
        switch self {
        case .standard: nil
        case .unlimited: 0
        case .limited(let seconds): seconds
        }
    }
}

extension ChatReference {
    /// Reads the field that ``idField`` names.
    init(from fields: inout JSONFields) throws(DecodeError) {
        if let number = try fields.optionalInteger("groupId") {
            self = .group(GroupID(number))
        } else if let number = try fields.optionalInteger("noteFolderId") {
            self = .notes(NoteFolderID(number))
        } else {
            self = .direct(ContactID(try fields.integer("contactId")))
        }
    }

    /// The field that has the number of such a chat.
    var idField: String {
        switch self {
        case .direct: "contactId"
        case .group: "groupId"
        case .notes: "noteFolderId"
        }
    }
}
