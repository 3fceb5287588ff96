public import AgentProtocol

/// Gives an address that has none a short link, or has the short link show the profile as it is now. Waits for a relay.
/// (`/_short_link_address 1`, `/short_link_address`)
public struct AddShortLink: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID?) {
        self.profile = profile
    }

    public static let access = Access.write
    public static let syntax = Syntax(numbered: "short_link_address", \.profile, make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> ProfileAddress {
        let profile = try core.lookup.profile(profile)
        return ProfileAddress(profile: profile, address: try await core.connector.addShortLink(to: profile))
    }
}
