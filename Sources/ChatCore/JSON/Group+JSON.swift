import AgentProtocol
public import ByteCoding
import ChatProtocol
public import JSONCoding

extension Group: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        var settings = try fields.object("chatSettings")
        var marks = try ChatMarks(from: &fields)
        marks.isFavorite = try settings.bool("favorite")
        marks.tags = try fields.elements("chatTags").compactMap(\.integer).map { TagID($0) }
        let profile: GroupProfile = try fields.required("groupProfile")
        var summary = try fields.object("groupSummary")
        self.init(
            id: GroupID(try fields.integer("groupId")), profileID: ProfileID(try fields.integer("userId")),
            name: try fields.text("localDisplayName"), storedProfile: StoredGroupProfile(profile),
            membership: try fields.required("membership"), unreadCount: try fields.count("unreadCount"),
            unreadMentions: try fields.count("unreadMentions"), createdAt: try fields.timestamp("createdAt"),
            updatedAt: try fields.timestamp("updatedAt"), activeAt: try fields.optionalTimestamp("chatTs"),
            retention: Retention(ttl: try fields.optionalInteger("chatItemTTL")),
            expiry: try fields.optionalInteger("messageTTL"), marks: marks, alias: try fields.text("localAlias"),
            notifications: try settings.word("enableNtfs", Notifications.init(rawValue:)),
            sendsReceipts: try settings.optionalBool("sendRcpts"), business: try fields.optional("businessChat"),
            prepared: try fields.optional("preparedGroup"),
            joinedLink: try fields.optionalText("viaGroupLinkUri"),
            profileSentAt: try fields.optionalTimestamp("userMemberProfileSentAt"),
            attentionCount: try fields.count("membersRequireAttention"),
            memberCount: try summary.count("currentMembers"),
            reportCount: try fields.optionalInteger("reportsCount").flatMap(Int.init(exactly:)) ?? 0)
        if try fields.optionalBool("useRelays") ?? false, let publicGroup = profile.publicGroup {
            var channel = Channel(publicID: publicGroup.id)
            channel.ownStatus = try fields.optionalWord("relayOwnStatus", RelayStatus.init(rawValue:))
            channel.memberCount = try summary.optionalInteger("publicMemberCount")
            channel.rosterVersion = try fields.optionalInteger("rosterVersion")
            self.channel = channel
        }
    }

    /// `GroupInfo` of the API.
    public var fields: JSONObject {
        // Read once, because it is read from text.
        let profile = profile
        var fields: JSONObject = [
            "groupId": .integer(id.number), "useRelays": .bool(isChannel), "localDisplayName": .string(name),
            "groupProfile": profile.json, "localAlias": .string(alias),
        ]
        var summary: JSONObject = ["currentMembers": .integer(Int64(memberCount))]
        summary.set("publicMemberCount", channel?.memberCount)
        fields["groupSummary"] = .object(summary)
        fields.set("groupDomainVerified", NameCheck.verified(profile.publicGroup?.access?.claim, prepared?.name))
        fields.set("relayOwnStatus", channel?.ownStatus?.rawValue)
        fields.set("rosterVersion", channel?.rosterVersion)
        fields.set("businessChat", business)
        fields["fullGroupPreferences"] = (profile.preferences ?? GroupPreferences()).full.json
        fields["membership"] = membership.json
        var settings: JSONObject = ["enableNtfs": .string(notifications.rawValue)]
        settings.set("sendRcpts", sendsReceipts)
        settings.set("favorite", marks.isFavorite)
        fields["chatSettings"] = .object(settings)
        fields.set("createdAt", createdAt.apiText)
        fields.set("updatedAt", updatedAt.apiText)
        fields.set("chatTs", activeAt?.apiText)
        fields.set("userMemberProfileSentAt", profileSentAt?.apiText)
        fields.set("preparedGroup", prepared)
        fields["chatTags"] = .array(marks.tags.map { .integer($0.number) })
        fields.set("chatItemTTL", retention.ttl)
        fields.set("membersRequireAttention", attentionCount)
        fields.set("viaGroupLinkUri", joinedLink)
        marks.set(in: &fields)
        // The official core has these elsewhere, or not at all.
        fields.set("userId", profileID.number)
        fields.set("unreadCount", unreadCount)
        fields.set("unreadMentions", unreadMentions)
        fields.set("reportsCount", reportCount)
        fields.set("messageTTL", expiry)
        return fields
    }
}

extension PreparedGroup: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            link: try fields.required("connLinkToConnect"),
            isStarted: try fields.bool("connLinkStartedConnection"),
            welcomeID: try fields.optionalID("welcomeSharedMsgId"),
            requestID: try fields.optionalID("requestSharedMsgId"), name: try fields.optional("nameCheck"))
    }

    /// `PreparedGroup` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = [
            "connLinkToConnect": link.json, "connLinkPreparedConnection": .bool(isStarted),
            "connLinkStartedConnection": .bool(isStarted),
        ]
        fields["welcomeSharedMsgId"] = welcomeID?.json
        fields["requestSharedMsgId"] = requestID?.json
        // The official core has it elsewhere.
        fields.set("nameCheck", name)
        return fields
    }
}

extension GroupLink: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            groupID: GroupID(try fields.integer("groupId")),
            connectionID: ConnectionID(try fields.integer("userContactLinkId")),
            link: try fields.required("connLinkContact"), id: try fields.optionalBytes("groupLinkId") ?? [],
            role: GroupRole(rawValue: try fields.text("acceptMemberRole")), createdAt: try fields.timestamp("createdAt")
        )
    }

    /// `GroupLink` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = [
            "userContactLinkId": .integer(connectionID.number), "connLinkContact": link.json,
            "shortLinkDataSet": .bool(link.short != nil), "shortLinkLargeDataSet": .bool(link.short != nil),
            "groupLinkId": .string(Base64URL.encode(id)), "acceptMemberRole": .string(role.rawValue),
        ]
        // The official core has these elsewhere.
        fields.set("groupId", groupID.number)
        fields.set("createdAt", createdAt.apiText)
        return fields
    }
}
