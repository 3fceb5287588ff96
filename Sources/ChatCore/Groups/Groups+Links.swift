import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import SMPProtocol

/// Group links: making them, letting those in who ask there, and asking there oneself (chat.md 4.3).
extension Groups {
    // MARK: - The link of a group

    /// Makes the link of a group. It waits for a relay.
    func createLink(of group: Group, role: GroupRole) async throws -> GroupLink {
        try check(group, atLeast: .admin)
        guard !group.isChannel else { throw ChatError.channel(.link) }
        guard role.isKnown, role >= .observer, role <= .member else {
            throw ChatError.membership(.linkRole(group, role))
        }
        guard try store.groupLink(of: group.id) == nil else { throw ChatError.membership(.linkExists(group)) }
        let agent = try agent, server = try servers.server(for: group.profileID)
        let content = try linkContent(of: group)
        let mark = GroupLinkMark(linkID: context.environment.random.bytes(GroupLinkMark.idSize))
        let id = try store.transaction { try store.insertAddressConnection(of: group.profileID, at: now) }
        do {
            let made: Result<LinkPair, AgentError> = await withCheckedContinuation { continuation in
                agent.createAddress(
                    id, group.profileID, server: server, showing: content, clientText: mark.clientText
                ) { continuation.resume(returning: $0) }
            }
            let pair = try made.get()
            try store.transaction {
                try store.update(id, link: LinkText(group: pair, mark))
                try store.insertGroupLink(id, mark.linkID, role, of: group.id, at: now)
            }
            return try link(of: group)
        } catch {
            try connector.forget(id)
            throw error
        }
    }

    /// The link of a group, which must be there.
    func link(of group: Group) throws -> GroupLink {
        guard let link = try store.groupLink(of: group.id) else { throw ChatError.membership(.noLink(group)) }
        return link
    }

    /// Sets the role of those who join through the link of a group from now on.
    func setLinkRole(_ role: GroupRole, of group: Group) throws -> GroupLink {
        _ = try link(of: group)
        try check(group, atLeast: .admin)
        guard !group.isChannel else { throw ChatError.channel(.link) }
        guard role.isKnown, role >= .observer, role <= .member else {
            throw ChatError.membership(.linkRole(group, role))
        }
        try store.transaction { try store.setLinkRole(role, of: group.id) }
        return try link(of: group)
    }

    func deleteLink(of group: Group) async throws {
        let link = try link(of: group)
        try check(group, atLeast: .admin)
        guard !group.isChannel else { throw ChatError.channel(.link) }
        try store.transaction { try store.removeGroupLink(of: group.id) }
        try await connector.discard(link.connectionID)
    }

    /// Has the short link of a group show what the group says about itself now.
    func showProfile(of group: Group) throws {
        // The link of a relay shows the relay.
        guard !group.isServedByUser else { return }
        guard !group.isChannel else { return try publish(group) }
        guard let link = try store.groupLink(of: group.id), link.link.short != nil else { return }
        do {
            try agent.show(try linkContent(of: group), behindLinkOf: link.connectionID)
        } catch AgentError.connection, AgentError.unknownConnection, AgentError.link {
            // The link shows nothing.
        }
    }

    private func linkContent(of group: Group) throws -> Bytes {
        let content = GroupLinkContent(profile: group.profile)
        let limit = UserLinkRecord.address(AddressRecord(content: [])).contentLimit
        if let bytes = try? content.linkContent(limit: limit) { return bytes }
        // The rest is told in the handshake.
        guard let bytes = try? content.reduced.linkContent(limit: limit) else { throw ChatError.invalidProfile }
        return bytes
    }

    // MARK: - Letting in

    /// The most members that come through the links of a profile within an hour.
    private static let mostAccepted = 1000

    /// Somebody asks at the link of a group, and becomes a member.
    func recordRequest(
        _ event: AgentEvent, at link: GroupLink, _ invitation: ConnectionRequest, _ information: Bytes,
        _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        if let group = try store.group(link.groupID), group.isServedByUser {
            return try recordJoin(event, at: link, invitation, information, group, profile)
        }
        guard let group = try store.group(link.groupID), group.membership.status.isCurrent,
            group.membership.role >= .admin, let message = Groups.message(in: information),
            case .contactRequest(let request) = message.event, message.versions.max >= ChatVersion.groupLinks,
            try store.membersMade(of: profile.id, since: now + .seconds(-3600)) < Groups.mostAccepted
        else { return try context.commit(event) { [] } }
        return try commit(event, profile) { consequences in
            // The same request may come again, with a new queue for the answer.
            if let key = request.requestID, try store.member(forRequest: key, in: group.id) != nil { return }
            if Groups.rejection(of: request.profile) != nil {
                return try reject(request, message.versions, at: link, invitation, in: group, &consequences)
            }
            let isReviewed = group.profile.requiresReview
            let presented = request.profile.presentedByMember().withBoundedImage
            let id = try store.insertMember(
                ChatStore.NewMember(
                    groupID: group.id, memberID: newMemberID(), role: link.role, category: .invitee,
                    status: isReviewed ? .pendingReview : .accepted,
                    name: try takeName(for: presented, of: profile.id), profile: presented, contactID: nil,
                    inviter: .user, versions: message.versions), at: now)
            let connection = try insertConnection(
                with: id, through: invitation.description, of: group, address: link.connectionID,
                versions: message.versions)
            try store.setRequestKey(request.requestID, of: connection)
            try store.setWelcomeID(request.welcomeMessageID, of: connection)
            let member = try lookup.member(id)
            try note(.joinedByLink, by: member, support: isReviewed ? member : nil, &consequences.items)
            if isReviewed {
                try note(.memberPending, by: member, isUnread: true, support: member, &consequences.items)
            }
            consequences.events.append(
                AcceptingMemberEvent(profile: profile, group: try lookup.group(group.id), member: member))
            consequences.actions.append { [weak self] in try self?.join(connection) }
        }
    }

    /// Why nobody with such a profile joins through a link; nil for all others. No other client makes such names.
    static func rejection(of presented: Profile) -> GroupLinkRejection.Reason? {
        let name = presented.displayName
        if name.unicodeScalars.count > Profile.DisplayName.limit { return .longName }
        return Profile.DisplayName.localName(for: name) == nil ? .blockedName : nil
    }

    /// Tells somebody who asked at a link that it may not join. It is a member until the relay has the answer.
    private func reject(
        _ request: ContactRequest, _ versions: VersionRange, at link: GroupLink, _ invitation: ConnectionRequest,
        in group: Group, _ consequences: inout GroupConsequences
    ) throws {
        guard versions.max >= ChatVersion.groupRejection else { return }
        let presented = request.profile.presentedByMember().withBoundedImage
        let id = try store.insertMember(
            ChatStore.NewMember(
                groupID: group.id, memberID: newMemberID(), role: .observer, category: .invitee, status: .rejected,
                name: try takeName(for: presented, of: group.profileID), profile: presented, contactID: nil,
                inviter: .user, versions: versions), at: now)
        let connection = try insertConnection(
            with: id, through: invitation.description, of: group, address: link.connectionID, versions: versions)
        try store.setRequestKey(request.requestID, of: connection)
        consequences.actions.append { [weak self] in try self?.join(connection) }
    }

    /// What somebody is told who may not join.
    func linkRejection(of member: GroupMember, from group: Group) -> GroupLinkRejection {
        GroupLinkRejection(
            from: MemberIDRole(group.membership.memberID, group.membership.role),
            to: MemberIDRole(member.memberID, member.role), groupProfile: group.profile,
            reason: Groups.rejection(of: member.profile) ?? .blockedName)
    }

    /// What somebody who asked at a link is told.
    func linkInvitation(of member: GroupMember, to group: Group) throws -> GroupLinkInvitation {
        var business = group.business
        if let known = business {
            // Each side has the name of the other.
            business = BusinessChatInfo(.business, businessID: known.businessID, customerID: known.customerID)
        }
        return GroupLinkInvitation(
            from: MemberIDRole(group.membership.memberID, group.membership.role),
            named: presentation(in: group).displayName, to: MemberIDRole(member.memberID, member.role),
            groupProfile: group.business == nil ? group.profile : try businessProfile(of: group),
            acceptance: .accepted, business: business, groupSize: Int64(try store.memberCount(of: group.id)))
    }

    // MARK: - Asking

    /// Requests to join a group by its link. A second request continues the first; a member gets the group.
    func connect(_ profile: OwnProfile, link text: String, isIncognito: Bool) throws -> StartedConnection {
        let link = try connector.pasted(text)
        guard try ownGroup(link, of: profile) == nil else { throw ChatError.ownLink }
        if let known = try connector.connection(through: link, of: profile) {
            guard known.status == .ready else { return StartedConnection(profile, .requested(known)) }
            if let state = try knownGroup(link, of: profile), state.isGroup {
                let plan = ConnectionPlan(kind: .address(.group), link: LinkText(known), state: state, shown: nil)
                return StartedConnection(profile, .planned(plan))
            }
        }
        let connection = try connector.begin(link, profile, requestedName: nil, isIncognito: isIncognito) { _ in }
        return StartedConnection(profile, .requested(connection))
    }

    /// The group whose link a text is, if it is one of the profile.
    func ownGroup(_ link: PastedLink, of profile: OwnProfile) throws -> Group? {
        for id in try store.groupsWithLinks(of: profile.id) {
            if let own = try store.groupLink(of: id), link.isOne(of: own.link) { return try store.group(id) }
        }
        return nil
    }

    /// The group that a link leads to, where it was used or prepared before.
    func knownGroup(_ link: PastedLink, of profile: OwnProfile) throws -> ConnectionPlan.State? {
        if let connection = try connector.connection(through: link, of: profile) {
            guard let member = try connection.memberID.flatMap({ try store.member($0) }) else {
                return connection.contactID == nil ? .connecting(connection) : nil
            }
            let group = try lookup.group(member.groupID)
            guard !group.membership.status.isGone else { return nil }
            return group.membership.status.isActive ? .knownGroup(group) : .connectingGroup(group)
        }
        for id in try store.channels(of: profile.id) {
            let group = try lookup.group(id)
            guard !group.membership.status.isGone, group.isLink(link) else { continue }
            return .knownGroup(group)
        }
        for id in try store.preparedGroups(of: profile.id) {
            let group = try lookup.group(id)
            if let prepared = group.prepared, !prepared.isStarted, link.isOne(of: prepared.link) {
                return .knownGroup(group)
            }
        }
        return nil
    }

    /// What a link to a group, or to a business, was answered with; nil if that is no such answer.
    func recordAnswer(
        _ event: AgentEvent, _ bytes: Bytes, _ connection: ContactConnection, _ profile: OwnProfile
    ) throws -> [any ChatEvent]? {
        guard connection.requestKey != nil, !connection.isInitiated, connection.memberID == nil,
            let message = Groups.message(in: bytes)
        else { return nil }
        switch message.event {
        case .group(.linkInvitation(let invitation), _):
            guard invitation.fromMember.id != invitation.invitedMember.id else {
                return nil
            }
            try allow(connection.id, .profile((connection.incognito ?? profile.profile).forMembers()))
            return try commit(event, profile) { consequences in
                let id = try insert(
                    invitation.groupProfile, of: profile, business: invitation.business)
                let presented = Profile(displayName: invitation.fromMemberName)
                let host = try insertHost(
                    invitation.fromMember, in: id, .accepted, presented, message.versions, profile)
                let member = try insertMembership(
                    of: profile, in: id, as: connection.incognito, invitation.invitedMember.id,
                    role: invitation.invitedMember.role, status: Groups.status(invitation), inviter: .member(host))
                try store.setMembership(member, of: id)
                try store.setProfileSent(id, at: now)
                let contact = try connection.contactID.flatMap { try store.contact($0) }
                if let contact { try remove(contact, behind: connection.id) }
                try store.update(connection.id, member: host)
                try store.update(
                    connection.id,
                    QuantumResistance(isWanted: false, protectsSent: false, protectsReceived: false))
                try begin(connection, message.versions, try lookup.member(host))
                let joined = try lookup.group(id), answering = try lookup.member(host)
                consequences.events.append(
                    contact.map {
                        BusinessConnectingEvent(profile: profile, group: joined, host: answering, contact: $0)
                    } ?? GroupConnectingEvent(profile: profile, group: joined, host: answering))
            }
        case .group(.linkRejection(let rejection), _):
            return try commit(event, profile) { consequences in
                let id = try insert(rejection.groupProfile, of: profile)
                let presented = Profile(displayName: rejection.fromMember.id.placeholderName)
                let host = try insertHost(
                    rejection.fromMember, in: id, .rejected, presented, message.versions, profile)
                let member = try insertMembership(
                    of: profile, in: id, as: connection.incognito, rejection.invitedMember.id,
                    role: rejection.invitedMember.role, status: .rejected, inviter: .member(host))
                try store.setMembership(member, of: id)
                if let contact = try connection.contactID.flatMap({ try store.contact($0) }) {
                    try remove(contact, behind: connection.id)
                }
                try store.update(connection.id, member: host)
                consequences.events.append(
                    GroupConnectingEvent(
                        profile: profile, group: try lookup.group(id), host: try lookup.member(host)))
                try forget(try lookup.member(host), as: .rejected, &consequences)
            }
        default: return nil
        }
    }

    /// A contact that was shown before the connection turns out to be a business.
    private func remove(_ contact: Contact, behind connection: ConnectionID) throws {
        try store.detachContact(of: connection)
        try store.removeContact(contact.id)
        try store.free(contact.name, in: contact.profileID)
    }

    /// How far the user is after the answer of the host (chat.md 11.4): the review follows from the profile of the group.
    static func status(_ invitation: GroupLinkInvitation) -> GroupMember.Status {
        switch invitation.acceptance {
        case .pendingApproval: .pendingApproval
        case .pendingReview: .pendingReview
        case .accepted, nil: invitation.groupProfile.requiresReview ? .pendingReview : .accepted
        }
    }

    /// The host of a prepared group answers.
    func recordInvitation(
        _ event: AgentEvent, _ invitation: GroupLinkInvitation, _ versions: VersionRange, _ host: GroupMember,
        _ group: Group, _ connection: ContactConnection, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        guard group.membership.status == .unknown || group.membership.status == .accepted,
            invitation.fromMember.id != invitation.invitedMember.id
        else { return try context.commit(event) { [] } }
        try allow(connection.id, .profile(presentation(in: group)))
        return try commit(event, profile) { consequences in
            try store.update(host.id, memberID: invitation.fromMember.id)
            try store.update(host.id, role: invitation.fromMember.role, at: now)
            try store.update(host.id, status: .accepted, at: now)
            try rename(host, Profile(displayName: invitation.fromMemberName))
            let membership = group.membership.id
            try store.update(membership, memberID: invitation.invitedMember.id)
            try store.update(membership, role: invitation.invitedMember.role, at: now)
            try store.update(membership, status: Groups.status(invitation), at: now)
            try store.update(
                group.id, profile: invitation.groupProfile.withBoundedImage,
                name: try groupName(invitation.groupProfile, of: group), at: now)
            if let business = invitation.business { try store.setBusiness(business, group.id) }
            try begin(connection, versions, try lookup.member(host.id))
            consequences.events.append(
                GroupConnectingEvent(
                    profile: profile, group: try lookup.group(group.id), host: try lookup.member(host.id)))
        }
    }

    /// The host of a prepared group refuses.
    func recordRejection(
        _ event: AgentEvent, _ rejection: GroupLinkRejection, _ host: GroupMember, _ group: Group,
        _ connection: ContactConnection, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        try commit(event, profile) { consequences in
            // Another relay of a channel may let the user in, or has done so.
            let hasOther =
                try group.isChannel
                && store.members(of: group.id).contains { $0.isRelay && $0.id != host.id && !$0.status.isGone }
            if !hasOther { try store.update(group.membership.id, status: .rejected, at: now) }
            try forget(host, as: .rejected, &consequences)
            consequences.events.append(
                GroupConnectingEvent(
                    profile: profile, group: try lookup.group(group.id), host: try lookup.member(host.id)))
        }
    }

    /// The local name of a group that calls itself something, which is another one if it calls itself otherwise now.
    func groupName(_ presented: GroupProfile, of group: Group) throws -> String {
        guard presented.displayName != group.profile.displayName else { return group.name }
        try store.free(group.name, in: group.profileID)
        let suggestion = Profile.DisplayName.localName(for: presented.displayName) ?? "group"
        let name = try store.freeName(suggestion, in: group.profileID)
        try store.take(name, in: group.profileID)
        return name
    }

    // MARK: - Prepared groups

    /// Makes a group of what a link shows. Nothing is sent.
    ///
    /// - Parameter name: The check of the name that the channel claims.
    func prepare(
        _ profile: OwnProfile, link text: String, _ content: GroupLinkContent, _ name: NameCheck? = nil
    ) throws -> ChatPreview {
        let link = try connector.pasted(text)
        guard link.link.isGroup || link.link.isChannel else { throw ChatError.membership(.refused(.noLinkGroup)) }
        guard try ownGroup(link, of: profile) == nil else { throw ChatError.ownLink }
        if content.profile.publicGroup != nil { return try prepareChannel(profile, link, content, name) }
        return try prepare(
            profile, link, content.profile, welcome: content.profile.welcome.map { MessageContent($0) },
            isBusiness: false)
    }

    func prepare(
        _ profile: OwnProfile, _ link: PastedLink, _ presented: GroupProfile, welcome: MessageContent?,
        isBusiness: Bool
    ) throws -> ChatPreview {
        let (id, item) = try store.transaction {
            let id = try insert(presented, of: profile)
            let host = try insertUnknownHost(of: id, profile)
            let member = try insertMembership(
                of: profile, in: id, as: nil, role: .member, status: .unknown, inviter: .member(host))
            try store.setMembership(member, of: id)
            try store.setProfileSent(id, at: now)
            if isBusiness {
                let sides = BusinessChatInfo(
                    .business, businessID: try lookup.member(host).memberID,
                    customerID: try lookup.member(member).memberID)
                try store.setBusiness(sides, id)
            }
            let welcomeID = welcome == nil ? nil : conversations.newSharedID()
            try store.setPrepared(
                PreparedGroup(
                    link: LinkText(full: link.full ?? link.link.description, short: link.short),
                    welcomeID: welcomeID), id)
            let group = try lookup.group(id)
            try insertFirstEntries(of: group, by: try lookup.member(host))
            let item = try welcome.flatMap { content in
                try store.insert(
                    ChatStore.NewGroupNotice(
                        content: .message(content), direction: .received, author: host,
                        isUnread: true, sharedID: welcomeID, time: now), in: id, at: now)
            }
            return (id, item)
        }
        return ChatPreview(chat: .group(try lookup.group(id)), lastItem: try item.map { try lookup.item($0) })
    }

    /// The member that is going to answer at the link of a prepared group, of which nothing is known.
    private func insertUnknownHost(of id: GroupID, _ profile: OwnProfile) throws -> GroupMemberID {
        let memberID = newMemberID()
        return try insertHost(
            MemberIDRole(memberID, .admin), in: id, .accepted, Profile(displayName: memberID.placeholderName),
            ChatVersion.initial, profile)
    }

    /// Inserts the member that answers at a link, of which no more is known than what it says of itself.
    private func insertHost(
        _ member: MemberIDRole, in id: GroupID, _ status: GroupMember.Status, _ presented: Profile,
        _ versions: VersionRange, _ profile: OwnProfile
    ) throws -> GroupMemberID {
        try store.insertMember(
            ChatStore.NewMember(
                groupID: id, memberID: member.id, role: member.role, category: .host, status: status,
                name: try takeName(for: presented, of: profile.id), profile: presented, contactID: nil,
                inviter: .unknown, versions: versions), at: now)
    }

    /// The member that let the user in.
    func host(of group: Group) throws -> GroupMember? {
        try store.members(of: group.id).first { $0.category == .host }
    }

    /// Asks at the link that a group was prepared from, perhaps with a message.
    func connect(_ group: Group, _ message: MessageContent?, isIncognito: Bool) throws -> Group {
        guard var prepared = group.prepared else { throw ChatError.membership(.refused(.notPrepared)) }
        guard !prepared.isStarted, group.membership.status == .unknown,
            let host = try host(of: group)
        else { throw ChatError.membership(.refused(.begun)) }
        let profile = try lookup.owner(group.profileID)
        let text = [prepared.link.full, prepared.link.short].compactMap(\.self).joined(separator: " ")
        let link = try connector.pasted(text)
        prepared.isStarted = true
        prepared.requestID = message == nil ? nil : conversations.newSharedID()
        let started = prepared
        var item: ChatItemID?
        do {
            _ = try connector.begin(link, profile, requestedName: nil, isIncognito: isIncognito) { id in
                try store.update(id, member: host.id)
                try store.update(
                    id, QuantumResistance(isWanted: false, protectsSent: false, protectsReceived: false))
                if let incognito = try store.connection(id)?.incognito {
                    try store.setIncognito(incognito.forMembers(), group.membership.id)
                }
                try store.setPrepared(started, group.id)
                item = try message.map { try insertRequestMessage($0, started.requestID, in: group) }
            }
        } catch {
            try store.transaction {
                try store.setPrepared(group.prepared, group.id)
                if let item, let inserted = try store.item(item) { try store.removeItem(inserted) }
            }
            throw error
        }
        if let item { tell(try lookup.locate([try lookup.item(item)]), of: profile) }
        return try lookup.group(group.id)
    }

    /// The message that goes with a request. The agent has it with the request, and not as a message of its own.
    private func insertRequestMessage(
        _ content: MessageContent, _ id: SharedMessageID?, in group: Group
    ) throws -> ChatItemID {
        let item = try store.insertItem(
            NewItem(content: .message(content), direction: .sent, sharedID: id, time: now), in: .group(group.id),
            at: now)
        try store.update(item, status: .sendSent)
        return item
    }

    /// Gives a prepared group to another profile.
    func move(_ group: Group, to profile: OwnProfile) throws -> Group {
        guard let prepared = group.prepared, !prepared.isStarted else {
            throw ChatError.membership(.refused(.begun))
        }
        guard group.profileID != profile.id else { return group }
        let text = [prepared.link.full, prepared.link.short].compactMap(\.self).joined(separator: " ")
        let link = try connector.pasted(text)
        if group.isChannel {
            let content = GroupLinkContent(
                profile: group.profile, summary: group.channel?.memberCount.map { .init(memberCount: $0) })
            try store.transaction { try store.removeGroup(group) }
            guard let moved = try prepareChannel(profile, link, content, prepared.name).chat.group else {
                throw ChatError.internal
            }
            return moved
        }
        let welcome = try prepared.welcomeID.flatMap { id in
            try host(of: group).flatMap { try store.item(id, by: $0.id, in: group.id) }
        }
        try store.transaction { try store.removeGroup(group) }
        var shown: MessageContent?
        if case .message(let content)? = welcome?.content { shown = content }
        let preview = try prepare(
            profile, link, group.profile, welcome: shown, isBusiness: group.business != nil)
        guard let moved = preview.chat.group else { throw ChatError.internal }
        return moved
    }
}

extension LinkText {
    /// The links of a group. The full one has the mark of the group, and the short one says that it leads to a group, which is no
    /// more than a letter.
    init(group pair: LinkPair, _ mark: GroupLinkMark) {
        var full = pair.full
        if case .contact(let queues) = full {
            full = .contact(
                ConnectionQueues(
                    versions: queues.versions, queues: queues.queues, clientText: mark.clientText))
        }
        let short = pair.short.map { link in
            ShortLink(scheme: link.scheme, target: .address(.group), server: link.server, key: link.key)
                .shortened(for: PresetServers.all).description
        }
        self.init(full: full.description, short: short)
    }
}
