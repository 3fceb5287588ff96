import ByteCoding
import JSONCoding

/// Sets whether messages to and from a contact may disappear, and after how many seconds own ones do.
/// (`/set disappear @name [yes [SECONDS|30s|5min|1h|8h|day|week|month]|no]`)
public struct SetContactTimer: ChatCommand {
    public enum Setting: Hashable, Sendable {
        /// As the profile says.
        case standard
        case forbidden
        /// Nil for the time that holds already.
        case allowed(seconds: Int64?)
    }

    public var chat: ChatTarget
    public var setting: Setting

    public init(_ chat: ChatTarget, _ setting: Setting) {
        self.chat = chat
        self.setting = setting
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/set disappear", .chat(\.chat), timer, make: Self.init))

    private static let timer = Argument<Self, Setting>(
        read: { reader throws(DecodeError) in
            guard !reader.isAtEnd else { return .standard }
            if reader.skip("no") { return .forbidden }
            if reader.skip("yes"), reader.isAtEnd { return .allowed(seconds: nil) }
            let word = reader.word()
            guard let seconds = timers[word] ?? Int64(word), seconds > 0, seconds <= Expiry.longestTTL else {
                throw .invalid("time")
            }
            return .allowed(seconds: seconds)
        },
        write: { command in
            switch command.setting {
            case .standard: ""
            case .forbidden: "no"
            case .allowed(let seconds): seconds.map { "yes \($0)" } ?? "yes"
            }
        })

    private static let timers: [String: Int64] = [
        "30s": 30, "5min": 300, "1h": 3600, "8h": 8 * 3600, "day": 86400, "week": 7 * 86400, "month": 30 * 86400,
    ]

    public func perform(on core: isolated LocalCore) async throws -> PreferencesUpdate {
        let contact = try core.lookup.contact(chat), name = Preferences.Feature.timedMessages.rawValue
        var preferences = contact.choices.preferences
        let former = Preferences.seconds(in: preferences)
        switch setting {
        case .standard: preferences[name] = nil
        case .forbidden: preferences[name] = Preferences.preference(.no, former)
        case .allowed(let seconds): preferences[name] = Preferences.preference(.yes, seconds ?? former)
        }
        return try await core.connector.setPreferences(preferences, of: contact)
    }
}
