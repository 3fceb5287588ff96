public import ByteCoding
public import JSONCoding

/// Creates a tag of the active profile. (`/_create tag {"text":"work","emoji":"💼"}`)
public struct CreateTag: ChatCommand {
    public var tag: TagText

    public init(_ tag: TagText) {
        self.tag = tag
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_create tag", .json(\.tag), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> TagList {
        let profile = try core.lookup.activeProfile()
        try core.store.transaction {
            try core.profiles.checkTag(tag, of: profile)
            try core.store.insertTag(tag.text, emoji: tag.emoji, of: profile.id)
        }
        return try TagList(of: profile, core.store)
    }
}

/// What a tag says.
public struct TagText: Hashable, Sendable, JSONObjectCodable {
    public let text: String
    public let emoji: String?

    public init(_ text: String, emoji: String? = nil) {
        self.text = text
        self.emoji = emoji
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.text("text"), emoji: try fields.optionalText("emoji"))
    }

    /// `ChatTagData` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["text": .string(text)]
        fields.set("emoji", emoji)
        return fields
    }
}

extension Profiles {
    /// Throws if another tag of a profile has the same text or emoji.
    func checkTag(_ tag: TagText, of profile: OwnProfile, besides id: TagID? = nil) throws {
        let others = try store.tags(of: profile.id).filter { $0.id != id }
        guard !others.contains(where: { $0.text == tag.text }) else { throw ChatError.tagTaken(tag.text) }
        if let emoji = tag.emoji, others.contains(where: { $0.emoji == emoji }) { throw ChatError.tagTaken(emoji) }
    }
}
