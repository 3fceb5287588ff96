public import ByteCoding
public import JSONCoding

/// The settings, or one section of them.
public struct SettingsScreen: Screen {
    /// The sections, by their words in an address.
    public enum Section: String, CaseIterable, Hashable, Sendable {
        /// Notifications.
        case notifications
        /// Network and servers.
        case network = "net"
        /// Privacy.
        case privacy
        /// The databases.
        case database
        /// The profiles.
        case profiles
        /// The look of the session.
        case appearance
    }

    /// The name of the type in stored paths.
    public static let name = "settings"
    /// The word in addresses.
    public static let word = "settings"
    /// True if a path has each section once.
    public static let isSingleton = true

    /// The section; nil for the list of sections.
    public let section: Section?

    /// Creates a settings screen from its parts.
    public init(_ section: Section? = nil) {
        self.section = section
    }

    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let word = try fields.optionalText("section")
        // A section of a later version becomes the list.
        section = word.flatMap { Section(rawValue: $0) }
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = JSONObject()
        fields.set("section", section?.rawValue)
        return fields
    }

    /// No subjects: the settings belong to all profiles.
    public var subjects: [Subject] { [] }

    /// The list, for a section.
    public var parent: (any Screen)? { section == nil ? nil : SettingsScreen() }

    /// The word of the screen or of the section.
    public var addressParts: [AddressPart] { [.word(section?.rawValue ?? SettingsScreen.word)] }

    /// Reads `settings`, or the word of a section after it.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> SettingsScreen? {
        if parent == AnyScreen(SettingsScreen()) {
            return Section.allCases.first { reader.skip($0.rawValue) }.map { SettingsScreen($0) }
        }
        guard parent.isA(HomeScreen.self) || parent.isA(HubScreen.self), reader.skip(word) else { return nil }
        return SettingsScreen()
    }
}
