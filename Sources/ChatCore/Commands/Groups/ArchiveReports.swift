public import ByteCoding
public import JSONCoding

/// Marks all reports of a group as settled, here only. (`/_archive reports #1`)
public struct ArchiveReports: ChatCommand {
    public var chat: ChatTarget

    public init(_ chat: ChatTarget) {
        self.chat = chat
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_archive reports", .chat(\.chat), make: Self.init))

    public func effect(of response: ReportsArchived) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> ReportsArchived {
        try core.conversations.archiveReports(in: chat)
    }
}

/// The reports of a group that the user settled.
public struct ReportsArchived: SimpleResponse {
    public let profile: OwnProfile
    public let group: Group
    public let items: [ChatItemID]
    /// The user as a member.
    public let member: GroupMember

    public static let type = "groupChatItemsDeleted"

    init(profile: OwnProfile, group: Group, items: [ChatItemID], member: GroupMember) {
        self.profile = profile
        self.group = group
        self.items = items
        self.member = member
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            items: try fields.integers("chatItemIDs").map { ChatItemID($0) }, member: try fields.required("member_"))
    }

    public var fields: JSONObject {
        [
            "user": profile.json, "groupInfo": group.json,
            "chatItemIDs": .array(items.map { .integer($0.number) }), "byUser": true, "member_": member.json,
        ]
    }
}
