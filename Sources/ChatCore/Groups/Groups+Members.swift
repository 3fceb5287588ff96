import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// What the user does with members.
extension Groups {
    /// The members of a command, each of whom must be another than the user.
    func members(_ ids: [GroupMemberID], of group: Group) throws -> [GroupMember] {
        try ids.map { id in
            guard let member = try store.member(id), member.groupID == group.id, !member.isUser else {
                throw ChatError.inGroup(.noSuchMember(id))
            }
            return member
        }
    }

    /// Those who are told what happens in a group: all that belong to it, and those that wait to be let in. In a channel
    /// these are the relays, and for a relay the others.
    func audience(of group: Group) throws -> [GroupMember] {
        try store.members(of: group.id).filter { ($0.status.isCurrent || $0.status.isPending) && group.reaches($0) }
    }

    // MARK: - Roles

    /// Gives members another role. Who has not accepted an invitation gets another one.
    func setRole(_ role: GroupRole, of ids: [GroupMemberID], in group: Group) async throws -> [GroupMember] {
        guard role.isKnown, role >= .observer else { throw ChatError.commandSyntax }
        guard !ids.contains(group.membership.id) else { throw ChatError.membership(.refused(.ownMember)) }
        let members = try members(ids, of: group)
        try check(group, atLeast: max(.admin, role, members.map(\.role).max() ?? role))
        if group.isChannel { return try setChannelRole(role, of: members, in: group) }
        let profile = try lookup.owner(group.profileID)
        for member in members where member.status == .invited && member.role != role {
            if let contact = try member.contactID.flatMap({ try store.contact($0) }) {
                _ = try await invite(contact, to: group, as: role)
            }
        }
        try commit(profile) { consequences in
            let audience = try audience(of: group)
            for member in members where member.role != role && member.status != .invited {
                guard !member.status.isGone else { continue }
                try store.update(member.id, role: role, at: now)
                let id = conversations.newSharedID()
                try note(
                    .memberRole(GroupNotice.Subject(member), role), in: group, id: id,
                    support: member.status.isPending ? member : nil, &consequences.items)
                consequences.messages += try conversations.enqueue(
                    [ChatMessage(id: id, event: .group(.roleChanged(member.memberID, role)))], to: audience, of: group)
            }
        }
        return try members.map { try lookup.member($0.id) }
    }

    // MARK: - Removing

    /// Removes members. One that has not accepted an invitation disappears.
    func remove(_ ids: [GroupMemberID], from group: Group, withMessages: Bool) throws -> [GroupMember] {
        let members = try members(ids, of: group)
        try check(group, atLeast: max(.admin, members.map(\.role).max() ?? .observer))
        let profile = try lookup.owner(group.profileID)
        if group.isChannel { try checkRoster(of: group, members) }
        var removed: [GroupMemberID: GroupMember] = [:]
        try commit(profile) { consequences in
            let audience = try audience(of: group)
            let change = try removeFromRoster(members, of: group, &consequences)
            for member in members {
                if member.status == .invited {
                    if let connection = member.connection { consequences.deletions.append(connection.id) }
                    try store.releaseConnections(of: member.id, at: now)
                    try store.update(member.id, status: .removed, at: now)
                    removed[member.id] = try lookup.member(member.id)
                    try store.removeMember(member.id)
                    if member.contactID == nil { try store.free(member.name, in: member.profileID) }
                    continue
                }
                // A relay that left is to be taken out of its channel.
                guard !member.status.isGone || member.isRelay else { throw ChatError.membership(.memberNotActive) }
                let id = conversations.newSharedID()
                consequences.messages += try conversations.enqueue(
                    [
                        ChatMessage(
                            id: id,
                            event: .group(
                                .memberRemoved(member.memberID, removesMessages: withMessages),
                                otherFields: change?.fields ?? [:]))
                    ],
                    to: audience.filter { other in !members.contains { $0.id == other.id } || other.id == member.id },
                    of: group)
                try forget(member, as: .removed, &consequences)
                if withMessages { try conversations.takeMessages(of: member, by: group.membership, in: group, at: now) }
                try note(.memberRemoved(GroupNotice.Subject(member)), in: group, id: id, &consequences.items)
                if let relay = try store.groupRelay(of: member.id) { try store.removeGroupRelay(relay.id) }
            }
        }
        if group.isChannel { try republish(group.id, always: members.contains(where: \.isRelay)) }
        return try members.map { try removed[$0.id] ?? lookup.member($0.id) }
    }

    // MARK: - Leaving

    /// Leaves a group. The members are told, and the conversation stays.
    func leave(_ group: Group) throws -> Group {
        let profile = try lookup.owner(group.profileID)
        guard !group.membership.status.isGone, group.membership.status != .invited else {
            throw ChatError.inGroup(.notCurrentMember)
        }
        if group.isServedByUser { try relayRest() }
        try commit(profile) { consequences in
            if group.isServedByUser { try store.setOwnStatus(.rejected, group.id) }
            let id = conversations.newSharedID()
            consequences.messages += try conversations.enqueue(
                [ChatMessage(id: id, event: .group(.memberLeft))], to: try audience(of: group), of: group)
            try end(group, as: .left, &consequences)
            try note(.userLeft, in: group, id: id, &consequences.items)
        }
        return try lookup.group(group.id)
    }

    /// Deletes a group with all that belongs to it. Its owner deletes it for all; who was invited declines.
    func delete(_ group: Group) throws {
        let profile = try lookup.owner(group.profileID), status = group.membership.status
        let isIn = status.isCurrent || status.isPending
        if isIn, status != .unknown, group.membership.role != .owner {
            throw ChatError.inGroup(.role(group, required: .owner))
        }
        try commit(profile) { consequences in
            if isIn, group.membership.role == .owner {
                consequences.messages += try conversations.enqueue(
                    .group(.groupDeleted), to: try audience(of: group), of: group)
            }
            if status == .invited, let item = try note(.rejected, .received, to: group.id) {
                consequences.events.append(ItemUpdatedEvent(profile: profile, item: item))
            }
            try end(group, as: status.isGone ? status : .deleted, &consequences)
        }
        // What the members are told is with the agent now.
        try store.transaction {
            try store.releaseConnections(of: group.id, at: now)
            try store.removeGroup(group)
        }
    }

    // MARK: - Blocking

    /// Blocks members for all, or unblocks them.
    func block(_ ids: [GroupMemberID], in group: Group, _ isBlocked: Bool) throws -> [GroupMember] {
        let members = try members(ids, of: group)
        try check(group, atLeast: max(.moderator, members.map(\.role).max() ?? .observer))
        let profile = try lookup.owner(group.profileID)
        try commit(profile) { consequences in
            let audience = try audience(of: group)
            for member in members {
                guard !member.status.isGone else { throw ChatError.membership(.memberNotActive) }
                try store.setBlockedForAll(isBlocked, member.id, at: now)
                let id = conversations.newSharedID()
                let restrictions = MemberRestrictions(isBlocked ? .blocked : .unrestricted)
                consequences.messages += try conversations.enqueue(
                    [ChatMessage(id: id, event: .group(.restrictionChanged(member.memberID, restrictions)))],
                    to: audience.filter { $0.id != member.id }, of: group)
                try note(
                    .memberBlocked(GroupNotice.Subject(member), isBlocked), in: group, id: id, &consequences.items)
            }
        }
        return try members.map { try lookup.member($0.id) }
    }

    /// Shows what a member writes, or hides it here.
    func setShowsMessages(_ shows: Bool, of id: GroupMemberID, in group: Group) throws {
        let member = try lookup.member(id, of: group)
        guard !member.isUser else { throw ChatError.inGroup(.memberNotFound(id)) }
        try store.transaction { try store.setShowsMessages(shows, of: id) }
    }

    // MARK: - Admission

    /// Lets in a member that waits.
    func accept(_ id: GroupMemberID, in group: Group, as role: GroupRole) throws -> GroupMember {
        guard role.isKnown, role >= .observer else { throw ChatError.commandSyntax }
        guard let member = try members([id], of: group).first else { throw ChatError.inGroup(.memberNotFound(id)) }
        try check(group, atLeast: max(.moderator, role))
        guard member.status.isPending else { throw ChatError.membership(.refused(.notPending)) }
        let profile = try lookup.owner(group.profileID), isHost = member.category == .invitee
        // Only its host talks to a member that waits for approval.
        guard member.status == .pendingReview || isHost else { throw ChatError.membership(.memberNotActive) }
        let isReviewed = member.status == .pendingApproval && group.profile.requiresReview
        try commit(profile) { consequences in
            let acceptance: GroupAcceptance = isReviewed ? .pendingReview : .accepted
            let isConnected = member.connection?.status == .ready
            try store.update(
                member.id, status: isReviewed ? .pendingReview : isConnected ? .connected : .accepted, at: now)
            if member.role != role { try store.update(member.id, role: role, at: now) }
            let present = try lookup.member(member.id)
            let moderators =
                isReviewed
                ? []
                : try store.members(of: group.id).filter {
                    $0.id != member.id && $0.status.isCurrent && $0.role >= .moderator
                }
            consequences.messages += try conversations.enqueue(
                .group(.admission(acceptance, role: role, member.memberID)), to: [present] + moderators, of: group)
            if isHost, isConnected {
                if isReviewed {
                    try introduce(present, in: group, onlyToModerators: true, &consequences)
                } else {
                    try admit(present, to: group, &consequences)
                }
            }
            if !isReviewed {
                try note(
                    .memberAccepted(GroupNotice.Subject(present)), in: group, support: present, &consequences.items)
                if isConnected { try note(.memberConnected, by: present, &consequences.items) }
            }
        }
        return try lookup.member(member.id)
    }

    /// Somebody is let in, by a moderator.
    func recordAdmission(
        _ acceptance: GroupAcceptance, _ role: GroupRole, of id: MemberID, _ message: MemberMessage,
        _ consequences: inout GroupConsequences
    ) throws {
        let author = message.author, group = message.group, membership = group.membership
        if id == membership.memberID {
            guard membership.status.isPending else { return }
            switch acceptance {
            case .pendingApproval: break
            case .pendingReview:
                guard membership.status == .pendingApproval else { return }
                try store.update(membership.id, status: .pendingReview, at: now)
                try note(.userPending, in: group, support: membership, &consequences.items)
            case .accepted:
                try store.update(membership.id, status: .connected, at: now)
                try store.update(membership.id, role: role, at: now)
                try note(.userAccepted, by: author, support: membership, at: message.time, &consequences.items)
                consequences.events.append(
                    JoinedGroupEvent(
                        profile: message.profile, group: try lookup.group(group.id),
                        host: try lookup.member(author.id)))
            }
            return
        }
        guard acceptance == .accepted, let member = try store.member(id, in: group.id), member.status.isPending else {
            throw GroupRefusal.subject
        }
        let isConnected = member.connection?.status == .ready
        try store.update(member.id, status: isConnected ? .connected : .announced, at: now)
        try store.update(member.id, role: role, at: now)
        let present = try lookup.member(member.id)
        try note(
            .memberAccepted(GroupNotice.Subject(present)), by: author, support: present, at: message.time,
            &consequences.items)
        // The host introduces it to those who do not know it yet.
        if member.category == .invitee, isConnected {
            try admit(present, to: group, &consequences)
        }
        consequences.events.append(
            MemberAcceptedEvent(
                profile: message.profile, group: try lookup.group(group.id), acceptedBy: author, member: present))
    }
}
