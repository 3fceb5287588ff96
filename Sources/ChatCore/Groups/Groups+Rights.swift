import AgentProtocol
import ByteCoding
import ChatProtocol

/// The rights of members at the events that they send, see ``GroupEventRule``.
extension Groups {
    /// Returns why an event of a member is refused; nil if it is accepted. Nothing is kept.
    func refusal(of message: MemberMessage) throws -> GroupRefusal? {
        guard let kind = GroupEventKind(message.event) else { return nil }
        var facts = try facts(of: message)
        if message.group.isChannel { facts.setChannelRights(of: kind, isRelay: message.author.isRelay) }
        return GroupEventRule.refusal(of: kind, facts)
    }

    private func facts(of message: MemberMessage) throws -> GroupEventFacts {
        let author = message.author, group = message.group
        var facts = GroupEventFacts(
            author: GroupEventFacts.Member(author), own: GroupEventFacts.Member(group.membership))
        facts.isForwarded = message.forwarder != nil
        facts.isChannel = group.isChannel
        facts.isVerified = message.signatureStatus == .verified
        // The connection is ready here before the author knows it. Until a message came through it, the author may still rely on
        // the host.
        facts.isConnected = try facts.isForwarded && author.isConnected && store.hasDirectMessage(of: author.id)
        facts.blocks = try blocks(of: author)
        facts.givenRole = message.event.givenRole
        if let id = message.event.subjectID(author: author.memberID) {
            if id == group.membership.memberID {
                facts.subject = .user
            } else if id == author.memberID {
                facts.subject = .author
            } else if let subject = try store.member(id, in: group.id) {
                facts.subject = .member(GroupEventFacts.Member(subject))
                facts.isInviterOfSubject = subject.inviter == .member(author.id) || subject.status == .unknown
            } else {
                facts.subject = .unknown
                facts.isInviterOfSubject = true
            }
        }
        facts.scope = try scope(of: message)
        if case .group(.memberIntroduced(let info, _), _) = message.event, info.role > author.role {
            facts.knowsHigherRole = try store.hasConnectedMember(above: author.role, in: group.id)
        }
        return facts
    }

    private func blocks(of member: GroupMember) throws -> Set<GroupEventFacts.Block> {
        var blocks: Set<GroupEventFacts.Block> = []
        if !member.showsMessages { blocks.insert(.hidden) }
        if member.isBlockedForAll { blocks.insert(.forAll) }
        if try member.contactID.flatMap({ try store.contact($0) })?.isBlocked == true { blocks.insert(.contact) }
        return blocks
    }

    private func scope(of message: MemberMessage) throws -> GroupEventFacts.Scope {
        let membership = message.group.membership
        if case .update(let update) = message.event,
            let item = try store.item(update.id, by: message.author.id, in: message.group.id)
        {
            guard let id = item.supportID else { return .group }
            return id == membership.id ? .user : id == message.author.id ? .author : .member
        }
        guard let id = message.event.scope?.memberID else { return .group }
        if id == membership.memberID { return .user }
        if id == message.author.memberID { return .author }
        return try store.member(id, in: message.group.id) == nil ? .unknown : .member
    }

    // MARK: - Who else gets an event

    /// The members to which an event may be forwarded.
    enum Audience: Hashable {
        case none
        case all
        /// The moderators and a member.
        case support(MemberID)
    }

    /// The members to which an accepted event may be forwarded. Must be called before the event is recorded, which may remove the
    /// message to which it belongs.
    func audience(of message: MemberMessage) throws -> Audience {
        guard let kind = GroupEventKind(message.event) else { return .none }
        let author = message.author
        // What is about a post of the channel is for all.
        if message.group.isChannel, let id = message.event.messageID,
            try store.post(id, in: message.group.id) != nil
        {
            return .all
        }
        switch GroupEventRule.rule(for: kind).audience {
        case .none: return .none
        case .all: return .all
        case .namedScope: return message.event.scope.map { .support($0.memberID) } ?? audience(of: author)
        case .scopeOfMessage:
            guard let (id, authorID) = message.event.message(author: author.memberID),
                let writer = authorID == message.group.membership.memberID
                    ? message.group.membership : try store.member(authorID, in: message.group.id)
            else { return .none }
            if let item = try store.item(id, by: writer.isUser ? nil : writer.id, in: message.group.id) {
                guard let supportID = item.supportID else { return .all }
                return try store.member(supportID).map { .support($0.memberID) } ?? Audience.none
            }
            switch message.event {
            // What belongs to a message that is not here has no conversation that is known.
            case .fileDescription, .fileCancelled: return .none
            default: return message.event.scope.map { .support($0.memberID) } ?? audience(of: author)
            }
        case .scopeOfSubject:
            guard let id = message.event.subjectID(author: author.memberID),
                let subject = try store.member(id, in: message.group.id)
            else { return audience(of: author) }
            return audience(of: subject)
        }
    }

    /// Who hears of a member without being told of a conversation.
    private func audience(of member: GroupMember) -> Audience {
        member.status.isPending ? .support(member.memberID) : .all
    }
}

extension GroupEventFacts {
    /// In a channel only relays pass messages on and tell of members (network-7.md 7.4). That gives no role, see
    /// ``Groups/recordChannelMember(_:as:_:_:_:)``.
    fileprivate mutating func setChannelRights(of kind: GroupEventKind, isRelay: Bool) {
        switch kind {
        case .forwarded:
            author.role = isRelay ? .owner : .observer
            isInviterOfSubject = true
        case .memberJoined, .memberIntroduced:
            author.role = isRelay ? .owner : .observer
            givenRole = nil
        default: break
        }
    }
}

extension GroupEventFacts.Member {
    fileprivate init(_ member: GroupMember) {
        self.init(member.role, member.category, member.status)
    }
}

extension GroupMember {
    /// True if the user has a direct connection with the member that is ready.
    var isConnected: Bool { connection?.status == .ready && connection?.isDisabled == false }
}

extension ChatMessage.Event {
    /// The conversation of a group that the event names.
    var scope: MessageScope? {
        switch self {
        case .message(let container): container.scope
        case .update(let update): update.scope
        case .deletion(let deletion): deletion.scope
        case .reaction(let reaction): reaction.scope
        case .group(.memberJoined(_, let scope), _): scope
        default: nil
        }
    }

    /// The message to which the event belongs: its id, and who wrote it.
    fileprivate func message(author: MemberID) -> (SharedMessageID, MemberID)? {
        switch self {
        case .update(let update): (update.id, author)
        case .deletion(let deletion): (deletion.id, deletion.memberID ?? author)
        case .reaction(let reaction): reaction.memberID.map { (reaction.id, $0) }
        case .fileDescription(let part): (part.messageID, author)
        case .fileCancelled(let id, _): (id, author)
        case .message, .profile, .contactRequest, .ok, .contactDeleted, .call, .probe, .group, .other: nil
        }
    }

    /// The id of the message to which the event belongs.
    fileprivate var messageID: SharedMessageID? {
        switch self {
        case .update(let update): update.id
        case .deletion(let deletion): deletion.id
        case .reaction(let reaction): reaction.id
        case .fileDescription(let part): part.messageID
        case .fileCancelled(let id, _): id
        case .message, .profile, .contactRequest, .ok, .contactDeleted, .call, .probe, .group, .other: nil
        }
    }

    /// What the event says of the roster of a channel; nil for events that change none.
    var rosterChange: RosterChange? {
        switch self {
        case .group(.roleChanged, let fields), .group(.memberRemoved, let fields): RosterChange(fields)
        default: nil
        }
    }

    /// The member that the event is about; nil for none.
    fileprivate func subjectID(author: MemberID) -> MemberID? {
        switch self {
        case .deletion(let deletion): deletion.memberID ?? author
        case .reaction(let reaction): reaction.memberID
        case .profile: author
        case .group(let event, _): event.subjectID(author: author)
        case .message, .update, .fileDescription, .fileCancelled, .contactRequest, .ok, .contactDeleted, .call, .probe,
            .other:
            nil
        }
    }

    /// The role that the event gives its subject.
    fileprivate var givenRole: GroupRole? {
        switch self {
        case .group(.memberJoined(let info, _), _), .group(.memberIntroduced(let info, _), _),
            .group(.introForwarded(let info, _), _):
            info.role
        case .group(.roleChanged(_, let role), _), .group(.admission(_, let role, _), _): role
        default: nil
        }
    }
}

extension GroupEvent {
    fileprivate func subjectID(author: MemberID) -> MemberID? {
        switch self {
        case .memberJoined(let info, _), .memberIntroduced(let info, _), .introForwarded(let info, _): info.id
        case .introInvitation(let id, _), .memberConnected(let id), .roleChanged(let id, _), .memberRemoved(let id, _),
            .restrictionChanged(let id, _), .admission(_, _, let id), .invitationAccepted(let id),
            .memberPresented(let id, _), .allConnected(let id):
            id
        case .memberLeft: author
        case .forwarded(let forwarded): forwarded.memberID
        case .invitation, .linkInvitation, .linkRejection, .hostProfile, .contactInvitation, .groupDeleted,
            .profileChanged, .preferencesChanged, .channelJoin, .relayInvitation, .relayAccepted, .relayRejected,
            .relayTest, .relayAdded, .relayCapabilities, .roster, .rosterAcknowledged, .rosterRequested:
            nil
        }
    }
}
