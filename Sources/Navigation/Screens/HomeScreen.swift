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
    public static let word = "profiles"
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

    /// The profile only: without the contact of its only conversation it has a home of another kind.
    public var subjects: [Subject] { [.profile(profile)] }

    /// The contact of the only conversation.
    public var contact: Int64? {
        if case .conversation(let contact) = kind { contact } else { nil }
    }

    public var parent: (any Screen)? { HubScreen() }
    public var addressParts: [AddressPart] { [.word(HomeScreen.word), .name(.profile(profile))] }

    /// `profiles/work`. The kind is that of the list: who shows the screen is told which it is.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> HomeScreen? {
        guard parent.isA(HomeScreen.self) || parent.isA(HubScreen.self), reader.skip(word) else { return nil }
        return HomeScreen(profile: try await reader.subject(.profile).number, kind: .chats)
    }
}
