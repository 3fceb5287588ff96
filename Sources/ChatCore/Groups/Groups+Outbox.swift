import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// Sending to members.
extension Groups {
    /// Stores messages for members of a group. Must be called within a transaction; ``handOver(_:)`` follows it.
    ///
    /// - Parameters:
    ///   - messages: Packed into as few payloads as possible, in their order.
    ///   - members: The members that are to get them; those that cannot get them any more are left out.
    ///   - items: The entries that the messages are, one for each; nothing for what is no entry.
    /// - Returns: The numbers of the payloads.
    func enqueue(
        _ messages: [ChatMessage], to members: [GroupMember], of group: Group, items: [ChatItemID] = []
    ) throws -> [Int64] {
        // An admin of an old version could not pass them on one by one (chat.md 1.7).
        let single = messages.count < 2 ? [] : members.filter { !$0.takesBatches }
        guard !single.isEmpty else { return try enqueueBatches(messages, to: members, of: group, items) }
        let numbers = try enqueueBatches(messages, to: members.filter(\.takesBatches), of: group, items)
        return try messages.enumerated().reduce(into: numbers) { numbers, message in
            let item = items.dropFirst(message.offset).prefix(1)
            numbers += try enqueueBatches([message.element], to: single, of: group, Array(item))
        }
    }

    private func enqueueBatches(
        _ messages: [ChatMessage], to members: [GroupMember], of group: Group, _ items: [ChatItemID]
    ) throws -> [Int64] {
        let isForwardable = messages.allSatisfy(\.event.isForwardable)
        let deliveries = try members.compactMap { member in
            try delivery(to: member, of: group, isForwardable: isForwardable).map { (member.id, $0) }
        }
        guard !deliveries.isEmpty else { return [] }
        var rest = messages[...], ids = items[...]
        let hasForwards = messages.contains { if case .group(.forwarded, _) = $0.event { true } else { false } }
        let limit = hasForwards ? ChatLimit.forwardingMessage : ChatLimit.message
        return try ChatPayload.batches(messages.map(\.encoded), limit: limit).map { part in
            switch part {
            case .payload(let body, let count):
                let batch = rest.prefix(count)
                defer {
                    rest = rest.dropFirst(count)
                    ids = ids.dropFirst(count)
                }
                return try store.insertGroupMessage(
                    body, token: (batch.first?.id ?? sender.newSharedID()).bytes,
                    notifies: batch.contains(where: \.event.notifies), items: Array(ids.prefix(count)), of: group.id,
                    to: deliveries, at: now)
            case .tooLarge(let size): throw ChatError.messageTooLarge(size: size, limit: limit)
            }
        }
    }

    /// Stores an event with an id of its own for members of a group. Must be called within a transaction.
    func enqueue(_ event: ChatMessage.Event, to members: [GroupMember], of group: Group) throws -> [Int64] {
        try enqueue([ChatMessage(id: sender.newSharedID(), event: event)], to: members, of: group)
    }

    /// What is to become of a message at a member (chat.md 4.5); nil if the member gets nothing any more.
    private func delivery(to member: GroupMember, of group: Group, isForwardable: Bool) throws -> MemberDelivery? {
        guard !member.isUser, !member.status.isGone else { return nil }
        guard let connection = member.connection else {
            return isPassedOn(to: member, isForwardable) ? .forwarded : .pending
        }
        guard connection.status != .failed, connection.status != .deleted, !connection.isDisabled else { return nil }
        if connection.status.canSend {
            if connection.isInactive { return .inactive }
            // Nothing overtakes what waits until both sides can send: an introduction would undo a role that came before it.
            let isBehind = try connection.status != .ready && store.hasPendingGroupMessages(for: member.id)
            return isBehind ? .pending : .owed
        }
        return isPassedOn(to: member, isForwardable) ? .forwarded : .pending
    }

    /// Whether the host passes on what a member cannot get yet.
    private func isPassedOn(to member: GroupMember, _ isForwardable: Bool) -> Bool {
        isForwardable && (member.category == .pre || member.category == .post)
    }

    /// Gives the agent all payloads that it owes to members.
    func handOverOwed() throws {
        for number in try store.owedGroupMessages() { try handOver(number) }
    }

    /// The most members that get a payload in one transaction.
    private static let mostAtOnce = 64

    /// Gives the agent a payload for each member that it owes it to. The agent takes each only once.
    func handOver(_ number: Int64) throws {
        guard let message = try store.groupMessage(number) else { return }
        var members = try shuffled(store.members(of: number, .owed))[...], failure: AgentError?
        repeat {
            let part = members.prefix(Groups.mostAtOnce)
            members = members.dropFirst(part.count)
            let (outcomes, problem) = try handOver(message, to: Array(part))
            failure = failure ?? problem
            try store.transaction {
                for (id, outcome) in outcomes { try store.handedOver(number, id, outcome) }
                if members.isEmpty { try store.settleGroupMessage(number) }
            }
        } while !members.isEmpty
        if let failure { throw failure }
    }

    /// Members in the order in which they get a message: admins first, who pass it on, and otherwise none that says anything.
    private func shuffled(_ ids: [GroupMemberID]) throws -> [GroupMember] {
        var numbers = RandomNumbers(context.environment.random)
        let members = try ids.compactMap { try store.member($0) }.shuffled(using: &numbers)
        return members.filter { $0.role >= .admin } + members.filter { $0.role < .admin }
    }

    /// - Returns: The outcome at each member, without those for whom the database failed: it stays owed to them.
    private func handOver(
        _ message: GroupMessage, to members: [GroupMember]
    ) throws -> (outcomes: [(GroupMemberID, MemberDelivery)], problem: AgentError?) {
        let connected = members.compactMap { member in member.connection.map { (member.id, $0.id) } }
        var outcomes = members.filter { $0.connection == nil }.map { ($0.id, MemberDelivery.error) }
        var problem: AgentError?
        guard !connected.isEmpty else { return (outcomes, nil) }
        let failures = try agent.send(
            message.body, notifies: message.notifies, token: message.token, to: connected.map(\.1))
        for ((id, _), failure) in zip(connected, failures) {
            switch failure {
            case nil: outcomes.append((id, .new))
            // When the ratchets fit again.
            case .connection(.outOfStep): outcomes.append((id, .pending))
            case .connection, .unknownConnection: outcomes.append((id, .error))
            case let other: problem = problem ?? other
            }
        }
        return (outcomes, problem)
    }
}

extension GroupMember {
    /// True if it takes several messages in one payload.
    fileprivate var takesBatches: Bool { ChatVersion.allowsBatches(to: role, versions.max) }
}
