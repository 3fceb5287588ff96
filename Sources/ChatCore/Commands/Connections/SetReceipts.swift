public import AgentProtocol

/// Enables or disables delivery receipts for the contacts of a profile. Contacts keep their own settings unless these are
/// cleared. (`/_set receipts contacts 1 on|off [clear_overrides=on]`, `/set receipts contacts on|off`)
public struct SetReceipts: ChatCommand {
    public var profile: ProfileID?
    public var isOn: Bool
    /// True if the settings of single contacts are cleared.
    public var clearsContacts: Bool

    public init(_ profile: ProfileID?, _ isOn: Bool, clearsContacts: Bool) {
        self.profile = profile
        self.isOn = isOn
        self.clearsContacts = clearsContacts
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.numbered(
            "/_set receipts contacts", named: "/set receipts contacts", \.profile, .isOn(\.isOn),
            .flag("clear_overrides", \.clearsContacts), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let profile = try core.lookup.profile(profile)
        try core.store.transaction {
            try core.store.setReceipts(isOn, of: profile.id, clearsContacts: clearsContacts)
        }
        return CommandOK(try core.lookup.profile(profile.id))
    }
}
