public import AgentProtocol

/// Replaces the address of a profile: the old link leads nowhere. Contacts stay. Waits for a relay. (`/_rotate_address 1`,
/// `/rotate_address`)
public struct RotateAddress: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID?) {
        self.profile = profile
    }

    public static let access = Access.write
    public static let syntax = Syntax(numbered: "rotate_address", \.profile, make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> CreatedAddress {
        let profile = try core.lookup.profile(profile)
        let former = try core.lookup.address(of: profile)
        let address = try await core.connector.newAddress(profile, former.settings)
        try await core.connector.discard(former.connectionID)
        return CreatedAddress(profile: profile, address: address)
    }
}
