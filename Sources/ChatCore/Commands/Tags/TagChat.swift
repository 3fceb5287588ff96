public import ByteCoding
public import JSONCoding

/// Sets the tags of a chat. (`/_tags @1 1,2`, `/_tags @1`)
public struct TagChat: ChatCommand {
    public var chat: ChatTarget
    public var tags: [TagID]

    public init(_ chat: ChatTarget, _ tags: [TagID]) {
        self.chat = chat
        self.tags = tags
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_tags", .chat(\.chat), .tags(\.tags), make: Self.init))

    public func effect(of response: ChatTagged) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> ChatTagged {
        let chat = try core.lookup.chat(chat), profile = try core.lookup.profile(chat.profileID)
        let known = try core.store.tags(of: profile.id)
        try core.store.transaction {
            try core.store.setTags(tags.filter { tag in known.contains { $0.id == tag } }, of: chat.reference)
        }
        return ChatTagged(
            profile: profile, known: known, tags: try core.lookup.chat(chat.reference).marks.tags)
    }
}

/// The tags of a profile, and those of the chat that was given some.
public struct ChatTagged: SimpleResponse {
    public let profile: OwnProfile
    public let known: [ChatTag]
    public let tags: [TagID]

    public static let type = "tagsUpdated"

    public var fields: JSONObject {
        [
            "user": profile.json, "userTags": .array(known.map(\.json)),
            "chatTags": .array(tags.map { .integer($0.number) }),
        ]
    }

    init(profile: OwnProfile, known: [ChatTag], tags: [TagID]) {
        self.profile = profile
        self.known = known
        self.tags = tags
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        let tags = try fields.integers("chatTags").map { TagID($0) }
        self.init(profile: try fields.required("user"), known: try fields.list("userTags"), tags: tags)
    }
}

extension Argument where Value == [TagID] {
    /// `1,2`, or nothing.
    static func tags(_ value: @escaping @Sendable (Command) -> [TagID]) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                try reader.word().split(separator: ",").map { word throws(DecodeError) in
                    guard let number = Int64(word) else { throw .invalid("tag") }
                    return TagID(number)
                }
            }, write: { value($0).map { "\($0.number)" }.joined(separator: ",") })
    }
}
