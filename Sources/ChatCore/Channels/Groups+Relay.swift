import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import SMPClient
import SMPProtocol

/// Serving channels as a chat relay (network-7.md 9.4).
extension Groups {
    // MARK: - Requests

    /// Records a request at the address of a chat relay: a test, or the invitation of an owner. Everything else is ignored, because a
    /// chat relay has no contacts.
    func recordRelayRequest(
        _ event: AgentEvent, at address: Address, _ invitation: ConnectionRequest, _ information: Bytes,
        _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        guard let message = Groups.message(in: information) else { return try context.commit(event) { [] } }
        switch message.event {
        case .group(.relayTest(let challenge, nil), _):
            return try connector.recordTest(event, challenge, address, invitation, profile)
        case .group(.relayInvitation(let request), _):
            return try recordInvitation(request, message.versions, event, invitation, profile)
        default: return try context.commit(event) { [] }
        }
    }

    /// The most channels that wait to be served.
    private static let mostRequests = 100

    /// An owner asks the user to serve a channel.
    private func recordInvitation(
        _ request: RelayInvitation, _ versions: VersionRange, _ event: AgentEvent, _ invitation: ConnectionRequest,
        _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        guard request.fromMember.role == .owner, request.fromMember.id != request.relayID,
            let link = Groups.channelLink(request.channelLink)
        else { return try context.commit(event) { [] } }
        let waiting = try store.relayRequests(), served = try servedChannels(of: profile)
        // The same invitation may come again.
        guard waiting.count < Groups.mostRequests,
            !waiting.contains(where: { $0.invitation.relayID == request.relayID }),
            served.allSatisfy({ $0.membership.memberID != request.relayID }),
            relayRequests.take(at: now, limit: relayPolicy.requestsPerMinute)
        else { return try context.commit(event) { [] } }
        let refusal = relayPolicy.refusal(of: link, serving: served.count(where: \.serves) + waiting.count)
        let reason = try hasLeft(link, profile) ? RelayRejection.rejoin : refusal.map(RelayRejection.init)
        if let reason {
            relayActivity.refusals += 1
            return try connector.recordBareRequest(event, invitation, .group(.relayRejected(reason)), profile)
        }
        var number: Int64?
        let events = try context.commit(event) {
            number = try store.insertRelayRequest(
                request, versions, link: invitation.description, of: profile.id, at: now)
            return []
        }
        if let number { try serve(number) }
        return events
    }

    /// The short link of a channel; nil for any other text.
    static func channelLink(_ text: String) -> ShortLink? {
        guard case .short(let link)? = (try? ConnectionLink(text: text))?.complete, link.kind == .address(.channel)
        else { return nil }
        return link
    }

    private func servedChannels(of profile: OwnProfile) throws -> [Group] {
        try store.groups(of: profile.id).filter { $0.isServedByUser }
    }

    /// True if the user left a channel as its relay, and does not want to serve it again.
    private func hasLeft(_ link: ShortLink, _ profile: OwnProfile) throws -> Bool {
        try servedChannels(of: profile).contains { group in
            group.channel?.ownStatus == .rejected
                && group.profile.publicGroup.flatMap { Groups.channelLink($0.link) }?.isSame(as: link) == true
        }
    }

    // MARK: - Beginning to serve

    /// Continues the requests of owners that are not carried out.
    func serveRequests() throws {
        for request in try store.relayRequests() { try serve(request.number) }
    }

    /// Reads the link of a channel, and then makes an own link for it.
    private func serve(_ number: Int64) throws {
        guard !servedRequests.contains(number), let request = try store.relayRequest(number),
            let link = Groups.channelLink(request.invitation.channelLink)
        else { return }
        let agent = try agent
        servedRequests.insert(number)
        agent.open(link, request.profileID) { [weak self] result in
            guard let self else { return }
            context.attempt {
                switch result {
                case .success(let opened): try self.makeLink(for: request, opened)
                case .failure(let error): try self.putOff(request, error)
                }
            }
        }
    }

    /// For how long a request is tried.
    private static let requestLifetime = Duration.seconds(7 * 24 * 3600)

    /// Tries a request again later, unless the obstacle stays.
    private func putOff(_ request: ServiceRequest, _ error: AgentError) throws {
        servedRequests.remove(request.number)
        guard error.mayPass, request.createdAt + Groups.requestLifetime > now else {
            return try store.transaction { try store.removeRelayRequest(request.number) }
        }
        try store.transaction { try store.countRelayAttempt(request.number) }
        let delay = Duration.seconds(min(3600, 5 << min(request.attempts, 10)))
        _ = context.after(delay) { [weak self] in try self?.serve(request.number) }
    }

    /// Makes the link of the user for a channel. Its root key is the key of the user as a member.
    private func makeLink(for request: ServiceRequest, _ opened: OpenedLink) throws {
        guard let channel = try? ChannelLink(opened), channel.content.profile.publicGroup?.kind == .channel,
            let owners = channel.ownerKeys, owners[request.invitation.fromMember.id] != nil,
            let profile = try store.profile(request.profileID)
        else {
            servedRequests.remove(request.number)
            return try store.transaction { try store.removeRelayRequest(request.number) }
        }
        let agent = try agent
        guard let server = context.attempt({ try servers.server(for: profile.id) }) else {
            return try putOff(request, .connection(.notReady))
        }
        let key = Ed25519.PrivateKey(random: context.environment.random)
        let mark = GroupLinkMark(linkID: context.environment.random.bytes(GroupLinkMark.idSize))
        let content = try connector.relayContent(
            profile, limit: UserLinkRecord.address(AddressRecord(content: [])).contentLimit)
        let id = try store.transaction { try store.insertAddressConnection(of: profile.id, at: now) }
        agent.createAddress(
            id, profile.id, server: server, showing: content, clientText: mark.clientText,
            identity: AddressIdentity(rootKey: key, entityID: request.invitation.relayID.bytes)
        ) { [weak self] result in
            guard let self else { return }
            context.attempt {
                switch result {
                case .success(let pair):
                    try self.join(request, channel, owners, profile, key, id, LinkText(group: pair, mark), mark)
                case .failure(let error):
                    try self.connector.forget(id)
                    try self.putOff(request, error)
                }
            }
        }
    }

    /// Becomes a relay of a channel, and tells the owner.
    private func join(
        _ request: ServiceRequest, _ channel: ChannelLink, _ owners: [MemberID: Ed25519.PublicKey],
        _ profile: OwnProfile, _ key: Ed25519.PrivateKey, _ linkConnection: ConnectionID, _ link: LinkText,
        _ mark: GroupLinkMark
    ) throws {
        servedRequests.remove(request.number)
        relayActivity.channels += 1
        let invitation = request.invitation
        let connection = try store.transaction {
            try store.update(linkConnection, link: link)
            let id = try insert(channel.content.profile, of: profile)
            // Its number is the lowest of the group, see ``MemberSet``.
            let membership = try insertMembership(
                of: profile, in: id, as: nil, invitation.relayID, role: .relay, status: .accepted, inviter: .unknown)
            try store.setMembership(membership, of: id)
            try store.setChannel(channel.publicID, rootKey: channel.rootKey, key: key, of: id)
            try store.setOwnStatus(.accepted, id)
            try store.setSessionValue(Groups.domainKey(id), relayPolicy.webDomain)
            try store.setProfileSent(id, at: now)
            try store.insertGroupLink(linkConnection, mark.linkID, .observer, of: id, at: now)
            let host = try insertChannelMember(
                invitation.fromMember.id, .owner, .host, .accepted,
                presented: invitation.fromMemberProfile.presentedByMember().withBoundedImage,
                versions: request.versions, in: id, of: profile.id)
            for (owner, key) in owners {
                let member =
                    owner == invitation.fromMember.id
                    ? host : try insertChannelMember(owner, .owner, .pre, .unknown, in: id, of: profile.id)
                try store.setPublicKey(key.der, of: member)
            }
            try store.removeRelayRequest(request.number)
            return try insertConnection(
                with: host, through: request.link, of: try lookup.group(id), versions: request.versions)
        }
        try join(connection)
    }

    /// What an owner is told that asked the user to serve a channel; nil where the user is no relay.
    func relayAcceptance(in group: Group) throws -> ChatMessage.Event? {
        guard group.isServedByUser, let link = try store.groupLink(of: group.id)?.link.short else { return nil }
        return .group(.relayAccepted(link: link, RelayCapabilities(webDomain: relayPolicy.webDomain)))
    }

    /// Tells the owners of served channels on which domain the web shows them, where that has changed (network-7.md 9.4).
    func tellCapabilities() throws {
        guard let relay = try store.chatRelay(), let profile = try store.profile(relay) else { return }
        let domain = relayPolicy.webDomain
        for group in try store.groups(of: relay) where group.serves {
            guard try store.sessionValue(Groups.domainKey(group.id)) != domain else { continue }
            let owners = try store.members(of: group.id).filter {
                $0.role == .owner && $0.isReady && $0.versions.max >= ChatVersion.relayCapabilities
            }
            guard !owners.isEmpty else { continue }
            try commit(profile) { consequences in
                consequences.messages += try conversations.enqueue(
                    .group(.relayCapabilities(RelayCapabilities(webDomain: domain))), to: owners, of: group)
                try store.setSessionValue(Groups.domainKey(group.id), domain)
            }
        }
    }

    private static func domainKey(_ id: GroupID) -> String { "relay-domain-\(id.number)" }
}

extension ChannelLink {
    /// The keys of the owners; nil if one has no id of a member.
    fileprivate var ownerKeys: [MemberID: Ed25519.PublicKey]? {
        var keys: [MemberID: Ed25519.PublicKey] = [:]
        for owner in owners {
            guard let id = MemberID(owner.id) else { return nil }
            keys[id] = owner.key
        }
        return keys
    }
}

extension RelayRejection {
    fileprivate init(_ refusal: ChatRelayRefusal) {
        self.init(rawValue: refusal.rawValue)
    }
}

extension AgentError {
    /// True if the obstacle may be gone later.
    fileprivate var mayPass: Bool {
        switch self {
        case .relay(_, let error): error.isTemporary
        case .connection, .notice, .store: true
        case .unknownConnection, .link: false
        }
    }
}
