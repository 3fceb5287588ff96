import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol

/// Groups: who is in them, and what their members send each other.
///
/// What is sent to members is stored once in its form for all of them, together with what is to become of it at each. It is handed
/// to the agent then; what a crash keeps from the agent is handed over at the next start, see ``retryPending()``.
final class Groups: Collaborator {
    let context: CoreContext
    let servers: Servers
    let expiry: Expiry
    let sender: Sender
    let connector: Connector
    /// The connections whose links are being made.
    var madeLinks: Set<ConnectionID> = []

    init(_ context: CoreContext, servers: Servers, expiry: Expiry, sender: Sender, connector: Connector) {
        self.context = context
        self.servers = servers
        self.expiry = expiry
        self.sender = sender
        self.connector = connector
        sender.files.describe = { [unowned self] record, item, descriptions in
            if case .group = item.chat { return try describe(record, item, descriptions) }
            return try self.sender.describe(item, descriptions.first)
        }
        sender.files.withdraw = { [unowned self] item in
            if case .group = item.chat { return try withdrawFile(of: item) }
            return try self.sender.withdrawFile(of: item)
        }
        sender.files.inform = { [unowned self] item, event in
            if case .group = item.chat { return try inform(item, event) }
            return try self.sender.inform(item, event)
        }
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
        try handOverOwed()
        let agent = try agent
        for id in try store.memberConnections(.deleted) where try agent.contains(id) { try agent.delete(id) }
        for id in try store.memberConnections(.prepared) { try join(id) }
        try makeLinks()
    }
}

extension Groups {
    /// Records an event of the connection with a member, with all its consequences.
    func record(
        _ event: AgentEvent, from member: GroupMember, _ connection: ContactConnection, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        guard let group = try store.group(member.groupID) else { return try context.commit(event) { [] } }
        switch event.content {
        case .sent(let token): return try recordDelivery(event, token, .sent, member, group, profile)
        case .rcvd(let receipts):
            let events = try context.commit(event) {
                try receipts.flatMap { receipt in
                    try noteDelivery(
                        receipt.token, receipt.isIntact ? .received : .receivedAltered, member, group, profile)
                }
            }
            try expiry.schedule()
            return events
        case .merr(let token, let problem):
            return try countErrors(problem, connection)
                + recordDelivery(event, token, .error, member, group, profile)
        case .connection(.msg(let message)): return try recordPayload(event, message, from: member, group, profile)
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

    // MARK: - Deliveries

    private func recordDelivery(
        _ event: AgentEvent, _ token: Bytes, _ delivery: MemberDelivery, _ member: GroupMember, _ group: Group,
        _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        let events = try context.commit(event) { try noteDelivery(token, delivery, member, group, profile) }
        // The time of a disappearing message begins when it leaves the outbox.
        try expiry.schedule()
        return events
    }

    /// Notes what became of an entry at a member, and of the entry as a whole.
    private func noteDelivery(
        _ token: Bytes, _ delivery: MemberDelivery, _ member: GroupMember, _ group: Group, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        guard !token.isEmpty, let found = try store.groupDelivery(of: token, to: member.id) else { return [] }
        if found.delivery == .received || found.delivery == .receivedAltered, delivery == .sent { return [] }
        try store.update(found.message, member.id, delivery)
        var items: [ChatItem] = []
        for id in found.items {
            guard let former = try store.status(of: id) else { continue }
            let status = try status(of: id)
            guard status != former else { continue }
            try store.update(id, status: status)
            if former.isUnsent, !status.isUnsent { try store.startTimer(of: id, at: now, again: true) }
            items.append(try lookup.item(id))
        }
        return items.isEmpty ? [] : [ItemsUpdatedEvent(profile: profile, items: try lookup.locate(items))]
    }

    /// The status of an entry, of what became of it at all members.
    func status(of id: ChatItemID) throws -> ChatItem.Status {
        var counts = try store.deliveryCounts(of: id)
        for delivery in [MemberDelivery.forwarded, .pending, .inactive] { counts[delivery] = nil }
        let count = counts.values.reduce(0, +), altered = counts[.receivedAltered, default: 0]
        let received = counts[.received, default: 0] + altered
        let sent = counts[.sent, default: 0] + received
        if received > 0 {
            return received == count
                ? .sendReceived(isIntact: altered == 0) : .sendReceivedPartly(isIntact: altered == 0)
        }
        if sent > 0 { return sent == count ? .sendSent : .sendSentPartly }
        return count > 0 && counts[.error] == count ? .sendErrorAuthorization : .sendNew
    }
}
