import ByteCoding
public import ChatProtocol
import JSONCoding

/// Sets how relays show a channel on the web. (`/_public group access #1 {"domainWebPage":false,"allowEmbedding":true}`,
/// `/public group access #name web=https://... embed=on`)
public struct SetChannelAccess: ChatCommand {
    public var group: GroupTarget
    /// What is left out is removed.
    public var access: PublicGroupAccess

    public init(_ group: GroupTarget, _ access: PublicGroupAccess) {
        self.group = group
        self.access = access
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_public group access", .group(\.group), .json(\.access), make: { Self($0, $1) }),
        Form("/public group access", .groupName(\.group), .access(\.access), make: { Self($0, $1) }))

    public func effect(of response: GroupUpdate) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> GroupUpdate {
        var group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        guard group.isChannel, let publicGroup = group.profile.publicGroup else {
            throw ChatError.channel(.noPublicGroup)
        }
        if access.domainClaim != nil {
            guard let claim = access.claim, let name = SimplexName(.publicGroup, domain: claim.domain) else {
                throw ChatError.commandSyntax
            }
            if claim.domain != publicGroup.access?.claim?.domain {
                try await core.connector.check(name, leadsTo: publicGroup.link, for: profile)
                group = try core.lookup.group(group.id)
            }
        }
        var presented = group.profile
        presented.publicGroup?.access = access
        return GroupUpdate(profile, group, try await core.groups.update(group, presented))
    }
}

extension Argument where Command == SetChannelAccess, Value == PublicGroupAccess {
    /// `web=https://...`, `domain=news.example`, `domain_page=on` and `embed=on`, each of which may be missing.
    fileprivate static func access(_ value: @escaping @Sendable (Command) -> PublicGroupAccess) -> Argument {
        .onlyRead { reader throws(DecodeError) in
            let page = reader.skipExactly("web", "=") ? reader.word() : nil
            let domain = reader.skipExactly("domain", "=") ? reader.word() : nil
            let hasDomainPage = reader.skipExactly("domain_page", "=") ? try reader.isOn() : false
            let allowsEmbedding = reader.skipExactly("embed", "=") ? try reader.isOn() : false
            return PublicGroupAccess(
                webPage: page, domainClaim: domain.map { .object(["domain": .string($0)]) },
                hasDomainPage: hasDomainPage, allowsEmbedding: allowsEmbedding)
        }
    }
}
