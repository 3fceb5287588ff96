import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// A group, in a list or by itself.
struct GroupReport: Report {
    let group: Group
    /// The number of members with the user; nil where they were not counted.
    var count: Int?
    /// What was done with it, if anything: `created`.
    var action: String?

    init(group: Group, count: Int? = nil, action: String? = nil) {
        self.group = group
        self.count = count
        self.action = action
    }

    static let forms = [
        ReportForm(
            "group", "A group", plain: ["id", "name", "state", "role", "unread"],
            [
                .always("id", .id, "Id of the group"),
                .always("chat", .text, "Group, in the form that commands accept"),
                .always("chat_id", .id, "Id of the group"), .always("name", .text, "Local name of the group"),
                .always("state", .word(GroupState.allCases.map(\.rawValue)), "State of your membership"),
                .always("role", .word(GroupRole.words), "Your role"),
                .sometimes("members", .count, "Number of members, with you; only of a single group"),
                .always("display_name", .text, "Name in the group's profile"),
                .sometimes("full_name", .text, "Full name in the group's profile"),
                .sometimes("description", .text, "Short description in the group's profile"),
                .sometimes("image", .flag, "True if the group has a picture"),
                .sometimes("welcome", .text, "Welcome message for new members"),
                .sometimes("alias", .text, "Your own note on the group"),
                .sometimes("business", .flag, "True if the group is a chat with a business"),
                .sometimes("channel", .flag, "True if the group is a channel"),
                .sometimes("domain", .text, "Registered name that the channel claims"),
                .sometimes("domain_verified", .flag, "True if the name leads to the channel"),
                .always("unread", .count, "Number of unread messages"),
                .always("mentions", .count, "Number of unread messages that mention you"),
                .sometimes("waiting", .count, "Number of members that wait for a moderator"),
                .always(
                    "notifications", .word(Group.Notifications.allCases.map(\.rawValue)), "Messages that notify you"),
                .always("muted", .flag, "True if no message notifies you"),
                .always("review", .flag, "True if moderators admit members that join through the link"),
                .always(
                    "features",
                    .object(
                        GroupPreferences.Feature.shown.map { feature in
                            feature.isOfGroups
                                ? .always(feature.word, .text, feature.abstract)
                                : .sometimes(feature.word, .text, feature.abstract)
                        }),
                    "Permissions of members: on, off, or the lowest role that has the permission"),
                .sometimes(
                    "retention_ms", .duration,
                    "Retention time of messages, 0 for unlimited; missing if the profile's setting applies"),
                .sometimes("expires_ms", .duration, "Default time after which sent messages disappear"),
                .sometimes(
                    "receipts", .flag,
                    "True if members get delivery receipts; missing if the profile's setting applies"),
                .always("created_at", .time, "Time when the group was added"),
                .sometimes("active_at", .time, "Time of the last message"),
            ])
    ]
    static let columns = [
        Table.Column("ID"), Table.Column("NAME", isFlexible: true), Table.Column("STATE"), Table.Column("ROLE"),
        Table.Column("UNREAD", .right), Table.Column("PROFILE NAME", isFlexible: true),
    ]

    var json: JSONObject {
        var json = JSONObject(type: "group")
        json.set("id", group.objectID)
        json.set("chat", group.target)
        json.set("chat_id", group.objectID)
        json.set("name", group.name)
        json.set("state", group.state.rawValue)
        json.set("role", group.membership.role.word)
        json.set("members", count)
        let profile = group.profile
        json.set("display_name", profile.displayName)
        if !profile.fullName.isEmpty { json.set("full_name", profile.fullName) }
        json.set("description", profile.shortDescription)
        if profile.image != nil { json.set("image", true) }
        json.set("welcome", profile.welcome)
        if !group.alias.isEmpty { json.set("alias", group.alias) }
        if group.business != nil { json.set("business", true) }
        if group.isChannel { json.set("channel", true) }
        json.set("domain", profile.publicGroup?.access?.claim?.domain)
        if let isVerified = group.isNameVerified { json.set("domain_verified", isVerified) }
        json.set("unread", group.unreadCount)
        json.set("mentions", group.unreadMentions)
        if waiting > 0 { json.set("waiting", waiting) }
        json.set("notifications", group.notifications.rawValue)
        json.set("muted", group.notifications == .none)
        json.set("review", profile.requiresReview)
        var features = JSONObject()
        for feature in GroupPreferences.Feature.shown(in: group) {
            features.set(feature.word, profile.settingText(of: feature))
        }
        json["features"] = .object(features)
        switch group.retention {
        case .standard: break
        case .unlimited: json.set("retention_ms", 0)
        case .limited(let seconds): json.set("retention_ms", seconds * 1000)
        }
        json.set("expires_ms", group.expiry.map { $0 * 1000 })
        if let isOn = group.sendsReceipts { json.set("receipts", isOn) }
        json.set("created_at", group.createdAt.description)
        json.set("active_at", group.activeAt?.description)
        return json
    }

    /// How many members the user should look after, as a moderator. Others would count themselves.
    private var waiting: Int { group.membership.role >= .moderator ? group.attentionCount : 0 }

    /// One line about what was done, or all that there is.
    func lines(_ style: ReportStyle) -> [StyledText] {
        if let action {
            return [
                StyledText("\(action) ") + StyledText(group.target, .name)
                    + StyledText(" (\(group.objectID))", .muted)
            ]
        }
        var table = Table([Table.Column(""), Table.Column("", isFlexible: true)])
        func add(_ name: String, _ value: StyledText) { table.add([StyledText(name, .muted), value]) }
        let profile = group.profile
        add("group", StyledText(group.target, .name))
        add("id", StyledText(group.objectID))
        add("state", StyledText(group.state.rawValue, group.state == .connected ? .plain : .warning))
        if let advice = group.advice { add("", StyledText("try: \(advice)", .hint)) }
        add("your role", StyledText(group.membership.role.word))
        if let count, group.state != .invited { add("members", StyledText("\(count)")) }
        add("profile name", StyledText(profile.displayName))
        if !profile.fullName.isEmpty { add("full name", StyledText(profile.fullName)) }
        if let text = profile.shortDescription { add("description", StyledText(text)) }
        if profile.image != nil { add("picture", "yes") }
        if let text = profile.welcome { add("welcome", StyledText(UntrustedText(text).singleLine)) }
        if !group.alias.isEmpty { add("alias", StyledText(group.alias)) }
        if group.isChannel { add("kind", "channel") }
        if let claim = profile.publicGroup?.access?.claim {
            add("domain", .domain("#\(claim.domain)", isVerified: group.isNameVerified))
        }
        if let business = group.business {
            add("business", business.side == .business ? "chat with a business" : "chat with a customer")
        }
        add("unread", StyledText("\(group.unreadCount)", group.unreadCount > 0 ? .unread : .plain))
        if group.unreadMentions > 0 { add("mentions", StyledText("\(group.unreadMentions)", .unread)) }
        if waiting > 0 { add("waiting", StyledText("\(waiting) for a moderator", .warning)) }
        if group.notifications != .all { add("notifications", StyledText(group.notifications.rawValue, .warning)) }
        add("review", StyledText(OnOff(profile.requiresReview).rawValue))
        for feature in GroupPreferences.Feature.shown(in: group) {
            add(feature.word, StyledText(profile.settingText(of: feature)))
        }
        if group.retention != .standard { add("retention", StyledText(KeepingTime(group.retention).text)) }
        if let expiry = group.expiry { add("expires", StyledText(KeepingTime.seconds(expiry).text)) }
        if let isOn = group.sendsReceipts { add("receipts", StyledText(OnOff(isOn).rawValue)) }
        add("since", style.time(group.createdAt))
        return table.lines(width: style.width, withTitles: false)
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        let profile = group.profile
        let names = [profile.displayName, profile.fullName].filter { !$0.isEmpty }
        let unread =
            group.unreadMentions > 0 ? "\(group.unreadCount) (\(group.unreadMentions) @)" : "\(group.unreadCount)"
        return [
            StyledText(group.objectID, .muted), StyledText(group.target, .name),
            StyledText(group.state.rawValue, group.state == .connected ? .plain : .warning),
            StyledText(group.membership.role.word, .muted),
            group.unreadCount == 0 ? StyledText() : StyledText(unread, .unread),
            StyledText(names.joined(separator: ", ")),
        ]
    }
}

extension Group {
    /// The command line that helps; nil if there is nothing to do.
    var advice: String? {
        membership.status == .invited
            ? Failure.Attempt(words: ["tacit", "group", "join", target]).command : nil
    }
}

extension StyledText {
    /// A registered name that is claimed, and whether it was verified.
    static func domain(_ name: String, isVerified: Bool?) -> StyledText {
        StyledText(name) + StyledText(isVerified == true ? " (verified)" : " (not verified)", .muted)
    }
}

extension GroupRole {
    /// Every word for a role.
    static let words = known.map(\.rawValue) + ["unknown"]

    /// The role in a word for programs.
    var word: String { isKnown ? rawValue : "unknown" }
}

extension GroupPreferences.Feature {
    /// Those that this program knows and people set.
    static let shown: [Self] = allCases.filter { $0.isOfGroups || $0.isOfChannels }

    /// Those that people set in a group.
    static func shown(in group: Group) -> [Self] { shown.filter { $0.isOfGroups || group.isChannel } }

    /// The feature in a word for programs.
    var word: String {
        switch self {
        case .timedMessages: "disappearing"
        case .directMessages: "direct"
        case .fullDelete: "deletion"
        case .reactions: "reactions"
        case .voice: "voice"
        case .files: "files"
        case .simplexLinks: "links"
        case .reports: "reports"
        case .history: "history"
        case .support: "support"
        case .sessions: "sessions"
        case .comments: "comments"
        case .signMessages: "signatures"
        }
    }

    /// The summary of its field.
    var abstract: String {
        switch self {
        case .timedMessages: "Disappearing messages, with their time"
        case .directMessages: "Direct messages between members"
        case .fullDelete: "Permanent deletion of messages"
        case .reactions: "Reactions"
        case .voice: "Voice messages"
        case .files: "Files and pictures"
        case .simplexLinks: "Links to contacts and groups"
        case .reports: "Reports to moderators"
        case .history: "Recent messages for new members"
        case .support: "Support chats with the moderators"
        case .sessions: "Sessions of conversations"
        case .comments: "Comments on posts"
        case .signMessages: "Signatures of all messages of a channel"
        }
    }
}

extension GroupProfile {
    /// The setting of a feature: `on`, `off`, a role, or a time.
    func settingText(of feature: GroupPreferences.Feature) -> String {
        let setting = (preferences ?? GroupPreferences()).setting(for: feature)
        guard setting.isOn else { return "off" }
        if feature == .timedMessages, let seconds = setting.ttl { return KeepingTime.seconds(seconds).text }
        return setting.role?.word ?? "on"
    }
}
