public import ByteCoding
public import JSONCoding

/// A relay of an own channel that has come further, or does not serve the channel.
public struct ChannelRelayEvent: GroupChatEvent {
    public static let type = "groupRelayUpdated"
    public static let slugs = ["channel.relay"]

    public let profile: OwnProfile
    public let group: Group
    public let member: GroupMember
    public let relay: GroupRelay

    public var fields: JSONObject {
        ["user": profile.json, "groupInfo": group.json, "member": member.json, "groupRelay": relay.json]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            member: try fields.required("member"), relay: try fields.required("groupRelay"))
    }

    public var notice: EventNotice? {
        EventNotice("channel.relay", group, member, "uses the chat relay \(untrusted: member.name): \(word: words)")
    }

    public var trace: EventText { "chat relay of \(Chat.group(group)): \(word: relay.status.rawValue)" }

    /// How far the relay is, for people.
    private var words: String {
        switch relay.status {
        case .new, .invited: "asked"
        case .accepted: "accepted"
        case .acknowledgedRoster: "ready"
        case .active: "in use"
        case .inactive: "not in use"
        case .rejected: "refused"
        }
    }
}

/// The link of an own channel that shows what it should by now.
public struct ChannelLinkEvent: GroupChatEvent {
    public static let type = "groupLinkDataUpdated"
    public static let slugs = ["channel.link"]

    public let profile: OwnProfile
    public let group: Group
    public let link: GroupLink
    public let relays: [GroupRelay]
    /// Whether the link shows other relays than before.
    public let isRelaysChanged: Bool

    public var fields: JSONObject {
        [
            "user": profile.json, "groupInfo": group.json, "groupLink": link.json,
            "groupRelays": .array(relays.map(\.json)), "relaysChanged": .bool(isRelaysChanged),
        ]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            link: try fields.required("groupLink"), relays: try fields.list("groupRelays"),
            isRelaysChanged: try fields.bool("relaysChanged"))
    }

    public var notice: EventNotice? {
        isRelaysChanged ? EventNotice("channel.link", group, nil, "has other chat relays in its link now") : nil
    }

    public var trace: EventText { "link of \(Chat.group(group)) published" }
}
