import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import SMPProtocol

/// What the owner of a channel does: making it, its link, and its relays (network-7.md 9.3 and 9.4).
extension Groups {
    /// A channel that was made, or the relays on which it could not be.
    enum ChannelCreation {
        case created(Group)
        case failed([AddedRelay])
    }

    /// The role of those who join a channel.
    static let subscriberRole = GroupRole.observer

    /// Makes a channel on relays. It waits for the relays of their addresses, and for that of the link.
    func createChannel(
        _ presented: GroupProfile, of profile: OwnProfile, on ids: [ChatRelayID], isIncognito: Bool
    ) async throws -> ChannelCreation {
        try check(presented)
        let relays = try chatRelays(ids, of: profile), server = try servers.server(for: profile.id)
        let requests = await openAddresses(of: relays, profile)
        if let failed = try failures(requests) { return .failed(failed) }

        let random = context.environment.random, agent = try agent
        let root = Ed25519.PrivateKey(random: random), key = Ed25519.PrivateKey(random: random)
        let publicID = SHA256.hash(root.publicKey.raw), memberID = newMemberID()
        let mark = GroupLinkMark(linkID: random.bytes(GroupLinkMark.idSize))
        // The profile names the link, so the link is made before its queue.
        let new = try NewLinkedQueue.address(
            on: server.address, clientText: mark.clientText, entityID: publicID, rootKey: root, random: random)
        guard let link = new.link(.channel)?.shortened(for: PresetServers.all).description else {
            throw ChatError.internal
        }
        var presented = presented
        presented.publicGroup = PublicGroup(link: link, id: publicID)
        let record = try channelRecord(presented, as: memberID, key.publicKey, root, relays: [], memberCount: 1)
        let connection = try store.transaction { try store.insertAddressConnection(of: profile.id, at: now) }
        do {
            let made: Result<LinkPair, AgentError> = await withCheckedContinuation { continuation in
                agent.createAddress(connection, profile.id, new, server: server, showing: record) {
                    continuation.resume(returning: $0)
                }
            }
            let pair = try made.get()
            let incognito = isIncognito ? Profile.incognito(random) : nil
            let (id, connections) = try store.transaction {
                let id = try insert(presented, of: profile)
                let member = try insertMembership(
                    of: profile, in: id, as: incognito, memberID, role: .owner, status: .creator, inviter: .user)
                try store.setMembership(member, of: id)
                try store.setProfileSent(id, at: now)
                try store.setChannel(publicID, rootKey: root.publicKey.der, root: root, key: key, of: id)
                try store.setPublicMemberCount(1, id)
                try store.setRosterVersions(gate: 0, complete: 0, id)
                try store.update(connection, link: LinkText(full: pair.full.description, short: link))
                try store.insertGroupLink(connection, mark.linkID, Groups.subscriberRole, of: id, at: now)
                let group = try lookup.group(id)
                try insertFirstEntries(of: group, by: nil)
                return (id, try insert(requests, into: group))
            }
            for connection in connections { try join(connection) }
            return .created(try lookup.group(id))
        } catch {
            try connector.forget(connection)
            throw error
        }
    }

    /// Adds relays to a channel; nil if it was done.
    func addRelays(_ ids: [ChatRelayID], to group: Group) async throws -> [AddedRelay]? {
        try check(group, atLeast: .owner)
        guard group.isChannel else { throw ChatError.channel(.noChannel) }
        try checkKeys(of: group)
        let profile = try lookup.owner(group.profileID)
        _ = try refusedRelays(ids, of: group)
        let requests = await openAddresses(of: try chatRelays(ids, of: profile), profile)
        if let failed = try failures(requests) { return failed }
        // Another command may have added one meanwhile.
        let refused = try refusedRelays(ids, of: group)
        let connections = try store.transaction {
            for relay in refused { try store.removeGroupRelay(relay.id) }
            return try insert(requests, into: try lookup.group(group.id))
        }
        for connection in connections { try join(connection) }
        return nil
    }

    /// The relays of a channel among some that have refused it, and may be asked again.
    ///
    /// - Throws: ``ChatError`` if the channel uses one of them.
    private func refusedRelays(_ ids: [ChatRelayID], of group: Group) throws -> [GroupRelay] {
        let known = try store.groupRelays(of: group.id).filter { $0.relay.id.map(ids.contains) == true }
        guard known.allSatisfy({ $0.status == .rejected }) else { throw ChatError.channel(.relaysPresent) }
        return known
    }

    /// Throws unless the user has the keys of a channel.
    func checkKeys(of group: Group) throws {
        guard group.channel?.isRoot == true else { throw ChatError.channel(.notOwner) }
    }

    // MARK: - Addresses of relays

    /// What is behind the address of a relay.
    private typealias OpenedAddress = (relay: ChatRelay, result: Result<ConnectionRequest, ChatError>)

    private func chatRelays(_ ids: [ChatRelayID], of profile: OwnProfile) throws -> [ChatRelay] {
        guard !ids.isEmpty, Set(ids).count == ids.count else { throw ChatError.channel(.repeatedRelay) }
        return try ids.map { id in
            guard let relay = try store.chatRelay(id, of: profile.id) else { throw ChatError.channel(.unknownRelay) }
            return relay
        }
    }

    private func openAddresses(of relays: [ChatRelay], _ profile: OwnProfile) async -> [OpenedAddress] {
        var opened: [OpenedAddress] = []
        for relay in relays {
            do {
                let link = try await connector.open(relay.address, profile)
                opened.append((relay, .success(link.request)))
            } catch {
                opened.append((relay, .failure(ChatError(error))))
            }
        }
        return opened
    }

    /// The results of all relays if one cannot be used; nil if all can.
    ///
    /// - Throws: The first error, if none of the errors is final.
    private func failures(_ opened: [OpenedAddress]) throws -> [AddedRelay]? {
        let results = opened.map { address -> AddedRelay in
            if case .failure(let error) = address.result { return AddedRelay(address.relay, error) }
            return AddedRelay(address.relay, nil)
        }
        let errors = results.compactMap(\.error)
        guard let first = errors.first else { return nil }
        guard errors.contains(where: { !$0.isTemporary }) else { throw first }
        return results
    }

    /// Makes relays members of a channel, inside of a transaction. Their connections are to be joined.
    private func insert(_ opened: [OpenedAddress], into group: Group) throws -> [ConnectionID] {
        try opened.compactMap { relay, result in
            guard case .success(let request) = result, let id = relay.id else { return nil }
            let member = try insertChannelMember(
                newMemberID(), .relay, .invitee, .invited,
                presented: Profile(displayName: relay.profile.displayName), inviter: .user, in: group.id,
                of: group.profileID)
            try store.insertGroupRelay(id, member, of: group.id)
            return try insertConnection(with: member, through: request.description, of: group)
        }
    }

    /// What the owner asks a relay.
    func relayInvitation(of member: GroupMember, to group: Group) throws -> ChatMessage.Event {
        guard let link = group.profile.publicGroup?.link else { throw ChatError.channel(.noChannel) }
        return .group(
            .relayInvitation(
                RelayInvitation(
                    from: MemberIDRole(group.membership.memberID, group.membership.role), presentation(in: group),
                    to: member.memberID, channelLink: link)))
    }

    // MARK: - The link

    /// The record behind the link of a channel.
    private func channelRecord(
        _ presented: GroupProfile, as memberID: MemberID, _ key: Ed25519.PublicKey, _ root: Ed25519.PrivateKey,
        relays: [ShortLink], memberCount: Int64
    ) throws -> AddressRecord {
        let owner = LinkOwner(id: memberID.bytes, key: key, authorizedBy: root)
        let empty = AddressRecord(isDirect: false, owners: [owner], relays: relays, content: [])
        let content = GroupLinkContent(
            profile: presented, summary: GroupLinkContent.Summary(memberCount: memberCount))
        let limit = UserLinkRecord.address(empty).contentLimit
        guard let bytes = (try? content.linkContent(limit: limit)) ?? (try? content.reduced.linkContent(limit: limit))
        else { throw ChatError.invalidProfile }
        return empty.with(content: bytes)
    }

    /// Has the link of a channel show its profile, its relays and the number of its members as they are now. For others than
    /// its maker it does nothing.
    func publish(_ group: Group) throws {
        guard group.channel?.isRoot == true, let link = try store.groupLink(of: group.id),
            let root = try store.rootKey(of: group.id), let key = try store.memberKey(of: group.id)
        else { return }
        let relays = try store.groupRelays(of: group.id).compactMap { relay -> ShortLink? in
            guard let member = try store.member(relay.memberID), relay.isPublishable(as: member) else { return nil }
            return relay.link.flatMap { try? ShortLink(text: $0).restored(from: PresetServers.all) }
        }
        let record = try channelRecord(
            group.profile, as: group.membership.memberID, key.publicKey, root, relays: relays,
            memberCount: group.channel?.memberCount ?? 1)
        do {
            try agent.show(record, behindLinkOf: link.connectionID)
        } catch AgentError.connection, AgentError.unknownConnection, AgentError.link {
            // The link shows nothing.
        }
    }

    /// The number of members that the link shows is brought up to date; nothing happens if it is.
    func republish(_ id: GroupID, always: Bool = false) throws {
        guard let group = try store.group(id), group.channel?.isRoot == true, !group.membership.status.isGone else {
            return
        }
        let count = try store.publicMemberCount(of: id)
        guard always || count != group.channel?.memberCount else { return }
        try store.transaction { try store.setPublicMemberCount(count, id) }
        try publish(try lookup.group(id))
    }

    /// The link of a channel shows other relays, or a number of members, by now.
    func recordLink(
        _ event: AgentEvent, _ record: AddressRecord, at link: GroupLink, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        guard let group = try store.group(link.groupID), group.isChannel else {
            return try context.commit(event) { [] }
        }
        return try commit(event, profile) { consequences in
            var isChanged = false, added: [String] = []
            for relay in try store.groupRelays(of: group.id) {
                guard let text = relay.link, let own = try? ShortLink(text: text) else { continue }
                let isShown = record.relays.contains { $0.isSame(as: own) }
                switch relay.status {
                case .acknowledgedRoster where isShown, .accepted where isShown:
                    try store.update(relay.id, status: .active)
                    isChanged = true
                    added.append(text)
                case .active where !isShown:
                    try store.update(relay.id, status: .inactive)
                    isChanged = true
                default: break
                }
            }
            let relays = try store.groupRelays(of: group.id)
            consequences.events.append(
                ChannelLinkEvent(
                    profile: profile, group: group, link: link, relays: relays, isRelaysChanged: isChanged))
            // The owner is counted.
            guard group.channel?.memberCount ?? 0 > 1, !added.isEmpty else { return }
            let others = try relays.compactMap { relay -> GroupMember? in
                guard relay.link.map({ !added.contains($0) }) == true, let member = try store.member(relay.memberID),
                    member.status == .connected
                else { return nil }
                return member
            }
            for text in added {
                consequences.messages += try conversations.enqueue(
                    .group(.relayAdded(link: text)), to: others, of: group)
            }
        }
    }
}

extension GroupRelay {
    /// Whether the link of its channel shows it. A relay that takes no roster has none to acknowledge.
    fileprivate func isPublishable(as member: GroupMember) -> Bool {
        guard member.status == .connected else { return false }
        return switch status {
        case .acknowledgedRoster, .active: true
        case .accepted: member.versions.max < ChatVersion.rosters
        case .new, .invited, .inactive, .rejected: false
        }
    }
}

extension ChatError {
    /// True if the same may work a little later.
    fileprivate var isTemporary: Bool {
        switch self {
        case .relay(let obstacle): obstacle.problem.isTemporary
        default: false
        }
    }
}
