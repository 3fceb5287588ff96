public import AgentProtocol

/// Shows the address of a profile. (`/_show_address 1`, `/show_address`)
public struct ShowAddress: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID?) {
        self.profile = profile
    }

    public static let access = Access.read
    public static let syntax = Syntax(numbered: "show_address", \.profile, aliases: ["/sa"], make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> ProfileAddress {
        let profile = try core.lookup.profile(profile)
        return ProfileAddress(profile: profile, address: try core.lookup.address(of: profile))
    }
}
