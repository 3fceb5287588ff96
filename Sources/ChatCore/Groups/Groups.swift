import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol

/// Groups: who is in them, what they are, and the connections of their members. What members write is in ``Conversations``.
final class Groups: Collaborator {
    let context: CoreContext
    let servers: Servers
    let expiry: Expiry
    let conversations: Conversations
    let connector: Connector
    /// The connections whose links are being made.
    var madeLinks: Set<ConnectionID> = []
    /// The requests of owners that are being carried out, by their numbers.
    var servedRequests: Set<Int64> = []
    /// True if what a chat relay has to pass on is about to be.
    var isRelaying = false
    /// What the user takes as a chat relay.
    var relayPolicy = ChatRelayPolicy()
    /// What the user has done as a chat relay.
    var relayActivity = ChatRelayActivity()
    /// The requests to the user as a chat relay.
    var relayRequests = RequestCount()
    /// The relays of own channels whose links are being read.
    var readRelayLinks: Set<GroupMemberID> = []

    init(_ context: CoreContext, servers: Servers, expiry: Expiry, conversations: Conversations, connector: Connector) {
        self.context = context
        self.servers = servers
        self.expiry = expiry
        self.conversations = conversations
        self.connector = connector
        connector.planGroup = { [unowned self] link, profile in
            if let group = try ownGroup(link, of: profile) { return .ownGroup(group) }
            return try knownGroup(link, of: profile)
        }
        connector.greet = { [unowned self] contact in
            var consequences = GroupConsequences()
            try probe(contact, &consequences)
        }
    }

    /// Finishes what a crash interrupted.
    func retryPending() throws {
        try conversations.handOverOwedPayloads()
        let agent = try agent
        for id in try store.memberConnections(.deleted) where try agent.contains(id) { try agent.delete(id) }
        for id in try store.memberConnections(.prepared) { try join(id) }
        try makeLinks()
        try askRelays()
        try serveRequests()
        try relayAll()
        try allowRelays()
        try readRelays()
        scheduleLinkChecks()
    }
}

extension Groups {
    /// Records an event of the connection with a member, with all its consequences.
    func record(
        _ event: AgentEvent, from member: GroupMember, _ connection: ContactConnection, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        guard let group = try store.group(member.groupID) else { return try context.commit(event) { [] } }
        switch event.content {
        case .sent(let token): return try conversations.recordDelivery(event, token, .sent, member, profile)
        case .rcvd(let receipts):
            let events = try context.commit(event) {
                try receipts.flatMap { receipt in
                    try conversations.noteDelivery(
                        receipt.token, receipt.isIntact ? .received : .receivedAltered, member, profile)
                }
            }
            try expiry.schedule()
            return events
        case .merr(let token, let problem):
            return try countErrors(problem, connection)
                + conversations.recordDelivery(event, token, .error, member, profile)
        case .connection(.msg(let message)):
            let events = try recordPayload(event, message, from: member, group, profile)
            // The link of an own channel shows how many members it has, and which relays are there.
            if group.channel?.isRoot == true {
                let hasLeft = try member.isRelay && store.member(member.id)?.status.isGone != false
                try republish(group.id, always: hasLeft)
            }
            return events
        case .connection(.conf(let information, _)):
            return try recordConfirmation(event, information, member, group, connection, profile)
        case .connection(.info(let information, _)):
            return try recordAnswer(event, information, member, group, connection, profile)
        case .connection(.joined): return try recordJoining(event, member, connection, profile)
        case .connection(.con): return try recordReadiness(event, member, group, connection, profile)
        case .connection(.qcont): return try recordReturn(event, member, connection, profile)
        case .connection(.switching(let direction, let phase)):
            return try recordSwitch(event, direction, phase, member, profile)
        case .connection(.rsync(let state)):
            return try recordSynchronization(event, state, member, connection, profile)
        case .unreadable(let problem): return try recordUnreadable(event, problem, member, profile)
        case .err(let problem): return try recordFailure(event, problem, member, connection)
        default: return try context.commit(event) { [] }
        }
    }

    // MARK: - Queues and ratchets

    /// Records a phase of a rotation of a queue. The conversation tells that of a member when it begins and ends.
    private func recordSwitch(
        _ event: AgentEvent, _ direction: QueueDirection, _ phase: SwitchPhase, _ member: GroupMember,
        _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        let condition = try connector.condition(of: event.connectionID)
        return try commit(event, profile) { consequences in
            try store.setMoving(phase.isUnderWay, direction, event.connectionID)
            let member = try lookup.member(member.id)
            guard member.showsMessages, !member.isBlockedForAll else { return }
            consequences.events.append(
                MemberQueueSwitchedEvent(
                    profile: profile, group: try lookup.group(member.groupID), member: member, direction: direction,
                    phase: phase, condition: condition))
            switch phase {
            case .started, .completed, .aborted:
                guard direction == .sending else { return }
                try insert(.queueSwitch(direction, phase), by: member, isUnread: true, &consequences.items)
            case .confirmed, .secured: break
            }
        }
    }

    /// Records the state of a ratchet synchronisation. A new ratchet has another security code, which the conversation tells:
    /// another person may have answered.
    private func recordSynchronization(
        _ event: AgentEvent, _ state: RatchetSynchronization, _ member: GroupMember, _ connection: ContactConnection,
        _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        let condition = try connector.condition(of: event.connectionID)
        return try commit(event, profile) { consequences in
            try store.update(connection.id, state)
            let member = try lookup.member(member.id)
            consequences.events.append(
                MemberSynchronizedEvent(
                    profile: profile, group: try lookup.group(member.groupID), member: member, state: state,
                    condition: condition))
            if state == .ok {
                consequences.events += try connector.clearErrors(connection)
                consequences.messages += try release(for: member.id)
            }
            // The message that could not be decrypted stands there already, and what the user began is no entry of the member.
            guard state != .allowed, state != .started, member.showsMessages, !member.isBlockedForAll else { return }
            try insert(
                .synchronization(state), by: member, isUnread: state == .required, &consequences.items)
            guard state == .agreed, try store.verifiedCode(of: connection.id) != nil else { return }
            try insert(.securityCodeChanged, by: member, isUnread: true, &consequences.items)
        }
    }

    /// Records that a message of a member could not be read.
    private func recordUnreadable(
        _ event: AgentEvent, _ problem: ReadingProblem, _ member: GroupMember, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        try commit(event, profile) { consequences in
            guard member.showsMessages, !member.isBlockedForAll else { return }
            try insert(
                .undecryptable(ChatItem.DecryptionProblem(problem)), by: member, isUnread: true, &consequences.items)
        }
    }
}
