import ByteCoding
import JSONCoding

/// Sets whether a contact is allowed one feature; nil for what the profile says. (`/set voice @name [always|yes|no]`)
public struct SetContactFeature: ChatCommand {
    public var chat: ChatTarget
    public var feature: Preferences.Feature
    public var permission: Preferences.Permission?

    public init(_ chat: ChatTarget, _ feature: Preferences.Feature, _ permission: Preferences.Permission?) {
        self.chat = chat
        self.feature = feature
        self.permission = permission
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Preferences.Feature.allCases.map { feature in
            Form(
                "/set \(feature.commandWord)", .chat(\.chat), .fixed(feature, \.feature), .optionalWord(\.permission),
                make: Self.init)
        })

    public func perform(on core: isolated LocalCore) async throws -> PreferencesUpdate {
        let contact = try core.lookup.contact(chat)
        var preferences = contact.choices.preferences
        var preference = preferences[feature.rawValue]?.object ?? [:]
        preference.set("allow", permission?.rawValue)
        preferences[feature.rawValue] = permission == nil ? nil : .object(preference)
        return try await core.connector.setPreferences(preferences, of: contact)
    }
}

extension Preferences.Feature {
    /// The word for it in commands of people.
    var commandWord: String {
        switch self {
        case .timedMessages: "timed"
        case .fullDelete: "delete"
        case .reactions, .voice, .files, .calls, .sessions: rawValue
        }
    }
}

extension Argument {
    /// A word of a closed list, or nothing.
    static func optionalWord<Word>(_ value: @escaping @Sendable (Command) -> Word?) -> Argument
    where Value == Word?, Word: RawRepresentable, Word.RawValue == String {
        Argument(
            read: { reader throws(DecodeError) in
                guard !reader.isAtEnd else { return nil }
                guard let word = Word(rawValue: reader.word()) else { throw .invalid("word") }
                return word
            }, write: { command in value(command)?.rawValue ?? "" })
    }
}
