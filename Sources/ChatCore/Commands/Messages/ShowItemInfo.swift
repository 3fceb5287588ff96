public import ByteCoding
import ChatProtocol
public import JSONCoding

/// Shows a message with everything that it said. (`/_get item info @1 7`)
public struct ShowItemInfo: ChatCommand {
    public var chat: ChatTarget
    public var item: ChatItemID

    public init(_ chat: ChatTarget, _ item: ChatItemID) {
        self.chat = chat
        self.item = item
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_get item info", .chat(\.chat), .item(\.item), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ItemInfo {
        try core.conversations.info(item, in: chat)
    }
}

/// A message, its versions with the newest first, and the one that it was taken from.
public struct ItemInfo: SimpleResponse {
    public let profile: OwnProfile
    public let item: LocatedItem
    public let versions: [ItemVersion]
    /// The original of a forwarded message; nil for other messages, and if the original was deleted.
    public let source: LocatedItem?
    /// What became of an own message of a group at each member.
    public var deliveries: [Delivery] = []

    /// What became of a message at one member.
    public struct Delivery: Hashable, Sendable {
        public let member: GroupMemberID
        public let state: MemberDelivery
    }

    public static let type = "chatItemInfo"

    init(profile: OwnProfile, item: LocatedItem, versions: [ItemVersion], source: LocatedItem?) {
        self.profile = profile
        self.item = item
        self.versions = versions
        self.source = source
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        var info = try fields.object("chatItemInfo")
        self.init(
            profile: try fields.required("user"), item: try fields.required("chatItem"),
            versions: try info.list("itemVersions"), source: try info.optional("forwardedFromChatItem"))
        if info.rest["memberDeliveryStatuses"] != nil { deliveries = try info.list("memberDeliveryStatuses") }
    }

    public var fields: JSONObject {
        // The official core names the relays of a file whose description it has.
        var info: JSONObject = ["itemVersions": .array(versions.map(\.json)), "fileXftpServers": []]
        info.set("forwardedFromChatItem", source)
        if !deliveries.isEmpty { info["memberDeliveryStatuses"] = .array(deliveries.map(\.json)) }
        return ["user": profile.json, "chatItem": item.json, "chatItemInfo": .object(info)]
    }
}

extension ItemInfo.Delivery: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        var status = try fields.object("memberDeliveryStatus")
        self.init(
            member: GroupMemberID(try fields.integer("groupMemberId")),
            state: try status.word("state", MemberDelivery.init(rawValue:)))
    }

    /// `MemberDeliveryStatus` of the API.
    public var fields: JSONObject {
        var status = state.fields
        // The official core tells some of them in the same words.
        status.set("state", state.rawValue)
        return [
            "groupMemberId": .integer(member.number), "memberDeliveryStatus": .object(status), "sentViaProxy": false,
        ]
    }
}

extension MemberDelivery {
    /// `GroupSndStatus` of the API.
    fileprivate var fields: JSONObject {
        switch self {
        case .owed, .new, .withdrawn: ["type": "new"]
        case .pending, .inactive: ["type": "inactive"]
        case .forwarded: ["type": "forwarded"]
        case .sent: ["type": "sent"]
        case .received: ["type": "rcvd", "msgRcptStatus": "ok"]
        case .receivedAltered: ["type": "rcvd", "msgRcptStatus": "badMsgHash"]
        case .error: ["type": "error", "agentError": .object(["type": "auth"])]
        }
    }
}

extension ItemVersion: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            number: try fields.integer("chatItemVersionId"), content: try fields.required("msgContent"),
            time: try fields.timestamp("itemVersionTs"), createdAt: try fields.timestamp("createdAt"))
    }

    /// `ChatItemVersion` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["chatItemVersionId": .integer(number), "msgContent": content.json]
        fields["formattedText"] = FormattedText.json(of: content.text)
        fields.set("itemVersionTs", time.apiText)
        fields.set("createdAt", createdAt.apiText)
        return fields
    }
}
