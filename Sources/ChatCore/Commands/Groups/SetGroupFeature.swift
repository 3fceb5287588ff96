import ByteCoding
public import ChatProtocol

/// Turns a feature of a group on or off, for members from a role on, or with the seconds after which messages disappear.
/// (`/set voice #name on [role]`, `/set disappear #name on 60`)
public struct SetGroupFeature: ChatCommand {
    public var group: GroupTarget
    public var feature: GroupPreferences.Feature
    public var setting: GroupPreferences.Setting

    public init(_ group: GroupTarget, _ feature: GroupPreferences.Feature, _ setting: GroupPreferences.Setting) {
        self.group = group
        self.feature = feature
        self.setting = setting
    }

    /// The words of features, as people know them.
    private static let words: [(String, GroupPreferences.Feature)] = [
        ("voice", .voice), ("files", .files), ("history", .history), ("reactions", .reactions), ("delete", .fullDelete),
        ("direct", .directMessages), ("disappear", .timedMessages), ("reports", .reports), ("links", .simplexLinks),
        ("support", .support), ("signatures", .signMessages),
    ]

    public static let access = Access.write
    public static let syntax = Syntax(
        words.map { word, feature in
            Form("/set \(word)", .signedGroupName(\.group), .fixed(feature, \.feature), setting(of: feature)) {
                Self($0, $1, $2)
            }
        })

    private static func setting(
        of feature: GroupPreferences.Feature
    ) -> Argument<Self, GroupPreferences.Setting> {
        Argument(
            read: { reader throws(DecodeError) in
                var setting = GroupPreferences.Setting(try reader.isOn())
                if feature.hasRole, !reader.isAtEnd { setting.role = try reader.role() }
                if feature == .timedMessages, !reader.isAtEnd { setting.ttl = try reader.integer() }
                return setting
            },
            write: { command in
                let setting = command.setting
                let rest = setting.role?.rawValue ?? setting.ttl.map { "\($0)" }
                return ([setting.isOn ? "on" : "off"] + [rest].compactMap(\.self)).joined(separator: " ")
            })
    }

    public func perform(on core: isolated LocalCore) async throws -> GroupUpdate {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        var presented = group.profile
        var preferences = presented.preferences ?? GroupPreferences()
        preferences[feature] = setting
        presented.preferences = preferences
        return GroupUpdate(profile, group, try await core.groups.update(group, presented))
    }
}
