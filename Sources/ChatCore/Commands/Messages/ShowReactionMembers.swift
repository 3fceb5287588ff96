public import AgentProtocol
public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// Tells which members of a group gave a message a reaction. (`/_reaction members 1 #1 7 {"type":"emoji","emoji":"..."}`)
public struct ShowReactionMembers: ChatCommand {
    public var profile: ProfileID
    public var chat: ChatTarget
    public var item: ChatItemID
    public var reaction: Reaction

    public init(_ profile: ProfileID, _ chat: ChatTarget, _ item: ChatItemID, _ reaction: Reaction) {
        self.profile = profile
        self.chat = chat
        self.item = item
        self.reaction = reaction
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form(
            "/_reaction members", .profile(\.profile), .chat(\.chat), .item(\.item), .json(\.reaction), make: Self.init)
    )

    public func perform(on core: isolated LocalCore) async throws -> ReactionMembers {
        let profile = try core.lookup.profile(profile)
        return ReactionMembers(
            profile: profile,
            members: try core.conversations.members(thatGave: reaction, to: item, in: chat, of: profile.id))
    }
}

/// The members that gave a message a reaction, in the order in which they did.
public struct ReactionMembers: SimpleResponse {
    public let profile: OwnProfile
    public let members: [MemberReaction]

    public static let type = "reactionMembers"

    init(profile: OwnProfile, members: [MemberReaction]) {
        self.profile = profile
        self.members = members
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), members: try fields.list("memberReactions"))
    }

    public var fields: JSONObject {
        ["user": profile.json, "memberReactions": .array(members.map(\.json))]
    }
}

extension MemberReaction: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(member: try fields.required("groupMember"), time: try fields.timestamp("reactionTs"))
    }

    /// `MemberReaction` of the API.
    public var fields: JSONObject {
        ["groupMember": member.json, "reactionTs": .string(time.apiText)]
    }
}
