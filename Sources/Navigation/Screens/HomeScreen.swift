public import ByteCoding
public import JSONCoding

/// What a profile opens with, directly above the hub and nowhere else in a path.
public struct HomeScreen: Screen {
    /// What the home of a profile shows.
    public enum Kind: Hashable, Sendable {
        /// The list of its conversations.
        case chats
        /// The only conversation of a one-to-one profile, by the number of its contact.
        case conversation(Int64)
    }

    public static let name = "home"
    public static let isSingleton = true

    /// The number of the profile.
    public let profile: Int64
    public let kind: Kind

    public init(profile: Int64, kind: Kind) {
        self.profile = profile
        self.kind = kind
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.integer("profile")
        kind = try fields.optionalInteger("contact").map { .conversation($0) } ?? .chats
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["profile": .integer(profile)]
        fields.set("contact", contact)
        return fields
    }

    public var subjects: [Subject] {
        [.profile(profile)] + (contact.map { [.contact($0)] } ?? [])
    }

    /// The contact of the only conversation.
    public var contact: Int64? {
        if case .conversation(let contact) = kind { contact } else { nil }
    }
}
