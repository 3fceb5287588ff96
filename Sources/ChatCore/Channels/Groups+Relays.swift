import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding

/// What the relays of an own channel answer (network-7.md 9.4).
extension Groups {
    /// After how long the link of a relay is read again that could not be.
    private static let relayDelay = Duration.seconds(20)

    /// A relay accepts a channel, or does not.
    func recordRelayAnswer(
        _ event: AgentEvent, _ answer: GroupEvent, _ versions: VersionRange, _ member: GroupMember, _ group: Group,
        _ connection: ContactConnection, _ profile: OwnProfile
    ) throws -> [any ChatEvent]? {
        guard group.membership.role == .owner, let relay = try store.groupRelay(of: member.id) else { return nil }
        switch answer {
        case .relayAccepted(let link, let capabilities):
            guard relay.status == .invited, (try? ShortLink(text: link)) != nil else { return nil }
            return try commit(event, profile) { consequences in
                try store.update(relay.id, link: link)
                try store.update(relay.id, webDomain: capabilities?.webDomain)
                try begin(connection, versions, member)
                consequences.actions.append { [weak self] in try self?.readRelay(member.id) }
            }
        case .relayRejected:
            // The relay removes what it has of the channel once it knows that this is known here.
            try allow(connection.id, .ok)
            return try commit(event, profile) { consequences in
                if relay.status == .invited { try store.update(relay.id, status: .rejected) }
                try begin(connection, versions, member)
                try store.update(member.id, status: .left, at: now)
                consequences.events.append(try relayEvent(member.id, group, profile))
            }
        default: return nil
        }
    }

    /// Reads the links of relays that have accepted, after a start.
    func readRelays() throws {
        for id in try store.unreadGroupRelays() { try readRelay(id) }
    }

    /// Reads the link of a relay that has accepted, and lets it in if it is the one that was asked.
    private func readRelay(_ id: GroupMemberID) throws {
        guard !readRelayLinks.contains(id), let member = try store.member(id), member.status == .invited,
            let relay = try store.groupRelay(of: id), relay.status == .invited,
            let link = relay.link.flatMap({ try? ShortLink(text: $0).restored(from: PresetServers.all) })
        else { return }
        readRelayLinks.insert(id)
        try agent.open(link, member.profileID) { [weak self] result in
            guard let self, context.failure == nil else { return }
            readRelayLinks.remove(id)
            switch result {
            case .success(let opened): context.attempt { try self.accept(id, opened) }
            case .failure:
                _ = context.after(Groups.relayDelay) { [weak self] in try self?.readRelay(id) }
            }
        }
    }

    private func accept(_ id: GroupMemberID, _ opened: OpenedLink) throws {
        guard let member = try store.member(id), member.status == .invited, let connection = member.connection,
            let relay = try store.groupRelay(of: id), relay.status == .invited,
            let group = try store.group(member.groupID), let profile = try store.profile(group.profileID)
        else { return }
        guard let link = try? ChannelRelayLink(opened), link.memberID == member.memberID else {
            // Another relay stands there: it would get what the chosen one should.
            try store.transaction { try store.update(relay.id, status: .rejected) }
            return tell(try relayEvent(id, group, profile))
        }
        try commit(profile) { consequences in
            try store.setPublicKey(link.key, of: id)
            try store.setRelayLink(relay.link, of: id)
            try rename(member, link.profile.presentedByMember().withBoundedImage)
            try store.update(id, status: .accepted, at: now)
            try store.update(relay.id, status: .accepted)
            consequences.events.append(try relayEvent(id, group, profile))
        }
        try allow(connection.id, .ok)
    }

    /// Lets relays in whose acceptance is on disk, after a start.
    func allowRelays() throws {
        for id in try store.acceptedGroupRelays() {
            guard let member = try store.member(id), member.status == .accepted, let connection = member.connection,
                connection.status == .requested || connection.status == .accepted
            else { continue }
            try? allow(connection.id, .ok)
        }
    }

    /// A relay of an own channel is connected: it gets the roster, and its link is published when it has it.
    func recordRelay(
        _ member: GroupMember, in group: Group, _ profile: OwnProfile, _ consequences: inout GroupConsequences
    ) throws {
        guard group.channel?.isRoot == true else { return }
        if member.versions.max >= ChatVersion.rosters {
            let version = group.channel?.rosterVersion ?? 0
            try store.setRosterVersions(gate: version, complete: version, group.id)
            consequences.messages += try sendRoster(
                version, try store.rosterEntries(of: group.id).map(\.entry), to: [member], of: group)
        } else {
            consequences.actions.append { [weak self] in try self?.republish(group.id, always: true) }
        }
    }

    /// A relay has the roster, or cannot use it.
    func recordRosterAcknowledgement(
        _ version: Int64, _ error: String?, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws {
        let group = message.group
        guard group.channel?.isRoot == true, message.forwarder == nil,
            let relay = try store.groupRelay(of: message.author.id), relay.status == .accepted
        else { return }
        if error != nil {
            try store.update(relay.id, status: .rejected)
        } else {
            // One of an earlier roster says nothing of the present one.
            guard version == group.channel?.rosterVersion else { return }
            try store.update(relay.id, status: .acknowledgedRoster)
            consequences.actions.append { [weak self] in try self?.republish(group.id, always: true) }
        }
        consequences.events.append(try relayEvent(message.author.id, group, message.profile))
    }

    /// A relay shows channels on another domain, or on none.
    func recordCapabilities(_ capabilities: RelayCapabilities, _ message: MemberMessage) throws {
        guard let relay = try store.groupRelay(of: message.author.id) else { return }
        try store.update(relay.id, webDomain: capabilities.webDomain)
    }

    private func relayEvent(
        _ id: GroupMemberID, _ group: Group, _ profile: OwnProfile
    ) throws -> ChannelRelayEvent {
        guard let relay = try store.groupRelay(of: id) else { throw ChatError.channel(.unknownRelay) }
        return ChannelRelayEvent(
            profile: profile, group: try lookup.group(group.id), member: try lookup.member(id), relay: relay)
    }

    // MARK: - Rosters

    /// Sends relays a roster: a signed message, and behind it the roster itself in chunks (network-7.md 9.8). Must be called
    /// within a transaction.
    func sendRoster(
        _ version: Int64, _ entries: [Roster.Entry], to relays: [GroupMember], of group: Group
    ) throws -> [Int64] {
        let blob = Roster(entries).encoded, id = conversations.newSharedID()
        let file = RosterFile(size: Int64(blob.count), digest: SHA512.hash(blob))
        let header = try conversations.enqueue(
            [ChatMessage(id: id, event: .group(.roster(version: version, file)))], to: relays, of: group)
        return try header
            + conversations.enqueue(
                payloads: Roster.chunks(of: blob, under: id).map(\.encoded), to: relays, of: group)
    }

    /// Sends all relays the next version of the roster, before the change that it has.
    ///
    /// - Parameter entries: The roster with the change.
    /// - Returns: The version.
    func sendNextRoster(
        _ entries: [Roster.Entry], of group: Group, _ consequences: inout GroupConsequences
    ) throws -> Int64 {
        guard entries.count <= Roster.mostEntries else { throw ChatError.channel(.rosterFull) }
        let version = (group.channel?.rosterVersion ?? -1) + 1
        try store.setRosterVersions(gate: version, complete: version, group.id)
        let relays = try store.members(of: group.id).filter { $0.isRelay && $0.status.isCurrent }
        consequences.messages += try sendRoster(version, entries, to: relays, of: group)
        return version
    }
}
