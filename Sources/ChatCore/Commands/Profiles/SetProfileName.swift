public import AgentProtocol
import ByteCoding
import ChatProtocol

/// Takes a registered name for the profile, which must lead to its address; without a name, gives it up. Contacts are told.
/// (`/_set domain 1 [alice.simplex]`)
public struct SetProfileName: ChatCommand {
    public var profile: ProfileID?
    /// The full domain.
    public var domain: String?

    public init(_ profile: ProfileID?, _ domain: String?) {
        self.profile = profile
        self.domain = domain
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_set domain", .profile(\.profile), domain, make: { Self($0, $1) }))

    private static let domain = Argument<Self, String?>(
        read: { reader throws(DecodeError) in
            guard !reader.isAtEnd else { return nil }
            guard let name = SimplexName(.contact, domain: reader.word()) else { throw .invalid("domain") }
            return name.fullDomain
        }, write: { $0.domain ?? "" })

    public func effect(of response: ProfileUpdate) -> SessionEffect? { response.effect }

    public func perform(on core: isolated LocalCore) async throws -> ProfileUpdate {
        let profile = try core.lookup.profile(profile)
        guard profile.profile.domainClaim?.domain != domain else { return .unchanged(profile) }
        var link: String?
        if let domain {
            guard let name = SimplexName(.contact, domain: domain) else { throw ChatError.commandSyntax }
            guard let short = try core.lookup.address(of: profile).link.short else {
                throw ChatError.connecting(.noShortLink)
            }
            try await core.connector.check(name, leadsTo: short, for: profile)
            link = short
        }
        let checked = try core.lookup.profile(profile.id)
        var presented = checked.profile
        presented.domainClaim = domain.map { DomainClaim($0) }
        if let link { presented.contactLink = link }
        return try await core.profiles.update(checked, presented)
    }
}
