import ChatProtocol
import JSONCoding

/// What the two sides of a contact allow each other.
public enum Preferences {
    /// The features that can be allowed, as messages name them.
    public enum Feature: String, CaseIterable, Sendable {
        case timedMessages, fullDelete, reactions, voice, files, calls, sessions

        /// What it is called.
        public var name: String {
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

    /// What contacts may do unless the profile says something else: everything but to take away what was kept here. A message
    /// that says from the beginning that it disappears takes nothing away. The same as in the official clients.
    static func byDefault(_ feature: Feature) -> Permission {
        switch feature {
        case .timedMessages, .reactions, .voice, .calls: .yes
        case .files: .always
        case .fullDelete, .sessions: .no
        }
    }

    /// What a profile allows all its contacts.
    static func own(_ feature: Feature, of profile: Profile) -> Permission {
        feature.permission(in: profile.preferences?.object) ?? byDefault(feature)
    }

    /// What a contact is allowed.
    static func own(_ feature: Feature, for contact: Contact) -> Permission {
        feature.permission(in: contact.choices.preferences)
            ?? feature.permission(in: contact.allowedByProfile) ?? byDefault(feature)
    }

    /// Who may use a feature with a contact: this side, and the other.
    static func effect(_ feature: Feature, with contact: Contact) -> Effect {
        effect(own(feature, for: contact), permission(feature, in: contact.profile), of: feature)
    }

    /// True if this side may use a feature in a chat.
    static func allows(_ feature: Feature, in chat: Chat) -> Bool {
        switch chat {
        case .direct(let contact): effect(feature, with: contact).own
        case .notes: byDefault(feature) != .no
        case .group(let group): allows(feature, in: group, group.membership.role)
        }
    }

    /// True if members with a role may use a feature in a group.
    static func allows(_ feature: Feature, in group: Group, _ role: GroupRole) -> Bool {
        switch feature {
        case .timedMessages: group.preferences.isOn(.timedMessages)
        case .fullDelete: group.preferences.allows(.fullDelete, role)
        case .reactions: group.preferences.isOn(.reactions)
        case .voice: group.preferences.allows(.voice, role)
        case .files: group.preferences.allows(.files, role)
        case .calls, .sessions: false
        }
    }

    /// What a contact allows.
    static func permission(_ feature: Feature, in profile: Profile) -> Permission {
        feature.permission(in: profile.preferences?.object) ?? byDefault(feature)
    }

    /// After how many seconds messages disappear if preferences say so, within what can be calculated with.
    static func seconds(in preferences: JSONObject?) -> Int64? {
        let seconds = preferences?[Feature.timedMessages.rawValue]?.object?["ttl"]?.integer
        return seconds.flatMap { $0 > 0 ? min($0, Expiry.longestTTL) : nil }
    }

    /// After how many seconds own messages to a contact disappear, if both sides allow it.
    static func seconds(for contact: Contact) -> Int64? {
        let preferences = contact.choices.preferences
        return Feature.timedMessages.permission(in: preferences) == nil
            ? seconds(in: contact.allowedByProfile) : seconds(in: preferences)
    }

    /// Everything that a contact is told of what it may do: each permission is named, none is left to a default.
    static func told(to contact: Contact) -> JSONObject {
        var told = complete { own($0, for: contact) }
        told[Feature.timedMessages.rawValue] = preference(
            own(.timedMessages, for: contact), seconds(in: contact.choices.preferences))
        told["commands"] = contact.choices.preferences["commands"] ?? contact.allowedByProfile["commands"] ?? []
        return told
    }

    /// `FullPreferences` of the API: what a profile allows all its contacts.
    static func full(of preferences: JSONObject) -> JSONObject {
        var full = complete { $0.permission(in: preferences) ?? byDefault($0) }
        full[Feature.timedMessages.rawValue] = preference(
            Feature.timedMessages.permission(in: preferences) ?? byDefault(.timedMessages), seconds(in: preferences))
        full["commands"] = preferences["commands"] ?? []
        return full
    }

    private static func complete(_ permission: (Feature) -> Permission) -> JSONObject {
        Feature.allCases.reduce(into: JSONObject()) { $0[$1.rawValue] = preference(permission($1)) }
    }

    /// One permission as it stands in messages.
    static func preference(_ permission: Permission, _ seconds: Int64? = nil) -> JSONValue {
        var fields: JSONObject = ["allow": .string(permission.rawValue)]
        fields.set("ttl", seconds)
        return .object(fields)
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

extension Preferences.Feature {
    /// What preferences say of it; nil for nothing.
    func permission(in preferences: JSONObject?) -> Preferences.Permission? {
        let word = preferences?[rawValue]?.object?["allow"]?.string
        return word.flatMap(Preferences.Permission.init(rawValue:))
    }
}

extension Contact {
    /// What the profile allows it; nothing in particular where the contact does not know the profile.
    var allowedByProfile: JSONObject { connection?.storedIncognito == nil ? choices.profilePreferences : [:] }
}

// MARK: - Changes

extension Preferences {
    /// What a conversation is told when what is allowed in it changed: a feature that works otherwise, or one that a side offers
    /// or offers no more. Files and sessions are not told of.
    static func changes(from former: Contact, to contact: Contact, by side: ChatItem.Direction) -> [ChatItem.Content] {
        let formerProfile = former.profile, profile = contact.profile
        return Feature.told.compactMap { feature in
            let before = effect(own(feature, for: former), permission(feature, in: formerProfile), of: feature)
            let after = effect(own(feature, for: contact), permission(feature, in: profile), of: feature)
            let isTimer = feature == .timedMessages
            let formerSeconds = isTimer && before.own ? seconds(for: former) : nil
            let newSeconds = isTimer && after.own ? seconds(for: contact) : nil
            if before != after || formerSeconds != newSeconds {
                return .feature(feature, after, seconds: newSeconds)
            }
            let offered = offer(feature, of: former, formerProfile, by: side)
            let offers = offer(feature, of: contact, profile, by: side)
            return offered == offers ? nil : .preference(feature, offers.permission, seconds: offers.seconds)
        }
    }

    /// What a new conversation is told of what is allowed in it.
    static func beginning(with contact: Contact) -> [ChatItem.Content] {
        Feature.told.map { feature in
            let effect = effect(feature, with: contact)
            return .feature(
                feature, effect, seconds: feature == .timedMessages && effect.own ? seconds(for: contact) : nil)
        }
    }

    private struct Offer: Equatable {
        let permission: Permission
        let seconds: Int64?
    }

    private static func offer(
        _ feature: Feature, of contact: Contact, _ profile: Profile, by side: ChatItem.Direction
    ) -> Offer {
        let permission = side == .sent ? own(feature, for: contact) : permission(feature, in: profile)
        guard feature == .timedMessages, permission != .no else { return Offer(permission: permission, seconds: nil) }
        return Offer(
            permission: permission,
            seconds: side == .sent ? seconds(for: contact) : seconds(in: profile.preferences?.object))
    }
}

extension Preferences.Feature {
    /// Those of which conversations are told, in their order.
    fileprivate static let told: [Preferences.Feature] = [.timedMessages, .fullDelete, .reactions, .voice, .calls]
}
