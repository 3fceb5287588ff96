public import ByteCoding
public import JSONCoding

/// Tells which messages of a chat can be forwarded. (`/_forward plan @1 7,8`)
public struct PlanForward: ChatCommand {
    public var chat: ChatTarget
    public var items: [ChatItemID]

    public init(_ chat: ChatTarget, _ items: [ChatItemID]) {
        self.chat = chat
        self.items = items
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_forward plan", .chat(\.chat), .items(\.items), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ForwardPlan {
        try core.sender.planForward(items, from: chat)
    }
}

/// How many messages were asked for, and those of them that can be forwarded.
public struct ForwardPlan: SimpleResponse {
    public let profile: OwnProfile
    public let count: Int
    public let items: [ChatItemID]

    public static let type = "forwardPlan"

    init(profile: OwnProfile, count: Int, items: [ChatItemID]) {
        self.profile = profile
        self.count = count
        self.items = items
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        count = try fields.count("itemsCount")
        items = try fields.integers("chatItemIds").map { ChatItemID($0) }
    }

    public var fields: JSONObject {
        [
            "user": profile.json, "itemsCount": .integer(Int64(count)),
            "chatItemIds": .array(items.map { .integer($0.number) }),
        ]
    }
}
