public import AgentProtocol

/// Creates the address of a profile. Waits for a relay. (`/_address 1`, `/address`)
public struct CreateAddress: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID?) {
        self.profile = profile
    }

    public static let access = Access.write
    public static let syntax = Syntax(numbered: "address", \.profile, aliases: ["/ad"], make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> CreatedAddress {
        let profile = try core.lookup.profile(profile)
        guard try core.store.address(of: profile.id) == nil else { throw ChatError.addressExists }
        return CreatedAddress(
            profile: profile, address: try await core.connector.newAddress(profile, AddressSettings()))
    }
}
