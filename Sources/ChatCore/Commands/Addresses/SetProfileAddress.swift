public import AgentProtocol
import ChatProtocol

/// Adds the address to what the profile says about its owner, or removes it. Contacts are told.
/// (`/_profile_address 1 on|off`, `/profile_address on|off`, `/pa on|off`)
public struct SetProfileAddress: ChatCommand {
    public var profile: ProfileID?
    public var isOn: Bool

    public init(_ profile: ProfileID?, _ isOn: Bool) {
        self.profile = profile
        self.isOn = isOn
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        numbered: "profile_address", \.profile, aliases: ["/pa"], .isOn(\.isOn), make: Self.init)

    public func effect(of response: ProfileUpdate) -> SessionEffect? { response.effect }

    public func perform(on core: isolated LocalCore) async throws -> ProfileUpdate {
        let profile = try core.lookup.profile(profile)
        var presented = profile.profile
        presented.contactLink = isOn ? try core.lookup.address(of: profile).link.preferred : nil
        return try await core.profiles.update(profile, presented)
    }
}
