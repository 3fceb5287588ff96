public import ByteCoding
public import JSONCoding

/// The settings, or one section of them.
public struct SettingsScreen: Screen {
    /// The sections, by their words in a path.
    public enum Section: String, CaseIterable, Hashable, Sendable {
        case notifications
        /// Network and servers.
        case network = "net"
        case privacy
        case database
        case profiles
        case appearance
    }

    public static let name = "settings"
    public static let word = "settings"
    public static let isSingleton = true

    /// The section; nil for the list of all.
    public let section: Section?

    public init(_ section: Section? = nil) {
        self.section = section
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        let word = try fields.optionalText("section")
        // A section of a later version: the list of all is the nearest thing to it.
        section = word.flatMap { Section(rawValue: $0) }
    }

    public var fields: JSONObject {
        var fields = JSONObject()
        fields.set("section", section?.rawValue)
        return fields
    }

    public var subjects: [Subject] { [] }

    /// A section is inside of the list of all.
    public var parent: (any Screen)? { section == nil ? nil : SettingsScreen() }

    public var addressParts: [AddressPart] { [.word(section?.rawValue ?? SettingsScreen.word)] }

    /// `settings`, and behind that the word of a section.
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
