import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore

/// What became of the request to one relay of a channel.
public struct RelayConnection: Hashable, Sendable {
    /// The relay as a member.
    public let member: GroupMember
    /// Why it could not be asked; nil if it was.
    public let problem: ChatError?
}

/// Joining channels through their relays (network-7.md 9.5).
extension Groups {
    // MARK: - Preparing

    /// Makes a channel of what its link shows. Nothing is sent.
    ///
    /// - Parameter name: The check of the name that the channel claims.
    func prepareChannel(
        _ profile: OwnProfile, _ link: PastedLink, _ content: GroupLinkContent, _ name: NameCheck?
    ) throws -> ChatPreview {
        guard let publicGroup = content.profile.publicGroup else { throw ChatError.invalidLink }
        let (id, item) = try store.transaction {
            let id = try insert(content.profile, of: profile)
            let member = try insertMembership(
                of: profile, in: id, as: nil, role: .observer, status: .unknown, inviter: .unknown)
            try store.setMembership(member, of: id)
            try store.setChannel(
                publicGroup.id, rootKey: nil, key: Ed25519.PrivateKey(random: context.environment.random), of: id)
            try store.setPublicMemberCount(content.summary?.memberCount, id)
            try store.setProfileSent(id, at: now)
            let welcome = content.profile.welcome
            let welcomeID = welcome == nil ? nil : conversations.newSharedID()
            try store.setPrepared(
                PreparedGroup(
                    link: LinkText(full: link.full ?? link.link.description, short: link.short), welcomeID: welcomeID,
                    name: name), id)
            try insertFeatures(of: try lookup.group(id))
            let item = try welcome.flatMap { text in
                try store.insert(
                    ChatStore.NewGroupNotice(
                        content: .message(MessageContent(text)), direction: .received, isUnread: true,
                        sharedID: welcomeID, isFromGroup: true, time: now), in: id, at: now)
            }
            return (id, item)
        }
        return ChatPreview(chat: .group(try lookup.group(id)), lastItem: try item.map { try lookup.item($0) })
    }

    /// Notes at the beginning of a channel what its members may do.
    private func insertFeatures(of group: Group) throws {
        _ = try store.insertNotice(.banner, .sent, in: .group(group.id), isUnread: false, at: now)
        let preferences = group.preferences
        for feature in GroupPreferences.Feature.allCases where feature.isOfChannels {
            _ = try store.insert(
                ChatStore.NewGroupNotice(
                    content: .groupFeature(feature, preferences.setting(for: feature).told), direction: .received,
                    isFromGroup: true, time: now), in: group.id, at: now)
        }
    }

    // MARK: - Joining

    /// Asks the relays of a prepared channel. It has begun if one of them could be asked.
    func joinChannel(_ group: Group, isIncognito: Bool) async throws -> [RelayConnection] {
        guard let prepared = group.prepared, let channel = group.channel else {
            throw ChatError.membership(.refused(.notPrepared))
        }
        guard !prepared.isStarted, group.membership.status == .unknown else {
            throw ChatError.membership(.refused(.begun))
        }
        let text = [prepared.link.full, prepared.link.short].compactMap(\.self).joined(separator: " ")
        guard case .short(let link) = try connector.pasted(text).link else { throw ChatError.invalidLink }
        _ = try servers.server(for: group.profileID)
        let opened = try ChannelLink(try await connector.open(link, try lookup.owner(group.profileID)))
        guard opened.publicID == channel.publicID else { throw ChatError.invalidLink }
        let relays = try store.transaction {
            if isIncognito, !group.membership.isIncognito {
                try store.setIncognito(
                    Profile.incognito(context.environment.random).forMembers(), group.membership.id)
            }
            try store.setRootKey(opened.rootKey, group.id)
            try store.setPublicMemberCount(opened.content.summary?.memberCount, group.id)
            for owner in opened.owners { try insertOwner(owner, of: group) }
            return try opened.relays.map { try relay($0, of: group) }
        }
        let problems = await ask(relays)
        let results = try relays.map { RelayConnection(member: try lookup.member($0), problem: problems[$0]) }
        guard results.contains(where: { $0.problem == nil }) else {
            throw results.lazy.compactMap(\.problem).first ?? ChatError.invalidLink
        }
        try store.transaction {
            guard var prepared = try lookup.group(group.id).prepared else { return }
            prepared.isStarted = true
            try store.setPrepared(prepared, group.id)
        }
        for (id, problem) in problems where problem != .invalidLink { askLater(id) }
        return results
    }

    /// Prepares a channel and asks its relays. Nothing is left of it if none could be asked.
    func joinChannel(
        _ profile: OwnProfile, link: String, _ content: GroupLinkContent, _ name: NameCheck?, isIncognito: Bool
    ) async throws -> GroupChange {
        guard let group = try prepare(profile, link: link, content, name).chat.group else { throw ChatError.internal }
        do {
            let relays = try await joinChannel(group, isIncognito: isIncognito)
            return GroupChange(profile, joining: try lookup.group(group.id), relays)
        } catch {
            try store.transaction { try store.removeGroup(group) }
            throw error
        }
    }

    /// An owner of the link data, whose name the relays are going to tell.
    ///
    /// SECURITY: its key is that of the link, which the root key signed, and no relay can change it.
    private func insertOwner(_ owner: LinkOwner, of group: Group) throws {
        guard let id = MemberID(owner.id), id != group.membership.memberID else { return }
        if let known = try store.member(id, in: group.id) {
            return try store.setPublicKey(owner.key.der, of: known.id)
        }
        let member = try insertChannelMember(id, .owner, .pre, .unknown, in: group.id, of: group.profileID)
        try store.setPublicKey(owner.key.der, of: member)
    }

    /// The member that a relay of a channel is, new unless its link is known.
    private func relay(_ link: ShortLink, of group: Group) throws -> GroupMemberID {
        let text = link.keptText
        let known = try store.members(of: group.id).last {
            $0.isRelay && $0.relayLink == text && !$0.status.isGone
        }
        if let known { return known.id }
        let member = try insertChannelMember(
            newMemberID(), .relay, .host, .accepted, in: group.id, of: group.profileID)
        try store.setRelayLink(text, of: member)
        return member
    }

    /// Inserts a member of a channel that joins through no invitation.
    ///
    /// - Parameter presented: The profile of the member; nil before a relay has told it.
    func insertChannelMember(
        _ id: MemberID, _ role: GroupRole, _ category: GroupMember.Category, _ status: GroupMember.Status,
        presented: Profile? = nil, inviter: GroupMember.Inviter = .unknown,
        versions: VersionRange = ChatVersion.initial, in group: GroupID, of profile: ProfileID
    ) throws -> GroupMemberID {
        let presented = presented ?? Profile(displayName: id.placeholderName)
        return try store.insertMember(
            ChatStore.NewMember(
                groupID: group, memberID: id, role: role, category: category, status: status,
                name: try takeName(for: presented, of: profile), profile: presented, contactID: nil, inviter: inviter,
                versions: versions), at: now)
    }

    /// Asks relays at the same time, and waits until each has the request. Returns why some could not be asked.
    private func ask(_ ids: [GroupMemberID]) async -> [GroupMemberID: ChatError] {
        var problems: [GroupMemberID: ChatError] = [:], left = ids.count
        guard left > 0 else { return problems }
        await withCheckedContinuation { continuation in
            for id in ids {
                ask(id) { problem in
                    problems[id] = problem
                    left -= 1
                    if left == 0 { continuation.resume() }
                }
            }
        }
        return problems
    }

    /// Opens the link of a relay and asks there, unless that was done.
    ///
    /// - Parameter finish: Called with the reason if it could not be asked.
    private func ask(_ id: GroupMemberID, finish: @escaping (ChatError?) -> Void) {
        do {
            guard let relay = try store.member(id), relay.connection == nil, !relay.status.isGone,
                let text = relay.relayLink, case .short(let link)? = try? ConnectionLink(text: text)
            else { return finish(nil) }
            try agent.open(link.restored(from: PresetServers.all), relay.profileID) { [weak self] result in
                guard let self else { return finish(.internal) }
                finish(self.problem { try self.connect(id, try ChannelRelayLink(try result.get())) })
            }
        } catch {
            finish(problem { throw error })
        }
    }

    private func problem(_ body: () throws -> Void) -> ChatError? {
        do {
            try body()
            return nil
        } catch let error as ChatError {
            return error
        } catch {
            return ChatError(error)
        }
    }

    /// Gives a relay what its link says of it, and asks there.
    private func connect(_ id: GroupMemberID, _ link: ChannelRelayLink) throws {
        let connection = try store.transaction { () -> ConnectionID? in
            guard let relay = try store.member(id), relay.connection == nil, !relay.status.isGone,
                let group = try store.group(relay.groupID), !group.membership.status.isGone
            else { return nil }
            // SECURITY: a link cannot make a relay of another member.
            guard try store.member(link.memberID, in: group.id).map({ $0.id == id }) ?? true,
                link.memberID != group.membership.memberID
            else { throw ChatError.invalidLink }
            try store.update(id, memberID: link.memberID)
            try store.setPublicKey(link.key, of: id)
            try rename(relay, link.profile.presentedByMember().withBoundedImage)
            return try insertConnection(with: id, through: link.request.description, of: group)
        }
        if let connection { try join(connection) }
    }

    /// The request of the user to a relay, signed with the user's key (network-7.md 9.5).
    func joinRequest(to relay: GroupMember, of group: Group) throws -> Bytes {
        guard let channel = group.channel, let key = try store.memberKey(of: group.id) else { throw ChatError.internal }
        let own = group.membership.memberID
        let join = ChannelJoin(presentation(in: group), as: own, key: key.publicKey.der, at: relay.memberID)
        let request = ElementSignature(
            try information(.group(.channelJoin(join))), as: own, in: channel.publicID, with: key
        ).encoded
        guard request.count <= ChatLimit.handshake else { throw ChatError.invalidProfile }
        return request
    }

    // MARK: - Relays

    /// Reads the link of a channel again, and follows it.
    ///
    /// SECURITY: the records are signed with the root key of the link or by an owner, and a changed fixed record has another link.
    func refresh(_ group: Group) async throws -> Group {
        guard let channel = group.channel, let text = group.profile.publicGroup?.link,
            case .short(let link)? = try? ConnectionLink(text: text)
        else { throw ChatError.unsupportedLink }
        let opened = try ChannelLink(try await connector.open(link, try lookup.owner(group.profileID)))
        guard opened.publicID == channel.publicID else { throw ChatError.invalidLink }
        try follow(opened, of: try lookup.group(group.id))
        return try lookup.group(group.id)
    }

    /// Takes over the profile of a channel and the number of its members, and connects to its relays.
    func follow(_ channel: ChannelLink, of group: Group) throws {
        let presented = channel.content.profile.withBoundedImage
        try store.transaction {
            if presented != group.profile, group.membership.role != .owner {
                try store.update(group.id, profile: presented, name: try groupName(presented, of: group), at: now)
            }
            if let count = channel.content.summary?.memberCount { try store.setPublicMemberCount(count, group.id) }
        }
        try follow(channel.relays, of: group)
    }

    /// Connects to the relays of a channel that are in its link, and leaves the others.
    func follow(_ links: [ShortLink], of group: Group) throws {
        guard group.membership.status.isCurrent, group.membership.role != .owner, !group.isServedByUser else { return }
        let listed = Set(links.map(\.keptText)), profile = try lookup.owner(group.profileID)
        try commit(profile) { consequences in
            let known = try store.members(of: group.id).filter(\.isRelay)
            let hasActive = known.contains { $0.status.isCurrent && $0.relayLink.map(listed.contains) ?? false }
            for relay in known {
                guard let link = relay.relayLink, !listed.contains(link), !relay.status.isGone || !hasActive else {
                    continue
                }
                try forget(relay, as: .removed, &consequences)
            }
            for link in links { addRelay(try relay(link, of: group), &consequences) }
        }
    }

    /// An owner tells of a new relay.
    func recordRelay(_ text: String, _ message: MemberMessage, _ consequences: inout GroupConsequences) throws {
        guard !message.group.isServedByUser, message.group.membership.role != .owner else { return }
        guard case .short(let link)? = try? ConnectionLink(text: text), link.kind != .invitation else {
            throw GroupRefusal.malformed
        }
        addRelay(try relay(link, of: message.group), &consequences)
    }

    private func addRelay(_ id: GroupMemberID, _ consequences: inout GroupConsequences) {
        consequences.actions.append { [weak self] in self?.ask(again: id) }
    }

    /// After how long a relay is asked again whose link could not be opened.
    private static let relayDelay = Duration.seconds(30)

    /// Asks a relay, and tries again later unless its link is wrong.
    private func ask(again id: GroupMemberID) {
        ask(id) { [weak self] problem in
            guard let self, let problem, problem != .invalidLink else { return }
            askLater(id)
        }
    }

    private func askLater(_ id: GroupMemberID) {
        _ = context.after(Groups.relayDelay) { [weak self] in self?.ask(again: id) }
    }

    /// Asks the relays of channels that were not asked when the program ended.
    func askRelays() throws {
        for id in try store.unaskedRelays() { ask(again: id) }
    }

    // MARK: - Answers of relays

    /// A relay lets the user in.
    func recordRelayInvitation(
        _ event: AgentEvent, _ invitation: GroupLinkInvitation, _ versions: VersionRange, _ relay: GroupMember,
        _ group: Group, _ connection: ContactConnection, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        guard let channel = group.channel, invitation.groupProfile.publicGroup?.id == channel.publicID,
            invitation.invitedMember.id == group.membership.memberID, invitation.fromMember.id == relay.memberID,
            !group.membership.status.isGone
        else { return try refuse(event, connection, profile) }
        try allow(connection.id, .profile(presentation(in: group)))
        return try commit(event, profile) { consequences in
            try store.update(relay.id, status: .accepted, at: now)
            if group.membership.status == .unknown {
                try store.update(group.membership.id, status: .accepted, at: now)
                // SECURITY: only the roster of an owner gives a higher role.
                let role = min(invitation.invitedMember.role, .observer)
                if role.isKnown { try store.update(group.membership.id, role: role, at: now) }
            }
            try begin(connection, versions, try lookup.member(relay.id))
            consequences.events.append(
                GroupConnectingEvent(
                    profile: profile, group: try lookup.group(group.id), host: try lookup.member(relay.id)))
        }
    }

    /// A relay of a channel is connected.
    func recordRelay(
        _ relay: GroupMember, _ group: Group, _ profile: OwnProfile, _ consequences: inout GroupConsequences
    ) throws {
        let encryption = ChatItem.Content.groupEncryption(isPublic: true)
        if try store.lacks(encryption, in: .group(group.id)) { try note(encryption, of: group, &consequences.items) }
        try note(.memberConnected, by: relay, &consequences.items)
        consequences.events.append(JoinedGroupEvent(profile: profile, group: group, host: relay))
    }

    /// A relay tells of a member.
    ///
    /// SECURITY: a relay cannot give a role above that of a subscriber, nor replace a key: both come from the owners.
    func recordChannelMember(
        _ info: MemberInfo, as category: GroupMember.Category, _ status: GroupMember.Status, _ message: MemberMessage,
        _ consequences: inout GroupConsequences
    ) throws {
        let group = message.group, isIntroduced = category == .pre
        guard info.id != group.membership.memberID else { return }
        let presented = info.profile.presentedByMember().withBoundedImage
        let versions = info.versions ?? ChatVersion.initial
        if let known = try store.member(info.id, in: group.id) {
            guard known.status == .unknown else { return }
            if !isIntroduced, info.role >= .member, known.role < .member { throw GroupRefusal.role }
            try store.update(known.id, category: category)
            try store.update(known.id, status: status, at: now)
            try store.update(known.id, versions: versions)
            try store.setInviter(message.author.id, of: known.id)
            if known.role < .member, let key = info.validKey { try store.setPublicKey(key, of: known.id) }
            try rename(known, presented)
            let changed = try lookup.member(known.id), group = try lookup.group(group.id)
            if isIntroduced {
                consequences.events.append(
                    MemberUpdatedEvent(profile: message.profile, group: group, former: known, member: changed))
            } else {
                try announce(changed, message, &consequences)
            }
            return
        }
        guard try hasRoom(group) else { throw GroupRefusal.tooManyMembers }
        let isPrivileged = info.role >= .member
        guard !isPrivileged || isIntroduced else { throw GroupRefusal.role }
        let id = try store.insertMember(
            ChatStore.NewMember(
                groupID: group.id, memberID: info.id, role: isPrivileged ? .observer : info.role, category: category,
                status: status, name: try takeName(for: presented, of: group.profileID), profile: presented,
                contactID: nil, inviter: .member(message.author.id), versions: versions), at: now)
        if !isPrivileged, let key = info.validKey { try store.setPublicKey(key, of: id) }
        if !isIntroduced { try announce(try lookup.member(id), message, &consequences) }
    }

    private func announce(
        _ member: GroupMember, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws {
        consequences.events.append(
            MemberConnectingEvent(
                profile: message.profile, group: try lookup.group(message.group.id), host: message.author,
                member: member))
    }
}

extension MemberInfo {
    /// The DER form of the member's key, if it is one.
    var validKey: Bytes? {
        guard let key = publicKey, (try? Ed25519.PublicKey(der: key)) != nil else { return nil }
        return key
    }
}
