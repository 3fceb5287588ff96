public import AgentProtocol

/// Sets whether members of groups that ask become contacts by themselves. (`/_set accept member contacts 1 on|off`)
public struct SetMemberAcceptance: ChatCommand {
    public var profile: ProfileID?
    public var isOn: Bool

    public init(_ profile: ProfileID?, _ isOn: Bool) {
        self.profile = profile
        self.isOn = isOn
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.numbered(
            "/_set accept member contacts", named: "/set accept member contacts", \.profile, .isOn(\.isOn),
            make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let profile = try core.lookup.profile(profile)
        try core.store.transaction { try core.store.setAcceptsMembers(isOn, of: profile.id) }
        return CommandOK(try core.lookup.profile(profile.id))
    }
}
