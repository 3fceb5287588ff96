import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// What the agent gets once a transaction is on disk.
enum OwedDelivery {
    /// An entry for a contact.
    case item(ChatItemID, Contact)
    /// The changes of which a contact is to be told.
    case events(ContactID)
    /// A payload for members of a group.
    case payload(Int64)
}

/// The recipients of messages, and the way of the messages to them.
extension Conversations {
    // MARK: - Recipients

    /// Who gets what the user writes in a conversation.
    ///
    /// - Throws: ``ChatError`` if the user cannot write there.
    func recipients(of conversation: ConversationPolicy) throws -> Recipients {
        switch conversation.chat {
        case .direct(let contact):
            try checkReach(contact)
            return .contact(contact)
        case .notes: return .none
        case .group(let group): return .members(try recipients(of: group), of: group)
        }
    }

    /// The connections on which messages to a chat travel.
    func connections(of chat: Chat) throws -> [ConnectionID] {
        switch chat {
        case .direct(let contact): contact.connection.map { [$0.id] } ?? []
        case .notes: []
        case .group(let group): try store.members(of: group.id).compactMap { $0.connection?.id }
        }
    }

    /// Throws unless a contact can get messages.
    func checkReach(_ contact: Contact) throws(ChatError) {
        guard contact.status == .active, contact.connection?.status != .failed,
            contact.connection?.isDisabled != true
        else { throw .contactNotActive(contact.name) }
        guard contact.isReady else { throw .contactNotReady(contact.name) }
        guard !contact.isBlocked else { throw .contactBlocked(contact.name) }
    }

    /// Throws unless the user is in a group.
    func checkMember(_ group: Group) throws(ChatError) {
        let status = group.membership.status
        guard status.isCurrent, status.isActive else { throw .inGroup(.notCurrentMember) }
    }

    /// The members that get what the user writes in a group, or in the conversation that is meant.
    func recipients(of group: Group) throws -> [GroupMember] {
        let members = try store.members(of: group.id)
        // The relays of a channel pass it on, also in the conversations with the moderators.
        if group.isChannel {
            try checkMember(group)
            return members.filter { $0.status.isCurrent && group.reaches($0) }
        }
        let moderators = members.filter {
            $0.role >= .moderator && $0.status.isCurrent && $0.versions.max >= ChatVersion.messageScopes
        }
        switch group.support {
        case nil:
            try checkMember(group)
            return members.filter(\.status.isCurrent)
        case .own:
            guard group.membership.status.isCurrent || group.membership.status.isPending else {
                throw ChatError.inGroup(.notCurrentMember)
            }
            guard !moderators.isEmpty else { throw ChatError.inGroup(.noModerators) }
            return moderators
        case .member(let member):
            try checkMember(group)
            let present = try store.member(member.id) ?? member
            if present.status == .pendingApproval { return [present] }
            return [present] + moderators.filter { $0.id != member.id }
        }
    }

    /// Throws if a message does not fit for its recipients. Notes have the same limit.
    func checkSize(_ message: ChatMessage, for recipients: Recipients) throws {
        switch recipients {
        case .none: _ = try encode(message, for: nil)
        case .contact(let contact): _ = try encode(message, for: contact)
        case .members:
            let size = message.encoded.count
            guard size <= ChatLimit.message else {
                throw ChatError.messageTooLarge(size: size, limit: ChatLimit.message)
            }
        }
    }

    // MARK: - Storing

    /// Stores messages for recipients. Must be called within a transaction; ``handOver(_:)-([OwedDelivery])`` follows it.
    ///
    /// - Parameter items: The entries that the messages are, one for each; nothing for what is no entry.
    func enqueue(
        _ messages: [ChatMessage], as items: [ChatItemID] = [], to recipients: Recipients
    ) throws -> [OwedDelivery] {
        switch recipients {
        case .none: return []
        case .contact(let contact):
            guard items.isEmpty else { return items.map { .item($0, contact) } }
            for message in messages { try store.owe(message, to: contact.id) }
            return [.events(contact.id)]
        case .members(let members, let group):
            return try enqueue(messages, to: members, of: group, items: items).map(OwedDelivery.payload)
        }
    }

    /// Gives the agent what was stored.
    func handOver(_ owed: [OwedDelivery]) throws {
        for delivery in owed {
            switch delivery {
            case .item(let id, let contact): try handOver(try lookup.item(id), of: contact)
            case .events(let id): try handOverOwed(to: id)
            case .payload(let number): try handOver(number)
            }
        }
    }

    /// The status of an entry that was just stored for its recipients.
    func status(ofNew id: ChatItemID, to recipients: Recipients) throws -> ChatItem.Status {
        switch recipients {
        case .none: .sendReceived(isIntact: true)
        case .contact: .sendNew
        case .members: try store.deliveries(of: id).isEmpty ? .sendSent : status(of: id)
        }
    }

    // MARK: - Members

    /// Stores messages for members of a group. Must be called within a transaction; ``handOver(_:)`` follows it.
    ///
    /// - Parameters:
    ///   - messages: Packed into as few payloads as possible, in their order.
    ///   - members: The recipients; members that left or have no working connection are left out.
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
        return try batches(messages, in: group, limit: limit).map { part in
            switch part {
            case .payload(let body, let count):
                let batch = rest.prefix(count)
                defer {
                    rest = rest.dropFirst(count)
                    ids = ids.dropFirst(count)
                }
                return try store.insertGroupMessage(
                    body, token: (batch.first?.id ?? newSharedID()).bytes,
                    notifies: batch.contains(where: \.event.notifies), items: Array(ids.prefix(count)), of: group.id,
                    to: deliveries, at: now)
            case .tooLarge(let size): throw ChatError.messageTooLarge(size: size, limit: limit)
            }
        }
    }

    /// The messages in as few payloads as possible. Those of a channel are signed where it needs that.
    private func batches(_ messages: [ChatMessage], in group: Group, limit: Int) throws -> [ChatPayload.Part] {
        guard group.isChannel else { return ChatPayload.batches(messages.map(\.encoded), limit: limit) }
        return ChatPayload.binaryBatches(try messages.map { try element($0, in: group) })
    }

    /// The element of a message: signed with the key of the user where a channel needs a signature (network-7.md 7.3).
    func element(_ message: ChatMessage, in group: Group) throws -> Bytes {
        let text = message.encoded
        guard let channel = group.channel, try isSigned(message, in: group),
            let key = try store.memberKey(of: group.id)
        else { return text }
        return ElementSignature(text, as: group.membership.memberID, in: channel.publicID, with: key).encoded
    }

    /// True for a message that channels want signed, and for one that the user signed, with its edits and its deletion
    /// (network-7.md 9.6).
    private func isSigned(_ message: ChatMessage, in group: Group) throws -> Bool {
        if GroupEventRule.isSigned(message.event) { return true }
        let known: (id: SharedMessageID?, author: MemberID?)
        switch message.event {
        case .message: known = (message.id, nil)
        case .update(let update): known = (update.id, nil)
        case .deletion(let deletion): known = (deletion.id, deletion.memberID)
        default: return false
        }
        guard let id = known.id else { return false }
        let author = try known.author.flatMap {
            $0 == group.membership.memberID ? nil : try store.member($0, in: group.id)
        }
        return try store.item(id, by: author?.id, in: group.id)?.group?.signature == .verified
    }

    /// Stores an event with an id of its own for members of a group. Must be called within a transaction.
    func enqueue(_ event: ChatMessage.Event, to members: [GroupMember], of group: Group) throws -> [Int64] {
        try enqueue([ChatMessage(id: newSharedID(), event: event)], to: members, of: group)
    }

    /// The first state of a message for a member (chat.md 4.5); nil for a member that left or has no working connection.
    func delivery(to member: GroupMember, of group: Group, isForwardable: Bool) throws -> MemberDelivery? {
        guard !member.isUser, !member.status.isGone else { return nil }
        guard let connection = member.connection else {
            return isPassedOn(to: member, isForwardable) ? .forwarded : .pending
        }
        guard connection.status != .failed, connection.status != .deleted, !connection.isDisabled else { return nil }
        if connection.status.canSend {
            if connection.isInactive { return .inactive }
            // A message goes behind those that wait until both sides can send: an introduction would undo an earlier role.
            let isBehind = try connection.status != .ready && store.hasPendingGroupMessages(for: member.id)
            return isBehind ? .pending : .owed
        }
        return isPassedOn(to: member, isForwardable) ? .forwarded : .pending
    }

    /// Whether the host passes on what a member cannot get yet.
    private func isPassedOn(to member: GroupMember, _ isForwardable: Bool) -> Bool {
        isForwardable && (member.category == .pre || member.category == .post)
    }

    /// What the members of a group are told of a changed profile of the user before the next message; nil if they know it.
    func changedPresentation(in group: Group) throws -> ChatMessage? {
        guard !group.membership.isIncognito,
            let changed = try lookup.owner(group.profileID).changedAt,
            group.profileSentAt.map({ $0 < changed }) ?? true
        else { return nil }
        return ChatMessage(id: newSharedID(), event: .profile(group.membership.profile.forMembers()))
    }

    /// Gives the agent all payloads that it owes to members.
    func handOverOwedPayloads() throws {
        for number in try store.owedGroupMessages() { try handOver(number) }
    }

    /// The most members that get a payload in one transaction.
    private static let mostAtOnce = 64

    /// Gives the agent a payload for each member that it owes it to. The agent takes each only once.
    func handOver(_ number: Int64) throws {
        guard let message = try store.groupMessage(number) else { return }
        var members = try shuffled(store.members(of: number, .owed))[...], failure: AgentError?
        repeat {
            let part = members.prefix(Conversations.mostAtOnce)
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

    // MARK: - Withdrawing

    /// Removes a message that no member has got yet. Returns false if any has.
    ///
    /// What the user wants is on disk before the first member does not get it: after a crash ``finishDrops()`` goes on.
    func withdraw(_ item: ChatItem) throws -> Bool {
        let messages = try store.groupMessages(of: item.id)
        // Nothing is taken from some if others have it.
        guard try isQueued(item), try messages.allSatisfy({ try !isWithSomebody($0) }) else { return false }
        try store.transaction { for message in messages { try store.setWithdrawn(true, message.number) } }
        guard try agent.withdraw(withdrawals(of: messages)) else {
            try store.transaction { for message in messages { try store.setWithdrawn(false, message.number) } }
            return false
        }
        try store.transaction { try remove(item, messages) }
        return true
    }

    /// Removes the messages that the user took out of the outbox when the program ended. The agent may have them or not.
    func finishDrops() throws {
        for id in try store.withdrawnItems() {
            let messages = try store.groupMessages(of: id)
            for (token, connection) in try withdrawals(of: messages) {
                _ = try agent.withdraw(token, to: connection)
            }
            try store.transaction { try remove(lookup.item(id), messages) }
        }
    }

    /// The withdrawn payloads with the connections of the members that they are for.
    private func withdrawals(of messages: [GroupMessage]) throws -> [(token: Bytes, id: ConnectionID)] {
        try messages.flatMap { message in
            try store.members(of: message.number, .withdrawn).compactMap { id in
                try store.member(id)?.connection.map { (message.token, $0.id) }
            }
        }
    }

    /// True if a message is alone in its payloads, and no relay has it.
    func isQueued(_ item: ChatItem) throws -> Bool {
        // An edit that is on its way would bring it back.
        guard item.status.isUnsent, item.editedAt == nil, item.isLive == nil else { return false }
        // Messages that travel together are not taken apart.
        return try store.groupMessages(of: item.id).allSatisfy { try store.items(of: $0.number) == [item.id] }
    }

    private func isWithSomebody(_ message: GroupMessage) throws -> Bool {
        try store.deliveries(of: message.number).contains { _, delivery in
            switch delivery {
            case .forwarded, .inactive, .sent, .received, .receivedAltered: true
            case .owed, .pending, .new, .withdrawn, .error: false
            }
        }
    }

    /// Takes payloads back from the outboxes of all members. Returns false if a member has one, or gets it now.
    func withdraw(_ messages: [GroupMessage]) throws -> Bool {
        let agent = try agent
        var isGone = true
        for message in messages {
            for (id, delivery) in try store.deliveries(of: message.number) {
                switch delivery {
                case .owed, .pending, .withdrawn, .error: break
                case .forwarded, .inactive, .sent, .received, .receivedAltered: isGone = false
                case .new:
                    guard let connection = try store.member(id)?.connection,
                        try agent.withdraw(message.token, to: connection.id)
                    else {
                        isGone = false
                        continue
                    }
                }
                if isGone { try store.transaction { try store.update(message.number, id, .error) } }
            }
        }
        return isGone
    }

    /// Removes an entry with its payloads. Must be called within a transaction.
    func remove(_ item: ChatItem, _ messages: [GroupMessage]) throws {
        for message in messages { try store.removeGroupMessage(message.number) }
        guard let item = try store.item(item.id) else { return }
        try store.revokeFile(of: item)
        try store.removeItem(item)
    }

    // MARK: - Deliveries

    func recordDelivery(
        _ event: AgentEvent, _ token: Bytes, _ delivery: MemberDelivery, _ member: GroupMember, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        let events = try context.commit(event) { try noteDelivery(token, delivery, member, profile) }
        // The time of a disappearing message begins when it leaves the outbox.
        try expiry.schedule()
        return events
    }

    /// Notes what became of an entry at a member, and of the entry as a whole.
    func noteDelivery(
        _ token: Bytes, _ delivery: MemberDelivery, _ member: GroupMember, _ profile: OwnProfile
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

extension GroupMember {
    /// True if it takes several messages in one payload.
    fileprivate var takesBatches: Bool { ChatVersion.allowsBatches(to: role, versions.max) }
}
