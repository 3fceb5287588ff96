import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import SMPProtocol

/// The texts of links, and the content of short links.
extension Connector {
    /// Reads a pasted link. Of a full and a short link, as responses of the API have them, the short one is used.
    func pasted(_ text: String) throws -> PastedLink {
        let words = text.split(whereSeparator: \.isWhitespace)
        let links = words.compactMap { (try? ConnectionLink(text: String($0)))?.normalized }
        guard (1...2).contains(words.count), links.count == words.count, let link = links.last else {
            throw ChatError.invalidLink
        }
        let full = links.first { if case .full = $0 { true } else { false } }
        let isShort = if case .short = link { true } else { false }
        return PastedLink(
            link: link, full: full?.description, short: isShort ? link.description : nil)
    }

    /// The texts to hand out. Their readers need no relay configuration of this user.
    ///
    /// - Parameter kind: The kind of an address, for the letter in its short link; nil for an invitation.
    static func text(of pair: LinkPair, _ kind: AddressKind? = nil) -> LinkText {
        let short = pair.short.map { link in
            kind.map { ShortLink(scheme: link.scheme, target: .address($0), server: link.server, key: link.key) }
                ?? link
        }
        return LinkText(full: pair.full.description, short: short?.shortened(for: PresetServers.all).description)
    }

    /// The content of an invitation: the profile. A name leads to an address, so an invitation claims none.
    func invitationContent(_ profile: OwnProfile, as incognito: Profile?) throws -> Bytes {
        try content(
            of: profile, as: incognito, claimsName: false, welcome: nil,
            limit: UserLinkRecord.invitation([]).contentLimit)
    }

    /// The content of an address: the profile and the welcome message.
    func addressContent(_ profile: OwnProfile, _ settings: AddressSettings) throws -> Bytes {
        let limit = UserLinkRecord.address(AddressRecord(content: [])).contentLimit
        if profile.isChatRelay { return try relayContent(profile, limit: limit) }
        return try content(
            of: profile, as: nil, welcome: settings.welcome, isBusiness: settings.isBusiness, limit: limit)
    }

    private func content(
        of profile: OwnProfile, as incognito: Profile?, claimsName: Bool = true, welcome: MessageContent?,
        isBusiness: Bool = false, limit: Int
    ) throws -> Bytes {
        var presented = presentation(of: profile, as: incognito)
        if !claimsName { presented.domainClaim = nil }
        let content = ContactLinkContent(
            profile: presented, welcome: welcome, isBusiness: isBusiness)
        if let bytes = try? content.linkContent(limit: limit) { return bytes }
        // The rest is told in the handshake.
        guard let bytes = try? content.reduced.linkContent(limit: limit) else { throw ChatError.invalidProfile }
        return bytes
    }

    // MARK: - Plans

    /// Returns the kind of a link, its state here, and its content.
    ///
    /// - Parameters:
    ///   - text: The link, or a name that leads to it.
    ///   - proof: The proof that came with the link.
    ///   - isLocal: True if only what is known here counts.
    func plan(
        _ profile: OwnProfile, link text: String, proof: LinkOwnerSignature? = nil, isLocal: Bool = false
    ) async throws -> ConnectionPlan {
        let names = SimplexName.named(by: text)
        guard names.isEmpty else { return try await plan(profile, names: names, isLocal: isLocal) }
        return try await plan(profile, try pasted(text), nil, proof: proof, isLocal: isLocal)
    }

    /// - Parameter known: The records behind a short link, if they were read already.
    func plan(
        _ profile: OwnProfile, _ pasted: PastedLink, _ known: OpenedLink?, proof: LinkOwnerSignature? = nil,
        isLocal: Bool = false
    ) async throws -> ConnectionPlan {
        let link = pasted.link
        guard link.kind != .address(.relay) else { throw ChatError.channel(.relayAddress) }
        guard link.isPerson || link.isGroup || link.isChannel else { throw ChatError.unsupportedLink }
        let kind: LinkKind = link.isGroup || link.isChannel ? .address(.group) : link.kind
        if let own = try ownLink(pasted, of: profile) {
            return ConnectionPlan(kind: kind, link: own, state: .own, shown: nil)
        }
        if let state = try planGroup(pasted, profile) {
            let links = LinkText(full: pasted.full ?? link.description, short: pasted.short)
            // The address of a business leads to a group too.
            return ConnectionPlan(kind: state.isGroup ? .address(.group) : kind, link: links, state: state, shown: nil)
        }
        if let (links, state) = try self.known(pasted, of: profile) {
            return ConnectionPlan(kind: kind, link: links, state: state, shown: nil)
        }
        var texts = LinkText(full: pasted.full ?? link.description, short: pasted.short)
        var shown: ConnectionPlan.Content?
        if case .short(let short) = link {
            guard known != nil || !isLocal else { throw ChatError.connecting(.notResolved) }
            let opened: OpenedLink
            if let known { opened = known } else { opened = try await open(short, profile) }
            texts = LinkText(full: opened.request.description, short: link.description)
            if link.isGroup || link.isChannel {
                var plan = try groupPlan(opened, texts, kind, profile)
                plan.verification = proof.map { opened.verification(of: $0, for: short) }
                return plan
            }
            let content = opened.user.content
            shown =
                link.isGroup
                ? (try? GroupLinkContent(linkContent: content)).map { .group($0) }
                : (try? ContactLinkContent(linkContent: content)).map { .contact($0) }
        }
        return ConnectionPlan(kind: kind, link: texts, state: .ok, shown: shown)
    }

    /// What the records behind the link of a group or a channel say.
    private func groupPlan(
        _ opened: OpenedLink, _ link: LinkText, _ kind: LinkKind, _ profile: OwnProfile
    ) throws -> ConnectionPlan {
        let content = try? GroupLinkContent(linkContent: opened.user.content)
        guard case .address(_, let record) = opened.user else { throw ChatError.invalidLink }
        let shown = content.map { ConnectionPlan.Content.group($0) }, publicGroup = content?.profile.publicGroup
        if !record.isDirect {
            if let publicGroup, publicGroup.kind != .channel {
                return ConnectionPlan(kind: kind, link: link, state: .updateRequired, shown: shown)
            }
            if record.relays.isEmpty { return ConnectionPlan(kind: kind, link: link, state: .noRelays, shown: shown) }
        }
        // The profile and the fixed record name the same channel, or none (network-7.md 4.2).
        guard opened.fixed.entityID == publicGroup?.id else { throw ChatError.invalidLink }
        if let id = try publicGroup.flatMap({ try store.channel($0.id, of: profile.id) }) {
            let group = try lookup.group(id)
            if !group.membership.status.isGone {
                return ConnectionPlan(kind: kind, link: link, state: .knownGroup(group), shown: nil)
            }
        }
        var plan = ConnectionPlan(kind: kind, link: link, state: .ok, shown: shown)
        plan.target = GroupLinkTarget(
            isDirect: record.isDirect, relays: record.relays.map(\.keptText), publicID: opened.fixed.entityID)
        return plan
    }

    /// The state of a link that was used or prepared before; nil for a new one.
    private func known(_ link: PastedLink, of profile: OwnProfile) throws -> (LinkText, ConnectionPlan.State)? {
        if let connection = try connection(through: link, of: profile) {
            let links = LinkText(connection)
            guard let id = connection.contactID else { return (links, .connecting(connection)) }
            let contact = try lookup.contact(id)
            // An invitation cannot be used a second time, whatever has become of its contact.
            guard contact.status == .active || link.link.kind == .invitation else { return nil }
            let isConnecting = !contact.isReady && connection.status != .ready && link.link.kind != .invitation
            return (links, isConnecting ? .connectingProhibited(contact) : .known(contact))
        }
        for contact in try store.preparedContacts(of: profile.id) {
            guard let prepared = contact.prepared, contact.connection == nil, link.isOne(of: prepared.link) else {
                continue
            }
            return (prepared.link, .known(contact))
        }
        return nil
    }

    /// The connection that was begun through a link.
    func connection(through link: PastedLink, of profile: OwnProfile) throws -> ContactConnection? {
        for text in [link.short, link.full] {
            if let text, let known = try store.connection(through: text, of: profile.id) { return known }
        }
        return nil
    }

    /// The records behind a short link, from its relay.
    func open(_ link: ShortLink, _ profile: OwnProfile) async throws -> OpenedLink {
        let agent = try agent
        let opened: Result<OpenedLink, AgentError> = await withCheckedContinuation { continuation in
            agent.open(link.restored(from: PresetServers.all), profile.id) { continuation.resume(returning: $0) }
        }
        return try opened.get()
    }

    /// The own link that a text is, if it is one.
    private func ownLink(_ link: PastedLink, of profile: OwnProfile) throws -> LinkText? {
        if let address = try store.address(of: profile.id), link.isOne(of: address.link) { return address.link }
        guard let known = try connection(through: link, of: profile), known.isInitiated else { return nil }
        return LinkText(known)
    }

    /// Returns true if a link is one of the profile itself.
    func isOwn(_ link: PastedLink, of profile: OwnProfile) throws -> Bool {
        try ownLink(link, of: profile) != nil
    }
}

/// A link that a user gave, in one form or in both.
struct PastedLink {
    /// The link to use: the short one if there are both.
    let link: ConnectionLink
    let full: String?
    let short: String?

    /// True if it is one of the two forms of another.
    func isOne(of other: LinkText) -> Bool {
        full == other.full || (short != nil && (short == other.short || short == other.full))
    }
}

extension LinkText {
    /// The links of a connection.
    init(_ connection: ContactConnection) {
        self.init(full: connection.link ?? "", short: connection.shortLink)
    }
}

extension ConnectionLink {
    /// True if the link leads to a contact, and not to a group or relay.
    var isPerson: Bool {
        switch self {
        case .full: !isGroup
        case .short(let link): link.kind == .invitation || link.kind == .address(.contact)
        }
    }

    /// True if the link leads to a group.
    var isGroup: Bool {
        switch self {
        case .full(.invitation): false
        case .full(.contact(let queues)): queues.clientText.flatMap { GroupLinkMark(clientText: $0) } != nil
        case .short(let link): link.kind == .address(.group)
        }
    }

    /// True if the link leads to a channel.
    var isChannel: Bool {
        if case .short(let link) = self { link.kind == .address(.channel) } else { false }
    }

    /// The link in the one form in which it is kept and compared.
    var normalized: ConnectionLink {
        guard case .short(let link) = self else { return self }
        let complete = link.restored(from: PresetServers.all)
        return .short(
            ShortLink(target: complete.target, server: complete.server, key: complete.key)
                .shortened(for: PresetServers.all))
    }

    /// The link with all that it takes to find its relay.
    var complete: ConnectionLink {
        guard case .short(let link) = self else { return self }
        return .short(link.restored(from: PresetServers.all))
    }
}
