import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// Handshakes: the connections with members.
extension Groups {
    /// The message of a handshake with a member. The KEM is off among members.
    func information(_ event: ChatMessage.Event) throws -> Bytes {
        do throws(PayloadSizeError) {
            return try ChatPayload.prepare(ChatMessage(event: event).encoded, for: .handshake, postQuantum: false)
        } catch {
            throw ChatError.invalidProfile
        }
    }

    /// What members of a group are told of the user.
    ///
    /// SECURITY: everything that identifies the user to a group comes from here.
    func presentation(in group: Group) -> Profile {
        group.membership.profile.forMembers()
    }

    /// The first message of a handshake that can be read.
    static func message(in information: Bytes) -> ChatMessage? {
        for element in ChatPayload.elements(of: information) {
            if case .success(.message(let message)) = element.content { return message }
        }
        return nil
    }

    /// Runs one transaction with everything that follows from an event of the agent, and what has to be done outside of it.
    func commit(
        _ event: AgentEvent, _ profile: OwnProfile, _ body: (inout GroupConsequences) throws -> Void
    ) throws -> [any ChatEvent] {
        var consequences = GroupConsequences()
        _ = try context.commit(event) {
            try body(&consequences)
            return events(of: consequences, profile)
        }
        try carryOut(consequences)
        return events(of: consequences, profile)
    }

    /// The same for what the user does.
    func commit(_ profile: OwnProfile, _ body: (inout GroupConsequences) throws -> Void) throws {
        var consequences = GroupConsequences()
        try store.transaction { try body(&consequences) }
        try carryOut(consequences)
        for event in events(of: consequences, profile) { tell(event) }
    }

    // MARK: - Beginning

    /// A connection with a member that the user is about to join, inside of a transaction. ``join(_:)`` follows it.
    func insertConnection(
        with member: GroupMemberID, through link: String, of group: Group, address: ConnectionID? = nil,
        versions: VersionRange? = nil
    ) throws -> ConnectionID {
        let id = try store.insertConnection(
            of: group.profileID, as: group.membership.isIncognito ? group.membership.profile : nil, status: .prepared,
            isInitiated: false, link: link, requestedName: nil, at: now)
        try own(id, member, versions)
        if let address { try store.setAddress(address, of: id) }
        return id
    }

    /// A connection to which a member is invited, inside of a transaction.
    func insertInvitation(for member: GroupMemberID, of group: Group, versions: VersionRange? = nil) throws
        -> ConnectionID
    {
        let id = try store.insertConnection(
            of: group.profileID, as: group.membership.isIncognito ? group.membership.profile : nil, status: .new,
            isInitiated: true, link: nil, requestedName: nil, at: now)
        try own(id, member, versions)
        return id
    }

    private func own(_ id: ConnectionID, _ member: GroupMemberID, _ versions: VersionRange?) throws {
        try store.update(id, member: member)
        try store.update(
            id, QuantumResistance(isWanted: false, protectsSent: false, protectsReceived: false))
        if let versions { try store.update(id, version: AgreedChatVersion(peer: versions)) }
    }

    /// Gives a prepared connection to the agent, unless it has it.
    func join(_ id: ConnectionID) throws {
        guard let connection = try store.connection(id), connection.status == .prepared,
            let member = try connection.memberID.flatMap({ try store.member($0) }),
            let group = try store.group(member.groupID), let text = connection.shortLink ?? connection.link,
            let link = try? ConnectionLink(text: text),
            let replyServer = try servers.longestAddress(for: connection.profileID)
        else { return }
        do {
            try agent.join(
                id, connection.profileID, link.complete, information: try information(for: member, group, connection),
                replyServer: replyServer, postQuantum: .off)
        } catch AgentError.connection {
            try store.transaction { try store.update(id, status: .failed, at: now) }
        }
    }

    /// What a member is told by whoever joins its connection.
    private func information(
        for member: GroupMember, _ group: Group, _ connection: ContactConnection
    ) throws -> Bytes {
        switch member.category {
        case .invitee where member.isRelay: return try information(relayInvitation(of: member, to: group))
        case .invitee where member.status == .rejected:
            return try information(.group(.linkRejection(linkRejection(of: member, from: group))))
        case .invitee: return try information(.group(.linkInvitation(try linkInvitation(of: member, to: group))))
        case .host where member.isRelay: return try joinRequest(to: member, of: group)
        case .host where group.isServedByUser:
            guard let acceptance = try relayAcceptance(in: group) else { throw ChatError.internal }
            return try information(acceptance)
        case .host where connection.requestKey != nil:
            return try information(
                .contactRequest(
                    ContactRequest(
                        profile: presentation(in: group), requestID: connection.requestKey,
                        welcomeMessageID: group.prepared?.welcomeID)))
        case .host: return try information(.group(.invitationAccepted(group.membership.memberID)))
        case .user, .pre, .post:
            return try information(.group(.memberPresented(group.membership.memberID, presentation(in: group))))
        }
    }

    // MARK: - Events

    /// A member joins the connection to which it was invited.
    func recordConfirmation(
        _ event: AgentEvent, _ bytes: Bytes, _ member: GroupMember, _ group: Group, _ connection: ContactConnection,
        _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        guard let message = Groups.message(in: bytes), case .group(let confirmation, _) = message.event else {
            return try refuse(event, connection, profile)
        }
        if member.isRelay, member.category == .invitee {
            return try recordRelayAnswer(event, confirmation, message.versions, member, group, connection, profile)
                ?? refuse(event, connection, profile)
        }
        switch (confirmation, member.category) {
        case (.invitationAccepted(member.memberID), .invitee) where !member.status.isGone:
            try allow(connection.id, .ok)
            return try commit(event, profile) { _ in
                // The entry of the invitation stays as it is, as in the official core: the member has entries of its own.
                try store.update(member.id, status: .accepted, at: now)
                try begin(connection, message.versions, member)
            }
        case (.memberPresented(member.memberID, _), .pre) where !member.status.isGone:
            let event = event
            try allow(
                connection.id, .group(.memberPresented(group.membership.memberID, presentation(in: group))))
            return try commit(event, profile) { _ in try begin(connection, message.versions, member) }
        case (.linkInvitation(let invitation), .host) where member.isRelay:
            return try recordRelayInvitation(event, invitation, message.versions, member, group, connection, profile)
        case (.linkInvitation(let invitation), .host):
            return try recordInvitation(event, invitation, message.versions, member, group, connection, profile)
        case (.linkRejection(let rejection), .host):
            return try recordRejection(event, rejection, member, group, connection, profile)
        default: return try refuse(event, connection, profile)
        }
    }

    /// The other side of a handshake says something that does not belong there.
    func refuse(
        _ event: AgentEvent, _ connection: ContactConnection, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        try context.commit(event) {
            let reason = "a handshake that is not that of the member"
            return [MessageUnusableEvent(profile: profile, connection: connection, reason: reason)]
        }
    }

    func allow(_ id: ConnectionID, _ answer: ChatMessage.Event) throws {
        do {
            try agent.allow(id, information: try information(answer))
        } catch AgentError.connection(.notReady) {
            // It was done before a crash.
        }
    }

    /// Notes that the member's side of a handshake is known.
    func begin(_ connection: ContactConnection, _ versions: VersionRange, _ member: GroupMember) throws {
        let status: ContactConnection.Status = try agent.canSend(to: connection.id) ? .accepted : .requested
        try store.update(connection.id, status: status, at: now)
        try store.update(connection.id, version: AgreedChatVersion(peer: versions))
        try store.update(member.id, versions: versions)
    }

    /// The member answers whoever joined its connection.
    func recordAnswer(
        _ event: AgentEvent, _ bytes: Bytes, _ member: GroupMember, _ group: Group, _ connection: ContactConnection,
        _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        guard let message = Groups.message(in: bytes) else { return try refuse(event, connection, profile) }
        switch message.event {
        case .ok, .profile: break
        case .group(.memberPresented(member.memberID, _), _): break
        default: return try refuse(event, connection, profile)
        }
        return try commit(event, profile) { consequences in
            try store.update(connection.id, status: .sendReady, at: now)
            try store.update(connection.id, version: AgreedChatVersion(peer: message.versions))
            try store.update(member.id, versions: message.versions)
            if case .profile(let presented, _) = message.event, member.category == .invitee {
                try update(member, presented, isNoted: false, at: now, profile, &consequences)
            }
        }
    }

    /// The relay of the member has the confirmation.
    func recordJoining(
        _ event: AgentEvent, _ member: GroupMember, _ connection: ContactConnection, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        if member.category == .invitee, member.status == .rejected {
            return try commit(event, profile) { try remove(rejected: member, connection, &$0) }
        }
        return try context.commit(event) {
            guard connection.status == .prepared else { return [] }
            // Who asks at a link may be rejected.
            let isAsking = connection.requestKey != nil && connection.addressID == nil
            let canSend = try !isAsking && agent.canSend(to: connection.id)
            try store.update(connection.id, status: canSend ? .sendReady : .joined, at: now)
            return []
        }
    }

    /// Somebody who may not join has been told.
    private func remove(
        rejected member: GroupMember, _ connection: ContactConnection, _ consequences: inout GroupConsequences
    ) throws {
        try store.releaseConnections(of: member.id, at: now)
        try store.free(member.name, in: member.profileID)
        try store.removeMember(member.id)
        consequences.deletions.append(connection.id)
    }

    /// Both sides can send.
    func recordReadiness(
        _ event: AgentEvent, _ member: GroupMember, _ group: Group, _ connection: ContactConnection,
        _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        try commit(event, profile) { consequences in
            try store.update(connection.id, status: .ready, at: now)
            guard !member.status.isGone, !group.membership.status.isGone else { return }
            if !member.status.isPending { try store.update(member.id, status: .connected, at: now) }
            if member.category == .host, !group.membership.status.isPending {
                try store.update(group.membership.id, status: .connected, at: now)
            }
            consequences.messages += try release(for: member.id)
            let group = try lookup.group(group.id), member = try lookup.member(member.id)
            switch member.category {
            case .host: try recordHost(member, group, profile, &consequences)
            case .invitee where member.isRelay: try recordRelay(member, in: group, profile, &consequences)
            case .invitee: try recordInvitee(member, group, connection, profile, &consequences)
            case .pre, .post:
                try note(.memberConnected, by: member, &consequences.items)
                consequences.events.append(
                    ConnectedToMemberEvent(profile: profile, group: group, member: member, contact: nil))
                if member.category == .pre { try probe(member, in: group, &consequences) }
                if case .member(let inviterID) = member.inviter, let inviter = try store.member(inviterID) {
                    consequences.messages += try conversations.enqueue(
                        .group(.memberConnected(member.memberID)), to: [inviter], of: group)
                }
            case .user: break
            }
        }
    }

    /// The user is in the group.
    private func recordHost(
        _ host: GroupMember, _ group: Group, _ profile: OwnProfile, _ consequences: inout GroupConsequences
    ) throws {
        if host.isRelay { return try recordRelay(host, group, profile, &consequences) }
        try insertFirstEntries(of: group, by: host)
        if group.membership.status.isPending {
            try note(.userPending, in: group, support: group.membership, &consequences.items)
        }
        try note(.memberConnected, by: host, &consequences.items)
        consequences.events.append(JoinedGroupEvent(profile: profile, group: group, host: host))
    }

    /// Somebody whom the user invited is in the group.
    private func recordInvitee(
        _ member: GroupMember, _ group: Group, _ connection: ContactConnection, _ profile: OwnProfile,
        _ consequences: inout GroupConsequences
    ) throws {
        try note(.memberConnected, by: member, &consequences.items)
        consequences.events.append(MemberJoinedEvent(profile: profile, group: group, member: member))
        if connection.addressID != nil, member.contactID == nil {
            consequences.messages += try conversations.enqueue(
                .group(.hostProfile(presentation(in: group))), to: [member], of: group)
        }
        switch member.status {
        case .pendingApproval: break
        case .pendingReview:
            consequences.messages += try conversations.enqueue(
                .group(.admission(.pendingReview, role: member.role, member.memberID)), to: [member], of: group)
            try introduce(member, in: group, onlyToModerators: true, &consequences)
        default: try admit(member, to: group, &consequences)
        }
    }

    /// Marks what waited until a member was connected, inside of a transaction, and returns the numbers of the payloads.
    func release(for id: GroupMemberID) throws -> [Int64] {
        let numbers = try store.pendingGroupMessages(for: id)
        for number in numbers { try store.update(number, id, .owed) }
        return numbers
    }

    /// The connection could not be made or is lost.
    func recordFailure(
        _ event: AgentEvent, _ problem: ConnectionProblem, _ member: GroupMember, _ connection: ContactConnection
    ) throws -> [any ChatEvent] {
        try context.commit(event) {
            try store.update(connection.id, status: .failed, at: now)
            connector.problems[connection.id] = problem
            return []
        }
    }

    /// The member's queue takes messages again, or its ratchet fits again.
    func recordReturn(
        _ event: AgentEvent, _ member: GroupMember, _ connection: ContactConnection, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        try commit(event, profile) { consequences in
            consequences.events += try connector.clearErrors(connection)
            consequences.messages += try release(for: member.id)
        }
    }

    /// The relay refuses a message for a member, or its queue is full.
    func countErrors(_ problem: DeliveryProblem, _ connection: ContactConnection) throws -> [any ChatEvent] {
        switch problem {
        case .refused:
            try store.countAuthError(of: connection.id)
            return []
        case .full:
            try store.setInactive(connection.id)
            return connection.isInactive ? [] : try lookup.activity(of: connection.id)
        case .blocked, .expired, .unsendable: return []
        }
    }
}

extension Lookup {
    func group(_ id: GroupID) throws -> Group {
        guard let group = try store.group(id) else { throw ChatError.groupNotFound(id) }
        return group
    }

    func member(_ id: GroupMemberID) throws -> GroupMember {
        guard let member = try store.member(id) else { throw ChatError.inGroup(.memberNotFound(id)) }
        return member
    }
}
