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
}
