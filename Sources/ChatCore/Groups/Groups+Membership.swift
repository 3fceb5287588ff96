import AgentProtocol
import ByteCoding
import ChatProtocol

/// Events about the group and its members.
extension Groups {
    /// Records an event about the group or its members. Returns false for one about messages.
    ///
    /// The rights of the author were asked before, see ``GroupEventRule``.
    func recordMembership(_ message: MemberMessage, _ consequences: inout GroupConsequences) throws -> Bool {
        switch message.event {
        case .profile(let presented, _):
            try update(
                message.author, presented, isNoted: !message.isMuted, isTold: !message.isMuted, at: message.time,
                message.profile, &consequences)
            return true
        case .probe(let probe, _):
            try record(probe, from: .member(message.author), message.profile, &consequences)
            return true
        case .group(let event, _):
            try record(event, message, &consequences)
            return true
        default: return false
        }
    }

    private func record(
        _ event: GroupEvent, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws {
        switch event {
        case .hostProfile(let presented):
            try update(
                message.author, presented, isNoted: false, at: message.time, message.profile, &consequences)
            let host = try lookup.member(message.author.id)
            if host.isReady { try probe(host, in: message.group, &consequences) }
        case .memberJoined(let info, let scope): try recordNewMember(info, scope, message, &consequences)
        case .memberIntroduced(let info, let restrictions):
            try recordIntroduction(info, restrictions, message, &consequences)
        case .introInvitation(let id, let links): try recordLink(id, links, message, &consequences)
        case .introForwarded(let info, let links): try recordForwardedLink(info, links, message, &consequences)
        case .memberConnected(let id): try recordConnected(id, message, &consequences)
        case .roleChanged(let id, let role): try recordRole(role, of: id, message, &consequences)
        case .memberRemoved(let id, let removesMessages):
            try recordRemoval(of: id, withMessages: removesMessages, message, &consequences)
        case .memberLeft: try recordLeaving(message, &consequences)
        case .groupDeleted: try recordDeletion(message, &consequences)
        case .restrictionChanged(let id, let restrictions):
            try recordRestriction(restrictions, of: id, message, &consequences)
        case .profileChanged(let profile): try recordProfile(profile, message, &consequences)
        case .preferencesChanged(let preferences): try recordPreferences(preferences, message, &consequences)
        case .admission(let acceptance, let role, let id):
            try recordAdmission(acceptance, role, of: id, message, &consequences)
        case .contactInvitation(let invitation): try recordContactInvitation(invitation, message, &consequences)
        case .invitation, .invitationAccepted, .linkInvitation, .linkRejection, .memberPresented, .allConnected,
            .forwarded, .channelJoin, .relayInvitation, .relayAccepted, .relayRejected, .relayTest:
            throw GroupRefusal.unexpected
        case .roster(let version, let file): try recordRoster(version, file, message)
        case .rosterRequested(let version): try recordRosterRequest(since: version, message, &consequences)
        // Groups without relays ignore them.
        case .relayAdded(let link): try recordRelay(link, message, &consequences)
        case .relayCapabilities(let capabilities): try recordCapabilities(capabilities, message)
        case .rosterAcknowledged(let version, let error):
            try recordRosterAcknowledgement(version, error, message, &consequences)
        }
    }

    // MARK: - Roles

    private func recordRole(
        _ role: GroupRole, of id: MemberID, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws {
        let author = message.author, membership = message.group.membership
        guard try isCurrent(message, &consequences) else { return }
        let known = id == membership.memberID ? membership : try store.member(id, in: message.group.id)
        guard let member = known else { return try insertNamed(id, role, message, &consequences) }
        guard member.role != role else { return }
        try store.update(member.id, role: role, at: now)
        let group = try lookup.group(message.group.id), changed = try lookup.member(member.id)
        if member.isUser {
            try note(
                .userRole(role), by: author, isUnread: true, id: message.id, signature: message.signatureStatus,
                at: message.time, &consequences.items)
            if role < .admin, let link = try store.groupLink(of: group.id) { try discard(link, &consequences) }
        } else {
            try note(
                .memberRole(GroupNotice.Subject(changed), role), by: author, id: message.id,
                signature: message.signatureStatus, at: message.time,
                &consequences.items)
        }
        consequences.events.append(
            MemberRoleEvent(
                profile: message.profile, group: group, byMember: author, member: changed, former: member.role,
                role: role, signature: message.signatureStatus))
    }

    // MARK: - Ends

    private func recordRemoval(
        of id: MemberID, withMessages: Bool, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws {
        let author = message.author, membership = message.group.membership
        guard try isCurrent(message, &consequences) else { return }
        if id == membership.memberID {
            try endOrRelay(message.group, as: .removed, &consequences)
            if withMessages { try conversations.takeMessages(of: nil, by: author, in: message.group, at: message.time) }
            try note(
                .userRemoved, by: author, isUnread: true, id: message.id, signature: message.signatureStatus,
                at: message.time, &consequences.items)
            consequences.events.append(
                UserRemovedEvent(
                    profile: message.profile, group: try lookup.group(message.group.id), member: author,
                    withMessages: withMessages, signature: message.signatureStatus))
            return
        }
        guard let member = try store.member(id, in: message.group.id) else { throw GroupRefusal.unknownMember }
        guard !member.status.isGone else { return }
        // The member who removed it may have no connection with it.
        if message.forwarder == nil, message.group.isServedByUser {
            let element = Groups.element(message.relayed, of: author, at: message.time)
            consequences.messages += try conversations.enqueue(
                payloads: BinaryBatch.batches(of: [element]).compactMap(\.payload), to: [member], of: message.group)
        } else if message.forwarder == nil, message.group.membership.role >= .admin, let forwarded = forwarded(message)
        {
            consequences.messages += try conversations.enqueue(
                .group(.forwarded(forwarded)), to: [member], of: message.group)
        }
        try forget(member, as: .removed, &consequences)
        if withMessages { try conversations.takeMessages(of: member, by: author, in: message.group, at: message.time) }
        try note(
            .memberRemoved(GroupNotice.Subject(member)), by: author, id: message.id, signature: message.signatureStatus,
            at: message.time,
            &consequences.items)
        consequences.events.append(
            MemberRemovedEvent(
                profile: message.profile, group: try lookup.group(message.group.id), byMember: author,
                member: try lookup.member(member.id), withMessages: withMessages, signature: message.signatureStatus))
    }

    private func recordLeaving(_ message: MemberMessage, _ consequences: inout GroupConsequences) throws {
        try forget(message.author, as: .left, &consequences)
        guard !message.isMuted else { return }
        let member = try lookup.member(message.author.id)
        try note(
            .memberLeft, by: member, id: message.id,
            support: message.author.status.isPending ? message.author : nil, signature: message.signatureStatus,
            at: message.time, &consequences.items)
        consequences.events.append(
            MemberLeftEvent(
                profile: message.profile, group: try lookup.group(message.group.id), member: member,
                signature: message.signatureStatus))
    }

    private func recordDeletion(_ message: MemberMessage, _ consequences: inout GroupConsequences) throws {
        try endOrRelay(message.group, as: .deleted, &consequences)
        try note(
            .groupDeleted, by: message.author, isUnread: true, id: message.id, signature: message.signatureStatus,
            at: message.time, &consequences.items)
        consequences.events.append(
            GroupDeletedEvent(
                profile: message.profile, group: try lookup.group(message.group.id),
                member: try lookup.member(message.author.id), signature: message.signatureStatus))
    }

    /// Ends the membership of the user in a group. A relay keeps its connections until it has passed the event on.
    private func endOrRelay(
        _ group: Group, as status: GroupMember.Status, _ consequences: inout GroupConsequences
    ) throws {
        guard group.isServedByUser else { return try end(group, as: status, &consequences) }
        try store.update(group.membership.id, status: status, at: now)
        if let link = try store.groupLink(of: group.id) { try discard(link, &consequences) }
        if group.channel?.ownStatus != .rejected { try store.setOwnStatus(.inactive, group.id) }
    }

    /// The user is not in a group any more: nothing connects it with the members, and nobody joins through it.
    func end(_ group: Group, as status: GroupMember.Status, _ consequences: inout GroupConsequences) throws {
        try store.update(group.membership.id, status: status, at: now)
        if let link = try store.groupLink(of: group.id) { try discard(link, &consequences) }
        for id in try store.connections(of: group.id) { try discard(id, &consequences) }
    }

    /// A member is not in the group any more.
    func forget(
        _ member: GroupMember, as status: GroupMember.Status, _ consequences: inout GroupConsequences
    ) throws {
        try store.update(member.id, status: status, at: now)
        if let connection = member.connection, connection.status != .deleted {
            try discard(connection.id, &consequences)
        }
    }

    /// Lets a connection go, once its last messages are delivered.
    func discard(_ id: ConnectionID, _ consequences: inout GroupConsequences) throws {
        try store.update(id, status: .deleted, at: now)
        consequences.deletions.append(id)
    }

    /// Lets the link of a group go. Whoever asks there gets no answer any more.
    func discard(_ link: GroupLink, _ consequences: inout GroupConsequences) throws {
        try store.removeGroupLink(of: link.groupID)
        try discard(link.connectionID, &consequences)
    }

    // MARK: - Blocking

    private func recordRestriction(
        _ restrictions: MemberRestrictions, of id: MemberID, _ message: MemberMessage,
        _ consequences: inout GroupConsequences
    ) throws {
        guard let member = try store.member(id, in: message.group.id) else { throw GroupRefusal.unknownMember }
        guard member.isBlockedForAll != restrictions.isBlocked else { return }
        try store.setBlockedForAll(restrictions.isBlocked, member.id, at: now)
        let changed = try lookup.member(member.id)
        try note(
            .memberBlocked(GroupNotice.Subject(changed), restrictions.isBlocked), by: message.author, id: message.id,
            signature: message.signatureStatus, at: message.time, &consequences.items)
        consequences.events.append(
            MemberBlockedEvent(
                profile: message.profile, group: try lookup.group(message.group.id), byMember: message.author,
                member: changed, isBlocked: restrictions.isBlocked, signature: message.signatureStatus))
    }

    // MARK: - Profiles of members

    /// A member says something else about itself.
    ///
    /// - Parameters:
    ///   - isNoted: Whether it stands in the conversation.
    ///   - isTold: Whether programs and people are told.
    func update(
        _ member: GroupMember, _ presented: Profile, isNoted: Bool, isTold: Bool = true, at time: Timestamp,
        _ profile: OwnProfile, _ consequences: inout GroupConsequences
    ) throws {
        guard !member.isUser, let group = try store.group(member.groupID) else { return }
        // A contact says in its own conversation what is new.
        if let contact = try member.contactID.flatMap({ try store.contact($0) }), contact.isReady { return }
        let former = member.profile
        let keepsLink =
            group.profile.allows(.simplexLinks, member.role) && group.profile.allows(.directMessages, member.role)
        var next = presented.presentedByMember(keepsLink: keepsLink).withBoundedImage
        next.preferences = former.preferences
        guard next != former else { return }
        try rename(member, next)
        let changed = try lookup.member(member.id)
        if isNoted {
            try note(.memberUpdated(from: former, to: next), by: changed, at: time, &consequences.items)
        }
        guard isTold else { return }
        try follow(changed, in: group, profile, &consequences)
        consequences.events.append(
            MemberUpdatedEvent(
                profile: profile, group: try lookup.group(group.id), former: member, member: changed))
    }
}
