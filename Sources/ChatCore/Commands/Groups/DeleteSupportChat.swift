public import ByteCoding
public import JSONCoding

/// Deletes the conversation of a member of a group with the moderators, here only. (`/_delete member chat #1 2`)
public struct DeleteSupportChat: ChatCommand {
    public var chat: ChatTarget
    public var member: GroupMemberID

    public init(_ chat: ChatTarget, _ member: GroupMemberID) {
        self.chat = chat
        self.member = member
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_delete member chat", .chat(\.chat), .memberNumber(\.member), make: Self.init))

    public func effect(of response: SupportChatDeleted) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> SupportChatDeleted {
        let group = try core.conversations.moderated(chat), member = try core.lookup.member(member, of: group)
        // What it says is still to be decided on.
        guard !member.status.isPending else { throw ChatError.inGroup(.notCurrentMember) }
        try core.store.transaction { try core.store.removeSupportChat(of: member.id) }
        return SupportChatDeleted(
            profile: try core.lookup.profile(group.profileID),
            group: try core.lookup.group(.reference(.group(group.id))),
            member: try core.lookup.member(member.id, of: group))
    }
}

/// A member whose conversation with the moderators was deleted.
public struct SupportChatDeleted: SimpleResponse {
    public let profile: OwnProfile
    public let group: Group
    public let member: GroupMember

    public static let type = "memberSupportChatDeleted"

    init(profile: OwnProfile, group: Group, member: GroupMember) {
        self.profile = profile
        self.group = group
        self.member = member
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            member: try fields.required("member"))
    }

    public var fields: JSONObject {
        ["user": profile.json, "groupInfo": group.json, "member": member.json]
    }
}

extension Argument where Value == GroupMemberID {
    /// `2`: a member of a group.
    fileprivate static func memberNumber(_ value: @escaping @Sendable (Command) -> GroupMemberID) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in GroupMemberID(try reader.integer()) },
            write: { "\(value($0).number)" })
    }
}
