import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import SMPClient
import SMPProtocol

/// Names in the place of links (network-7.md 11). They are resolved only when the user asks to connect, to take a name, or to
/// verify one.
extension Connector {
    /// A name with the link that it leads to.
    typealias NamedLink = (name: SimplexName, link: ShortLink)

    // MARK: - Resolving

    /// The largest number of relays that are asked for one name.
    private static let mostNameServers = 3

    /// The record of a domain. A relay without a resolver, or of an earlier version, leaves the question to another one.
    private func record(of domain: String, for profile: OwnProfile) async throws -> NameRecord {
        guard let domain = try? SimplexDomain(text: domain) else { throw ChatError.invalidLink }
        let agent = try agent
        var refusal: AgentError?
        for server in try servers.nameServers(for: profile.id).prefix(Connector.mostNameServers) {
            let answer: Result<NameRecord, AgentError> = await withCheckedContinuation { continuation in
                agent.resolve(domain, profile.id, at: server) { continuation.resume(returning: $0) }
            }
            switch answer {
            case .success(let record): return record
            case .failure(let error):
                refusal = error
                guard error.isLackOfResolver else { throw error }
            }
        }
        throw refusal.map { $0 as any Error } ?? ChatError.noServer
    }

    /// The first of the possible names that leads to a link of its kind.
    ///
    /// - Throws: ``ChatError/name(_:_:)`` if none does.
    private func resolve(_ names: [SimplexName], for profile: OwnProfile) async throws -> NamedLink {
        guard let first = names.first else { throw ChatError.invalidLink }
        let record = try await record(of: first.fullDomain, for: profile)
        for name in names {
            if let link = record.links(name.kind).lazy.compactMap(name.kind.link).first { return (name, link) }
        }
        throw ChatError.name(.noLink, first)
    }

    /// Checks that a name leads to a link.
    ///
    /// - Throws: ``ChatError/name(_:_:)`` if it does not.
    func check(_ name: SimplexName, leadsTo link: String?, for profile: OwnProfile) async throws {
        let record = try await record(of: name.fullDomain, for: profile)
        guard record.links(name.kind).contains(where: { name.kind.isSame($0, link) }) else {
            throw ChatError.name(.noLink, name)
        }
    }

    // MARK: - Plans

    /// Returns what the link behind a name is, and notes that the name of a known contact or channel is verified.
    ///
    /// - Parameters:
    ///   - names: The possible names, the preferred one first.
    ///   - isLocal: True if only what is known here counts.
    func plan(_ profile: OwnProfile, names: [SimplexName], isLocal: Bool) async throws -> ConnectionPlan {
        for name in names { if let known = try known(name, of: profile) { return known } }
        guard !isLocal else { throw ChatError.connecting(.notResolved) }
        let (name, link) = try await resolve(names, for: profile)
        let opened = try await open(link, profile)
        // SECURITY: without this check the relay and its resolver could lead a name to any profile.
        guard opened.claim(name.kind) == name.fullDomain else { throw ChatError.name(.unclaimed, name) }
        var plan = try await plan(profile, try pasted(link.description), opened)
        switch plan.state {
        case .ok: plan.verifiedName = name
        case .known(let contact): plan = plan.with(.known(try verify(contact, name, opened)))
        case .knownGroup(let group): plan = plan.with(.knownGroup(try verify(group, name)))
        case .own, .connecting, .connectingProhibited, .ownGroup, .noRelays, .updateRequired, .connectingGroup: break
        }
        return plan
    }

    /// The plan for the name of the profile itself, or for a name that is verified already. No relay is asked.
    private func known(_ name: SimplexName, of profile: OwnProfile) throws -> ConnectionPlan? {
        let domain = name.fullDomain
        switch name.kind {
        case .contact:
            if profile.profile.domainClaim?.domain == domain, let address = try store.address(of: profile.id) {
                return ConnectionPlan(kind: .address(.contact), link: address.link, state: .own, shown: nil)
            }
            for contact in try store.preparedContacts(of: profile.id) where contact.isNamed(domain) {
                guard let link = contact.prepared?.link else { continue }
                return ConnectionPlan(kind: .address(.contact), link: link, state: .known(contact), shown: nil)
            }
        case .publicGroup:
            for id in try store.channels(of: profile.id) {
                let group = try lookup.group(id)
                guard !group.membership.status.isGone, group.profile.publicGroup?.access?.claim?.domain == domain else {
                    continue
                }
                let own = try store.groupLink(of: id)?.link
                guard let link = own ?? group.prepared?.link, own != nil || group.isNameVerified == true else {
                    continue
                }
                let state: ConnectionPlan.State = own == nil ? .knownGroup(group) : .ownGroup(group)
                return ConnectionPlan(kind: .address(.group), link: link, state: state, shown: nil)
            }
        }
        return nil
    }

    // MARK: - Verified names

    /// Notes that the name of a contact leads to the link of the contact, which claims it.
    private func verify(_ contact: Contact, _ name: SimplexName, _ opened: OpenedLink) throws -> Contact {
        try store.transaction {
            var presented = contact.profile
            if presented.domainClaim?.domain != name.fullDomain {
                presented.domainClaim = DomainClaim(name.fullDomain)
                try store.update(contact.id, profile: presented, at: now)
            }
            try note(NameCheck(name.fullDomain), of: contact)
        }
        return try lookup.contact(contact.id)
    }

    private func verify(_ group: Group, _ name: SimplexName) throws -> Group {
        try store.transaction { try note(NameCheck(name.fullDomain), of: group) }
        return try lookup.group(group.id)
    }

    /// Notes the last check of the name that a contact claims, inside of a transaction.
    private func note(_ check: NameCheck, of contact: Contact) throws {
        let link = contact.connection.map { LinkText($0) }
        guard
            var prepared = contact.prepared
                ?? link.map({ PreparedContact(link: $0, isInvitation: false, welcomeID: nil) })
        else { return }
        prepared.name = check
        try store.setPrepared(prepared, contact.id)
    }

    private func note(_ check: NameCheck, of group: Group) throws {
        guard var prepared = group.prepared else { return }
        prepared.name = check
        try store.setPrepared(prepared, group.id)
    }

    /// Verifies the name that a contact claims with the proof of its claim. Returns the reason if that is not possible, or failed.
    func verifyName(of contact: Contact) async throws -> NameFailure? {
        guard let claim = contact.profile.domainClaim, let name = SimplexName(.contact, domain: claim.domain) else {
            throw ChatError.channel(.noContactName)
        }
        guard let proof = claim.proof else { return .noProof }
        guard let text = contact.prepared?.link.short, case .short(let link)? = try? ConnectionLink(text: text) else {
            return .noLink
        }
        let failure = try await failure(of: name, proof, link, try lookup.owner(contact.profileID))
        try store.transaction {
            try note(NameCheck(claim.domain, isVerified: failure == nil), of: try lookup.contact(contact.id))
        }
        return failure
    }

    /// Verifies the name that a channel claims. Returns the reason if that is not possible, or failed.
    func verifyName(of group: Group) async throws -> NameFailure? {
        guard let publicGroup = group.profile.publicGroup, let claim = publicGroup.access?.claim,
            let name = SimplexName(.publicGroup, domain: claim.domain)
        else { throw ChatError.channel(.noChannelName) }
        guard case .short(let link)? = try? ConnectionLink(text: publicGroup.link) else { return .noLink }
        let failure = try await failure(of: name, claim.proof, link, try lookup.owner(group.profileID))
        try store.transaction {
            try note(NameCheck(claim.domain, isVerified: failure == nil), of: try lookup.group(group.id))
        }
        return failure
    }

    private func failure(
        of name: SimplexName, _ proof: DomainProof?, _ link: ShortLink, _ profile: OwnProfile
    ) async throws -> NameFailure? {
        let record = try await record(of: name.fullDomain, for: profile)
        guard record.links(name.kind).contains(where: { name.kind.isSame($0, link.description) }) else {
            return .otherLink
        }
        guard let proof else { return nil }
        let opened = try await open(link, profile)
        return opened.verifies(proof, of: name.fullDomain, for: link) ? nil : .badProof
    }
}

/// Why a claimed name is not verified. The raw values are those of the reference implementation.
public enum NameFailure: String, CaseIterable, Hashable, Sendable {
    case noProof = "no name proof to verify"
    case noLink = "no connection link to check the name against"
    case otherLink = "the name does not resolve to this address"
    case badProof = "the name proof was not signed by this address's owner"
}

extension AgentError {
    /// True if another relay may resolve names.
    fileprivate var isLackOfResolver: Bool {
        switch self {
        case .relay(_, .refused(.name(.noResolver))), .relay(_, .handshake(.version)),
            .relay(_, .forwarder(.refused(.name(.noResolver)))):
            true
        default: false
        }
    }
}

extension NameRecord {
    fileprivate func links(_ kind: SimplexName.Kind) -> [String] {
        switch kind {
        case .contact: contactLinks
        case .publicGroup: channelLinks
        }
    }
}

extension SimplexName.Kind {
    /// Reads a link of a record, which is used if its letter is that of the kind.
    fileprivate func link(_ text: String) -> ShortLink? {
        guard let link = try? ShortLink(text: text), link.kind == .address(self == .contact ? .contact : .channel)
        else {
            return nil
        }
        return link
    }

    /// Returns true if a link of a record leads to the same address as another one.
    fileprivate func isSame(_ text: String, _ other: String?) -> Bool {
        guard let same = link(text), let other = other.flatMap({ link($0) }) else { return false }
        return same.keptText == other.keptText
    }
}

extension Contact {
    /// True if the contact has a verified name.
    fileprivate func isNamed(_ domain: String) -> Bool {
        prepared?.name == NameCheck(domain) && isNameVerified == true
    }
}

extension OpenedLink {
    /// The domain that the profile behind the link claims.
    fileprivate func claim(_ kind: SimplexName.Kind) -> String? {
        switch kind {
        case .contact: (try? ContactLinkContent(linkContent: user.content))?.profile.domainClaim?.domain
        case .publicGroup:
            (try? GroupLinkContent(linkContent: user.content))?.profile.publicGroup?.access?.claim?.domain
        }
    }

    /// Verifies the proof of a claimed name with the keys behind the link.
    fileprivate func verifies(_ proof: DomainProof, of domain: String, for link: ShortLink) -> Bool {
        var key: Ed25519.PublicKey? = fixed.rootKey
        if let id = proof.ownerID {
            guard case .address(_, let record) = user else { return false }
            key = record.owners.first { $0.id == id }?.key
        }
        guard let key, case .address(let kind) = link.kind else { return false }
        let complete = link.restored(from: PresetServers.all)
        let signed = "\(kind.binaryLetter) \(complete.server) \(Base64URL.encode(complete.key.bytes))"
        return key.verify(proof.signature, of: proof.signedText(domain, link: signed))
    }
}
