public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Lists the tags of a profile in their order. (`/_get tags 1`)
public struct ListTags: ChatCommand {
    public var profile: ProfileID

    public init(_ profile: ProfileID) {
        self.profile = profile
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_get tags", .profile(\.profile), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> TagList {
        try TagList(of: try core.lookup.profile(profile), core.store)
    }
}

/// The tags of a profile in their order.
public struct TagList: SimpleResponse {
    public let profile: OwnProfile
    public let tags: [ChatTag]

    public static let type = "chatTags"

    public var fields: JSONObject { ["user": profile.json, "userTags": .array(tags.map(\.json))] }

    init(profile: OwnProfile, tags: [ChatTag]) {
        self.profile = profile
        self.tags = tags
    }

    init(of profile: OwnProfile, _ store: ChatStore) throws {
        self.init(profile: profile, tags: try store.tags(of: profile.id))
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), tags: try fields.list("userTags"))
    }
}

extension ChatTag: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            id: TagID(try fields.integer("chatTagId")), text: try fields.text("chatTagText"),
            emoji: try fields.optionalText("chatTagEmoji"))
    }

    /// `ChatTag` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["chatTagId": .integer(id.number), "chatTagText": .string(text)]
        fields.set("chatTagEmoji", emoji)
        return fields
    }
}
