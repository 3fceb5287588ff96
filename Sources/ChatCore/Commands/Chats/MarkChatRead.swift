public import ByteCoding
import ChatProtocol
public import JSONCoding

/// Marks all messages of a chat as read. (`/_read chat @1`, `/_read chat #1(_support:2)`, `/read @name`)
public struct MarkChatRead: ChatCommand {
    public var chat: ChatTarget

    public init(_ chat: ChatTarget) {
        self.chat = chat
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_read chat", .chat(\.chat), make: Self.init), Form("/read", .chat(\.chat), make: Self.init))

    public func effect(of response: ChatRead) -> SessionEffect? {
        response.profile.flatMap { .visible($0, .listsChanged) }
    }

    public func perform(on core: isolated LocalCore) async throws -> ChatRead {
        let chat = try core.lookup.chat(chat)
        try core.store.transaction {
            try core.store.markRead(chat.reference, support: chat.supportID, at: core.now)
        }
        try core.expiry.schedule()
        let profile = try core.lookup.profile(chat.profileID)
        guard let group = chat.group, let supportID = group.supportID else { return .chat(CommandOK(profile)) }
        return .support(
            profile, try core.lookup.group(.reference(.group(group.id))),
            try core.lookup.member(supportID, of: group))
    }
}

/// What was marked as read: a chat, or the conversation of a member of a group with the moderators.
public enum ChatRead: ChatResponse {
    case chat(CommandOK)
    case support(OwnProfile, Group, GroupMember)

    public var profile: OwnProfile? {
        switch self {
        case .chat(let ok): ok.profile
        case .support(let profile, _, _): profile
        }
    }

    public var type: String {
        switch self {
        case .chat: CommandOK.type
        case .support: "memberSupportChatRead"
        }
    }

    public var fields: JSONObject {
        switch self {
        case .chat(let ok): ok.fields
        case .support(let profile, let group, let member):
            ["user": profile.json, "groupInfo": group.json, "member": member.json]
        }
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        guard type == "memberSupportChatRead" else {
            self = .chat(try CommandOK(type: type, from: &fields))
            return
        }
        self = .support(
            try fields.required("user"), try fields.required("groupInfo"), try fields.required("member"))
    }
}
