public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// Adds a reaction to a message, or removes it. (`/_reaction @1 7 on|off {"type":"emoji","emoji":"..."}`)
public struct React: ChatCommand {
    public var chat: ChatTarget
    public var item: ChatItemID
    public var reaction: Reaction
    public var isAdded: Bool

    public init(_ chat: ChatTarget, _ item: ChatItemID, _ reaction: Reaction, isAdded: Bool) {
        self.chat = chat
        self.item = item
        self.reaction = reaction
        self.isAdded = isAdded
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_reaction", .chat(\.chat), .item(\.item), .isOn(\.isAdded), .json(\.reaction)) {
            Self($0, $1, $3, isAdded: $2)
        })

    public func effect(of response: ReactionChanged) -> SessionEffect? {
        .visible(response.profile, .itemChanged(response.item))
    }

    public func perform(on core: isolated LocalCore) async throws -> ReactionChanged {
        guard reaction.isKnown else { throw ChatError.commandSyntax }
        return try core.conversations.react(self)
    }
}

/// A message after an own reaction was added or removed.
public struct ReactionChanged: SimpleResponse {
    public let profile: OwnProfile
    public let item: LocatedItem
    public let reaction: Reaction
    public let isAdded: Bool
    public let time: Timestamp

    public static let type = "chatItemReaction"

    public var fields: JSONObject {
        let user: JSONObject = ["user": profile.json]
        return user.merging(item.json(reaction, .sent, isAdded: isAdded, at: time))
    }

    init(profile: OwnProfile, item: LocatedItem, reaction: Reaction, isAdded: Bool, time: Timestamp) {
        self.profile = profile
        self.item = item
        self.reaction = reaction
        self.isAdded = isAdded
        self.time = time
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        let read = try LocatedItem.reaction(from: &fields)
        (item, reaction, isAdded, time) = (read.item, read.reaction, read.isAdded, read.time)
    }
}
