import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import SMPProtocol

/// The texts of links, and the content of short links.
extension Connector {
    /// Reads a pasted link. Of a full and a short link, as responses of the API have them, the short one counts.
    func pasted(_ text: String) throws -> ConnectionLink {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard (1...2).contains(words.count), let word = words.last,
            let link = try? ConnectionLink(text: String(word))
        else { throw ChatError.invalidLink }
        guard link.isSupported else { throw ChatError.unsupportedLink }
        return link.normalized
    }

    /// The texts to hand out. Their readers need no relay configuration of this user.
    static func text(of pair: LinkPair) -> LinkText {
        LinkText(full: pair.full.description, short: pair.short?.shortened(for: PresetServers.all).description)
    }

    /// The content of an invitation: the profile.
    func invitationContent(_ profile: OwnProfile, as incognito: Profile?) throws -> Bytes {
        try content(of: profile, as: incognito, welcome: nil, limit: UserLinkRecord.invitation([]).contentLimit)
    }

    /// The content of an address: the profile and the welcome message.
    func addressContent(_ profile: OwnProfile, _ settings: AddressSettings) throws -> Bytes {
        let limit = UserLinkRecord.address(AddressRecord(content: [])).contentLimit
        return try content(of: profile, as: nil, welcome: settings.welcome, limit: limit)
    }

    private func content(
        of profile: OwnProfile, as incognito: Profile?, welcome: MessageContent?, limit: Int
    ) throws -> Bytes {
        let content = ContactLinkContent(profile: presentation(of: profile, as: incognito), welcome: welcome)
        if let bytes = try? content.linkContent(limit: limit) { return bytes }
        // The rest is told in the handshake.
        guard let bytes = try? content.reduced.linkContent(limit: limit) else { throw ChatError.invalidProfile }
        return bytes
    }

    // MARK: - Plans

    /// Returns the kind of a link, its state here, and its content.
    func plan(_ profile: OwnProfile, link text: String) async throws -> ConnectionPlan {
        let link = try pasted(text)
        if let own = try ownLink(link, of: profile) { return own }
        if let known = try store.connection(through: link.description, of: profile.id), known.status != .failed {
            var state = ConnectionPlan.State.connecting(known)
            if let contactID = known.contactID { state = .known(try lookup.contact(contactID)) }
            return ConnectionPlan(kind: link.kind, link: LinkText(known), state: state, content: nil)
        }
        var texts = LinkText(full: link.description, short: nil)
        var content: ContactLinkContent?
        if case .short(let short) = link {
            let opened = try await open(short, profile)
            texts = LinkText(full: opened.request.description, short: link.description)
            content = try? ContactLinkContent(linkContent: opened.user.content)
        }
        return ConnectionPlan(kind: link.kind, link: texts, state: .ok, content: content)
    }

    private func open(_ link: ShortLink, _ profile: OwnProfile) async throws -> OpenedLink {
        let agent = try agent
        let opened: Result<OpenedLink, AgentError> = await withCheckedContinuation { continuation in
            agent.open(link.restored(from: PresetServers.all), profile.id) { continuation.resume(returning: $0) }
        }
        return try opened.get()
    }

    /// The plan for a link of the profile itself.
    private func ownLink(_ link: ConnectionLink, of profile: OwnProfile) throws -> ConnectionPlan? {
        let text = link.description
        var own: LinkText?
        if let address = try store.address(of: profile.id), [address.link.full, address.link.short].contains(text) {
            own = address.link
        } else if let known = try store.connection(through: text, of: profile.id), known.isInitiated {
            own = LinkText(known)
        }
        return own.map { ConnectionPlan(kind: link.kind, link: $0, state: .own, content: nil) }
    }

    /// Returns true if a link is one of the profile itself.
    func isOwn(_ link: ConnectionLink, of profile: OwnProfile) throws -> Bool {
        try ownLink(link, of: profile) != nil
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
    var isSupported: Bool {
        switch self {
        case .full(.invitation): true
        case .full(.contact(let queues)): queues.clientText.flatMap { GroupLinkMark(clientText: $0) } == nil
        case .short(let link): link.kind == .invitation || link.kind == .address(.contact)
        }
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
