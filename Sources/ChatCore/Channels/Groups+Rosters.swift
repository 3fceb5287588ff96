import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore

/// Rosters of channels: the members with roles that an owner gave them, and their keys (network-7.md 9.8).
///
/// A roster is a signed message and a file that follows it in chunks. It counts when the file is complete.
extension Groups {
    // MARK: - Receiving

    /// Begins to receive a roster, from its owner or from a relay that passes it on.
    func recordRoster(_ version: Int64, _ file: RosterFile, _ message: MemberMessage) throws {
        guard message.author.role == .owner else { throw GroupRefusal.role }
        guard let channel = message.group.channel, let id = message.id, version >= 0,
            (1...Int64(Roster.mostBytes)).contains(file.size), file.digest.count == SHA512.size
        else { throw GroupRefusal.malformed }
        let sender = message.forwarder ?? message.author
        // SECURITY: a relay could bring back an older roster.
        if let gate = channel.rosterGate, version < gate { return }
        if let pending = try store.rosterTransfer(from: sender.id), version < pending.roster.version { return }
        try store.setRosterTransfer(
            ChatStore.RosterTransfer(
                messageID: id, size: file.size, digest: file.digest,
                roster: ChatStore.StoredRoster(
                    version: version, author: message.author.memberID, time: message.time, element: message.relayed,
                    file: [])), from: sender.id)
    }

    /// Records a chunk of the file of a roster. Returns false if it is one of another file.
    func recordRosterChunk(
        _ chunk: FileChunk, from sender: GroupMember, _ group: Group, _ profile: OwnProfile,
        _ consequences: inout GroupConsequences
    ) throws -> Bool {
        guard group.isChannel, let transfer = try store.rosterTransfer(from: sender.id),
            transfer.messageID == chunk.messageID
        else { return false }
        guard case .data(let number, let bytes) = chunk.content else {
            try store.removeRosterTransfer(from: sender.id)
            return true
        }
        let known = transfer.roster.file
        // What comes twice is left out.
        guard known.count == (Int(number) - 1) * Roster.chunk else { return true }
        let roster = transfer.roster.with(file: known + bytes)
        guard roster.file.count >= transfer.size else {
            // All chunks but the last have the same size.
            guard bytes.count == Roster.chunk else {
                try store.removeRosterTransfer(from: sender.id)
                return true
            }
            try store.setRosterTransfer(
                ChatStore.RosterTransfer(
                    messageID: transfer.messageID, size: transfer.size, digest: transfer.digest, roster: roster),
                from: sender.id)
            return true
        }
        try store.removeRosterTransfer(from: sender.id)
        guard let author = try store.member(roster.author, in: group.id), author.role == .owner else { return true }
        guard roster.file.count == transfer.size, SHA512.hash(roster.file) == transfer.digest else {
            try refuse(roster, of: author, in: group, "relay could not verify the roster blob", &consequences)
            return true
        }
        guard let entries = try? Roster(decoding: roster.file).entries else {
            try refuse(roster, of: author, in: group, "relay could not parse the roster blob", &consequences)
            return true
        }
        try apply(entries, roster, author, group, profile, through: sender, &consequences)
        return true
    }

    /// Tells an owner that the user, as a relay, cannot use a roster.
    private func refuse(
        _ roster: ChatStore.StoredRoster, of owner: GroupMember, in group: Group, _ reason: String,
        _ consequences: inout GroupConsequences
    ) throws {
        guard group.isServedByUser else { return }
        consequences.messages += try conversations.enqueue(
            .group(.rosterAcknowledged(version: roster.version, error: reason)), to: [owner], of: group)
    }

    // MARK: - Applying

    private func apply(
        _ entries: [Roster.Entry], _ roster: ChatStore.StoredRoster, _ author: GroupMember, _ group: Group,
        _ profile: OwnProfile, through sender: GroupMember, _ consequences: inout GroupConsequences
    ) throws {
        // Another relay, or an event before it, may have been faster.
        if let gate = group.channel?.rosterGate, roster.version < gate { return }
        for entry in entries { try apply(entry, author, group, profile, through: sender, &consequences) }
        let named = Set(entries.map(\.id))
        let others = try store.members(of: group.id) + [group.membership]
        for member in others where Roster.roles.contains(member.role) && !named.contains(member.memberID) {
            try give(member, .observer, by: author, group, profile, at: roster.time, &consequences)
        }
        try store.setRosterVersions(gate: roster.version, complete: roster.version, group.id)
        guard group.isServedByUser else { return }
        try store.setRoster(roster, of: group.id)
        guard let status = group.channel?.ownStatus, status == .accepted || status == .acknowledgedRoster else {
            return
        }
        try store.setOwnStatus(.acknowledgedRoster, group.id)
        consequences.messages += try conversations.enqueue(
            .group(.rosterAcknowledged(version: roster.version)), to: [author], of: group)
    }

    /// Gives a member of a roster its role. The first key of a member counts.
    private func apply(
        _ entry: Roster.Entry, _ author: GroupMember, _ group: Group, _ profile: OwnProfile,
        through sender: GroupMember, _ consequences: inout GroupConsequences
    ) throws {
        guard (try? Ed25519.PublicKey(der: entry.key)) != nil else { return }
        if entry.id == group.membership.memberID {
            return try give(group.membership, entry.role, by: author, group, profile, at: now, &consequences)
        }
        guard let known = try store.member(entry.id, in: group.id) else {
            guard try hasRoom(group) else { return }
            _ = try insertNamed(entry, in: group, through: sender, profile)
            return
        }
        // SECURITY: an owner cannot replace the key of a member, and no role goes to a member that has another one.
        guard known.role != .owner, !known.isRelay, known.publicKey == nil || known.publicKey == entry.key else {
            return
        }
        try store.setPublicKey(entry.key, of: known.id)
        try give(known, entry.role, by: author, group, profile, at: now, &consequences)
    }

    /// Inserts a member of which only role and key are known.
    func insertNamed(
        _ entry: Roster.Entry, in group: Group, through sender: GroupMember, _ profile: OwnProfile
    ) throws -> GroupMemberID {
        let id = try insertChannelMember(
            entry.id, entry.role, .pre, .unknown, inviter: .member(sender.id), in: group.id, of: profile.id)
        try store.setPublicKey(entry.key, of: id)
        return id
    }

    /// Gives a member another role because a roster says so.
    private func give(
        _ member: GroupMember, _ role: GroupRole, by author: GroupMember, _ group: Group, _ profile: OwnProfile,
        at time: Timestamp, _ consequences: inout GroupConsequences
    ) throws {
        guard member.role != role else { return }
        try store.update(member.id, role: role, at: now)
        if member.isUser {
            try note(.userRole(role), by: author, isUnread: true, at: time, &consequences.items)
        }
        consequences.events.append(
            MemberRoleEvent(
                profile: profile, group: try lookup.group(group.id), byMember: author,
                member: try lookup.member(member.id), former: member.role, role: role, signature: .verified))
    }

    // MARK: - Changes

    /// Returns true if a change of roles or a removal is not older than the roster that is known, and notes its version. Changes
    /// without a version are not part of a roster.
    ///
    /// SECURITY: a relay could repeat an older change, or leave out one that came before.
    func isCurrent(_ message: MemberMessage, _ consequences: inout GroupConsequences) throws -> Bool {
        guard let version = message.event.rosterChange?.version, message.author.role == .owner,
            let channel = try store.group(message.group.id)?.channel
        else { return true }
        if let gate = channel.rosterGate, version < gate { return false }
        let next = channel.rosterVersion.map { $0.addingReportingOverflow(1).partialValue } ?? 0
        try store.setRosterVersions(
            gate: version, complete: version == next ? version : channel.rosterVersion, message.group.id)
        if version > next, let relay = message.forwarder, relay.versions.max >= ChatVersion.rosters {
            consequences.messages += try conversations.enqueue(
                .group(.rosterRequested(since: channel.rosterVersion)), to: [relay], of: message.group)
        }
        return true
    }

    /// An owner gives a role to a member that is not known yet, and names its key.
    func insertNamed(
        _ id: MemberID, _ role: GroupRole, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws {
        guard message.group.isChannel, message.author.role == .owner, Roster.roles.contains(role),
            let key = message.event.rosterChange?.memberKey, (try? Ed25519.PublicKey(der: key)) != nil
        else { throw GroupRefusal.unknownMember }
        guard try hasRoom(message.group) else { throw GroupRefusal.tooManyMembers }
        let sender = message.forwarder ?? message.author
        let member = try insertNamed(
            Roster.Entry(id, key: key, role: role), in: message.group, through: sender, message.profile)
        consequences.events.append(
            MemberRoleEvent(
                profile: message.profile, group: try lookup.group(message.group.id), byMember: message.author,
                member: try lookup.member(member), former: .observer, role: role,
                signature: message.signatureStatus))
    }

    // MARK: - Serving

    /// Passes the roster of a channel on to a member as its owner signed it. The payloads are stored.
    func serveRoster(to member: GroupMember, in group: Group) throws -> [Int64] {
        guard group.serves, member.versions.max >= ChatVersion.rosters, let roster = try store.roster(of: group.id),
            let owner = try store.member(roster.author, in: group.id),
            case .success(.message(let message))? = ChatPayload.elements(of: roster.element).first?.content,
            let id = message.id
        else { return [] }
        var batch = BinaryBatch()
        guard batch.append(Groups.element(roster.element, of: owner, at: roster.time)), let payload = batch.payload
        else { return [] }
        try store.setServedRoster(roster.version, of: member.id)
        let chunks = Roster.chunks(of: roster.file, under: id).map(\.encoded)
        return try conversations.enqueue(payloads: [payload] + chunks, to: [member], of: group)
    }

    /// A member missed a change of roles, and asks for the roster. It gets one that it has not.
    func recordRosterRequest(
        since version: Int64?, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws {
        guard message.forwarder == nil, message.group.serves, let roster = try store.roster(of: message.group.id),
            version.map({ roster.version > $0 }) ?? true,
            try store.servedRoster(of: message.author.id).map({ roster.version > $0 }) ?? true
        else { return }
        consequences.messages += try serveRoster(to: message.author, in: message.group)
    }
}

extension ChatStore.StoredRoster {
    /// The roster with more of its file.
    fileprivate func with(file: Bytes) -> ChatStore.StoredRoster {
        ChatStore.StoredRoster(version: version, author: author, time: time, element: element, file: file)
    }
}
