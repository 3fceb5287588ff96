public import AgentProtocol

/// Enables or disables delivery receipts for members of small groups. (`/_set receipts groups 1 on|off [clear_overrides=on]`,
/// `/set receipts groups on|off`)
public struct SetGroupReceipts: ChatCommand {
    public var profile: ProfileID?
    public var isOn: Bool
    /// True if the settings of single groups are cleared.
    public var clearsGroups: Bool

    public init(_ profile: ProfileID?, _ isOn: Bool, clearsGroups: Bool) {
        self.profile = profile
        self.isOn = isOn
        self.clearsGroups = clearsGroups
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.numbered(
            "/_set receipts groups", named: "/set receipts groups", \.profile, .isOn(\.isOn),
            .flag("clear_overrides", \.clearsGroups), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let profile = try core.lookup.profile(profile)
        try core.store.transaction { try core.store.setGroupReceipts(isOn, of: profile.id, clearsGroups: clearsGroups) }
        return CommandOK(try core.lookup.profile(profile.id))
    }
}
