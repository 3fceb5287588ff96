import ChatProtocol
import JSONCoding

/// What the two sides of a contact allow each other.
public enum Preferences {
    /// The features that can be allowed, as messages name them.
    public enum Feature: String, CaseIterable, Sendable {
        case timedMessages, fullDelete, reactions, voice, files, calls, sessions

        /// What holds for a contact that does not say.
        var assumed: Permission {
            switch self {
            case .fullDelete, .sessions: .no
            case .timedMessages, .reactions, .voice, .files, .calls: .yes
            }
        }

        /// What it is called.
        var name: String {
            switch self {
            case .timedMessages: "disappearing messages"
            case .fullDelete: "full deletion"
            case .reactions: "reactions"
            case .voice: "voice messages"
            case .files: "files"
            case .calls: "calls"
            case .sessions: "sessions"
            }
        }
    }

    /// Whether one side allows something.
    public enum Permission: String, CaseIterable, Sendable {
        /// Also where the other side does not.
        case always
        case yes, no
    }

    /// Who may use a feature with a contact.
    public struct Effect: Hashable, Sendable {
        /// This side.
        public let own: Bool
        /// The contact.
        public let other: Bool

        init(own: Bool, other: Bool) {
            self.own = own
            self.other = other
        }
    }

    /// What this program's contacts may do: nothing that it could not show yet, and nothing that takes away what was kept
    /// here. A message that says from the beginning that it disappears takes nothing away.
    static func own(_ feature: Feature) -> Permission {
        switch feature {
        case .reactions, .timedMessages: .yes
        case .fullDelete, .voice, .files, .calls, .sessions: .no
        }
    }

    /// The same as contacts are told.
    static let own = JSONValue.object(
        Feature.allCases.reduce(into: JSONObject()) { preferences, feature in
            preferences[feature.rawValue] = .object(["allow": .string(own(feature).rawValue)])
        })

    /// Who may use a feature with a contact: this side, and the other.
    static func effect(_ feature: Feature, with contact: Contact) -> Effect {
        effect(own(feature), permission(feature, in: contact.profile), of: feature)
    }

    /// True if this side may use a feature in a chat.
    static func allows(_ feature: Feature, in chat: Chat) -> Bool {
        switch chat {
        case .direct(let contact): effect(feature, with: contact).own
        case .notes: own(feature) != .no
        // What a group permits is not known.
        case .group: false
        }
    }

    /// What a contact allows.
    static func permission(_ feature: Feature, in profile: Profile) -> Permission {
        let word = profile.preferences?.object?[feature.rawValue]?.object?["allow"]?.string
        return word.flatMap(Permission.init(rawValue:)) ?? feature.assumed
    }

    /// Who may use a feature when one side permits it `own` and the other `other`.
    static func effect(_ own: Permission, _ other: Permission, of feature: Feature) -> Effect {
        switch (own, other) {
        // Whoever always permits something lets the other side do it alone; a timer needs both.
        case (.always, .no): Effect(own: false, other: feature != .timedMessages)
        case (.no, .always): Effect(own: feature != .timedMessages, other: false)
        case (_, .no), (.no, _): Effect(own: false, other: false)
        default: Effect(own: true, other: true)
        }
    }
}
