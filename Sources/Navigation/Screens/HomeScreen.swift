public import ByteCoding
public import JSONCoding

/// The home of a profile, directly above the hub and nowhere else in a path.
public struct HomeScreen: Screen {
    /// The kind of a home.
    public enum Kind: Hashable, Sendable {
        /// The list of conversations.
        case chats
        /// The only conversation of a one-to-one profile, with the number of its contact.
        case conversation(Int64)
    }

    /// The name of the type in stored paths.
    public static let name = "home"
    /// The word in addresses.
    public static let word = "profiles"
    /// True if a path has the screen once.
    public static let isSingleton = true

    /// The number of the profile.
    public let profile: Int64
    /// The kind of the home.
    public let kind: Kind

    /// Creates a home screen from its parts.
    public init(profile: Int64, kind: Kind) {
        self.profile = profile
        self.kind = kind
    }

    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.integer("profile")
        kind = try fields.optionalInteger("contact").map { .conversation($0) } ?? .chats
    }

    /// The fields of the JSON form.
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

    /// The only chat.
    public var chat: ChatSubject? { contact.map { .contact($0) } }

    /// The hub.
    public var parent: (any Screen)? { HubScreen() }
    /// The word and the name of the profile.
    public var addressParts: [AddressPart] { [.word(HomeScreen.word), .name(.profile(profile))] }

    /// Reads `profiles/work`. The kind is that of the list, which ``Finding`` corrects.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> HomeScreen? {
        guard parent.isA(HomeScreen.self) || parent.isA(HubScreen.self), reader.skip(word) else { return nil }
        return HomeScreen(profile: try await reader.profileNumber(), kind: .chats)
    }
}
