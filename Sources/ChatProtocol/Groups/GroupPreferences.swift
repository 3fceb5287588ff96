public import ByteCoding
public import JSONCoding

/// The permissions of members in a group (chat.md 3.9).
///
/// The received object is kept whole, with unknown features and fields. A malformed setting counts as absent, and an
/// absent one has the default of its feature.
public struct GroupPreferences: Hashable, Sendable {
    /// A feature that a group permits or prohibits, with its name in messages.
    public enum Feature: String, CaseIterable, Hashable, Sendable {
        /// Disappearing messages.
        case timedMessages
        /// Direct messages between members.
        case directMessages
        /// Messages that their authors or moderators delete are removed, not only marked.
        case fullDelete
        /// Reactions.
        case reactions
        /// Voice messages.
        case voice
        /// Files and media.
        case files
        /// Links to contacts and groups in messages.
        case simplexLinks
        /// Reports to moderators.
        case reports
        /// Recent messages for new members.
        case history
        /// Support chats of members with the moderators.
        case support
        /// Sessions of conversations.
        case sessions
        /// Comments on the posts of a channel.
        case comments
        /// Signatures of all messages of a channel.
        case signMessages

        /// True if the feature can be limited to a role and the roles above it.
        public var hasRole: Bool {
            switch self {
            case .directMessages, .fullDelete, .voice, .files, .simplexLinks, .sessions: true
            case .timedMessages, .reactions, .reports, .history, .support, .comments, .signMessages: false
            }
        }

        /// True if entries of regular groups and commands tell of the feature.
        public var isOfGroups: Bool { self != .sessions && self != .comments && self != .signMessages }

        /// True if entries of channels and commands tell of the feature.
        public var isOfChannels: Bool {
            switch self {
            case .timedMessages, .fullDelete, .reactions, .history, .support, .signMessages: true
            case .directMessages, .voice, .files, .simplexLinks, .reports, .sessions, .comments: false
            }
        }

        /// The setting of a group without a preference for the feature.
        public var assumed: Setting {
            switch self {
            case .timedMessages: Setting(false, ttl: 86400)
            case .directMessages, .fullDelete, .history, .sessions, .comments, .signMessages: Setting(false)
            case .reactions, .voice, .files, .simplexLinks, .reports, .support: Setting(true)
            }
        }
    }

    /// The preference for a feature.
    public struct Setting: Hashable, Sendable {
        /// True if the feature is on.
        public var isOn: Bool
        /// The lowest role that may use the feature; nil for all members.
        public var role: GroupRole?
        /// The time after which messages disappear, in seconds; only for ``Feature/timedMessages``.
        public var ttl: Int64?

        /// Creates a setting from its parts.
        public init(_ isOn: Bool, role: GroupRole? = nil, ttl: Int64? = nil) {
            self.isOn = isOn
            self.role = role
            self.ttl = ttl
        }
    }

    /// The fields of the JSON form, with unknown ones.
    public var fields: JSONObject

    /// Creates preferences from the fields of their JSON form.
    public init(_ fields: JSONObject = [:]) {
        self.fields = fields
    }

    /// The preference for a feature; nil if there is none. Setting keeps the unknown fields of the preference.
    public subscript(feature: Feature) -> Setting? {
        get {
            guard let fields = fields[feature.rawValue]?.object, let isOn = Switch(fields["enable"])?.isOn else {
                return nil
            }
            return Setting(
                isOn, role: feature.hasRole ? (fields["role"]?.string).map(GroupRole.init(rawValue:)) : nil,
                ttl: feature == .timedMessages ? fields["ttl"]?.integer : nil)
        }
        set {
            guard let setting = newValue else {
                fields[feature.rawValue] = nil
                return
            }
            var preference = fields[feature.rawValue]?.object ?? [:]
            preference.set("enable", Switch(setting.isOn).rawValue)
            if feature.hasRole { preference.set("role", setting.role?.rawValue) }
            if feature == .timedMessages { preference.set("ttl", setting.ttl) }
            fields[feature.rawValue] = .object(preference)
        }
    }

    /// The commands of bots in the group, as received.
    public var commands: [JSONValue] { fields["commands"]?.array ?? [] }

    /// Returns the preference for a feature, or its default.
    public func setting(for feature: Feature) -> Setting {
        self[feature] ?? feature.assumed
    }

    /// Returns true if a member with a role may use a feature. Only owners meet an unknown required role.
    public func allows(_ feature: Feature, _ role: GroupRole) -> Bool {
        let setting = setting(for: feature)
        guard setting.isOn, let required = setting.role else { return setting.isOn }
        return required.isKnown ? role >= required : role == .owner
    }

    /// Returns true if a feature is on, for some members at least.
    public func isOn(_ feature: Feature) -> Bool {
        setting(for: feature).isOn
    }

    /// The time after which messages disappear, in seconds; nil if they stay.
    public var disappearingSeconds: Int64? {
        let setting = setting(for: .timedMessages)
        guard setting.isOn, let ttl = setting.ttl, ttl > 0 else { return nil }
        return ttl
    }

    /// The preferences with a setting for every known feature, and the commands. Unknown features are left out.
    ///
    /// ``Feature/signMessages`` is there only if it is set: version 7.0.0.6 has no such preference.
    public var full: GroupPreferences {
        var full = GroupPreferences()
        for feature in Feature.allCases where feature != .signMessages || self[feature] != nil {
            full[feature] = setting(for: feature)
        }
        if let duration = fields[Feature.comments.rawValue]?.object?["duration"]?.integer {
            full.fields[Feature.comments.rawValue] = .object([
                "enable": .string(Switch(isOn(.comments)).rawValue), "duration": .integer(duration),
            ])
        }
        full.fields["commands"] = .array(commands)
        return full
    }

    private enum Switch: String {
        case on, off

        init(_ isOn: Bool) { self = isOn ? .on : .off }

        init?(_ value: JSONValue?) {
            guard let word = value?.string else { return nil }
            self.init(rawValue: word)
        }

        var isOn: Bool { self == .on }
    }
}

extension GroupPreferences: JSONObjectCodable {
    /// Reads the JSON form. All fields are taken.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(fields.rest)
    }
}

extension GroupPreferences {
    /// The preferences of a new group: direct messages and history, as in the official client.
    public static let newGroup = GroupPreferences([(.directMessages, Setting(true)), (.history, Setting(true))])

    /// The preferences of a new channel: as of a group, without chats of subscribers with the owners.
    public static let newChannel = GroupPreferences([
        (.directMessages, Setting(true)), (.history, Setting(true)), (.support, Setting(false)),
    ])

    /// The preferences of a new chat with a business that has no preferences for contacts.
    public static let newBusinessChat = GroupPreferences([
        (.timedMessages, Setting(false)), (.directMessages, Setting(false)),
        (.fullDelete, Setting(true, role: .moderator)), (.reactions, Setting(true)), (.voice, Setting(false)),
        (.files, Setting(true)), (.simplexLinks, Setting(true)), (.reports, Setting(false)),
        (.history, Setting(true)), (.support, Setting(true)), (.sessions, Setting(true)), (.comments, Setting(false)),
        (.signMessages, Setting(false)),
    ])

    /// Returns the preferences of a new chat with a business, from its preferences for contacts.
    ///
    /// A feature is on unless the business prohibits it. Preferences without a feature leave it on only for reactions
    /// and files, as in the official client.
    public static func newBusinessChat(contactPreferences: JSONObject?) -> GroupPreferences {
        guard let contactPreferences else { return newBusinessChat }
        var preferences = newBusinessChat
        for feature in [Feature.timedMessages, .fullDelete, .reactions, .voice, .files, .sessions] {
            let preference = contactPreferences[feature.rawValue]?.object
            let permission = preference?["allow"]?.string
            let isOn = permission.map { $0 != "no" } ?? (feature == .reactions || feature == .files)
            preferences[feature] = Setting(isOn, ttl: feature == .timedMessages ? preference?["ttl"]?.integer : nil)
        }
        preferences.fields["commands"] = contactPreferences["commands"]
        return preferences
    }

    private init(_ settings: [(Feature, Setting)]) {
        self.init()
        for (feature, setting) in settings { self[feature] = setting }
    }
}
