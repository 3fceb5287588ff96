public import ChatCore
import ChatProtocol

/// A permission of the members of a group as it is written in a command line.
public struct GroupSetting: Sendable {
    /// The word for it: `files`.
    public let name: String
    /// `on`, `off`, a role, or a time.
    public let value: String
    public let meaning: String

    /// All settings of a group, and whether moderators admit members.
    public static func all(of group: Group) -> [GroupSetting] {
        let profile = group.profile
        return GroupPreferences.Feature.shown(in: group).map {
            GroupSetting(name: $0.word, value: profile.settingText(of: $0), meaning: $0.abstract)
        } + [
            GroupSetting(
                name: "review", value: OnOff(profile.requiresReview).rawValue,
                meaning: "Moderators admit members that join through the link")
        ]
    }
}
