import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore

/// What follows from something that members sent, beside what is written in its transaction.
struct GroupConsequences {
    /// What programs and people are told.
    var events: [any ChatEvent] = []
    /// New entries, which are told in one event before the others.
    var items: [LocatedItem] = []
    /// The payloads for members that were stored, see ``Groups/conversations.enqueue(_:to:of:item:)``.
    var messages: [Int64] = []
    /// What members that are not connected with each other get through the user, by the members that get it.
    var forwards: [GroupMemberID: [ChatMessage]] = [:]
    /// The connections that the agent has to forget, once their last messages are delivered.
    var deletions: [ConnectionID] = []
    /// Why some of it changes nothing, each reason once.
    var refusals: Set<GroupRefusal> = []
    /// What else has to be done once the transaction is on disk. It must not matter whether it is done twice, and a crash before it
    /// must be made good by ``Groups/retryPending()``.
    var actions: [() throws -> Void] = []
}

/// A message of a member on its way into the store.
struct MemberMessage {
    /// The id of the message that all members know; nil for a message without one.
    let id: SharedMessageID?
    let event: ChatMessage.Event
    /// The bytes as the author made them.
    let bytes: Bytes
    /// Its signature, which is not verified yet; nil for an unsigned message.
    var signature: ElementSignature?
    /// Who wrote it.
    let author: GroupMember
    /// The member that passed it on; nil if it came from its author.
    let forwarder: GroupMember?
    /// When it was sent, by the clock of a relay.
    var time: Timestamp
    let group: Group
    let profile: OwnProfile
    /// True for a post of a channel itself. Its author is then the owner that sent it or, for a post that a relay passed on, the
    /// relay with the role of an owner.
    var isFromGroup = false
    /// What is known of the signature, once it is verified; nil for an unsigned message.
    var signatureStatus: SignatureStatus?

    /// The id under which the message is kept: that of its author, or that of the channel for a post of the channel.
    var writerID: MemberID {
        guard isFromGroup, let channel = group.channel, let id = MemberID(channel.publicID) else {
            return author.memberID
        }
        return id
    }

    /// The member under which arrivals are noted. The user's own messages are not noted, so the user stands for the channel.
    var arrivalID: GroupMemberID { isFromGroup ? group.membership.id : author.id }
}

/// Receiving from members.
extension Groups {
    /// Records the messages of a payload of a member.
    func recordPayload(
        _ event: AgentEvent, _ received: ReceivedMessage, from member: GroupMember, _ group: Group,
        _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        let elements = ChatPayload.elements(of: received.body)
        var consequences = GroupConsequences()
        _ = try context.commit(event) {
            if let connection = member.connection {
                consequences.events += try connector.clearErrors(connection)
                // Who writes reads too.
                if connection.isInactive { consequences.messages += try release(for: member.id) }
            }
            for element in elements {
                // Each element may change the group and the member for the next one.
                guard let member = try store.member(member.id), let group = try store.group(group.id) else { break }
                try record(element, from: member, at: received.relayTime, group, profile, &consequences)
            }
            try enqueueForwards(&consequences, in: group.id)
            return events(of: consequences, profile)
        }
        if conversations.wantsReceipt(elements, in: .group(group), profile) { try agent.confirm(event) }
        try carryOut(consequences)
        try expiry.schedule()
        return events(of: consequences, profile)
    }

    /// Records one element of a payload. Elements that cannot be read leave one entry together, and the others are not affected.
    private func record(
        _ element: ChatElement, from member: GroupMember, at time: Timestamp, _ group: Group, _ profile: OwnProfile,
        _ consequences: inout GroupConsequences
    ) throws {
        let event: ChatMessage.Event, id: SharedMessageID?
        switch element.content {
        case .success(.message(let message)):
            if message.versions != member.versions { try store.update(member.id, versions: message.versions) }
            event = message.event
            id = message.id
        // A chunk has no author: it belongs to what the sender sent.
        case .success(.chunk(let piece)):
            if try recordRosterChunk(piece, from: member, group, profile, &consequences) { return }
            consequences.events += try conversations.record(piece, from: member, group, profile)
            return
        case .success(.forwarded(let forwarded, let original)):
            guard let message = ForwardedMessage(forwarded, original) else {
                return try record(original, from: member, at: time, group, profile, &consequences)
            }
            event = .group(.forwarded(message))
            id = nil
        case .failure:
            guard consequences.refusals.insert(.malformed).inserted else { return }
            return try insert(.undecryptable(.malformed), by: member, at: time, in: group, &consequences)
        }
        try record(
            MemberMessage(
                id: id, event: event, bytes: element.bytes, signature: element.signature, author: member,
                forwarder: nil, time: time, group: group, profile: profile),
            &consequences)
    }

    /// Notes in the conversation that something of a member was refused, unless the user sees nothing of the member.
    private func insert(
        _ content: ChatItem.Content, by author: GroupMember, at time: Timestamp, in group: Group,
        _ consequences: inout GroupConsequences
    ) throws {
        guard author.showsMessages, !author.isBlockedForAll, !author.status.isGone,
            !group.membership.status.isGone
        else { return }
        var entry = GroupEntry(author: author)
        entry.supportID =
            author.status.isPending
            ? author.id : group.membership.status.isPending ? group.membership.id : nil
        let id = try store.insertItem(
            NewItem(content: content, direction: .received, time: time, entry: entry), in: .group(group.id), at: now)
        let item = try lookup.item(id)
        let chat = try lookup.scope(try lookup.chat(.group(group.id)), of: item)
        consequences.items.append(LocatedItem(chat: chat, item: item))
    }

    /// Records one message, which came from its author or through another member.
    func record(_ message: MemberMessage, _ consequences: inout GroupConsequences) throws {
        guard case .accepted(let signature) = message.verification else {
            consequences.refusals.insert(.signature)
            return try insert(
                .groupEvent(.badSignature), by: message.author, at: message.time, in: message.group, &consequences)
        }
        var message = message
        message.signatureStatus = signature
        if message.event.isFromGroup, message.group.isChannel {
            guard message.author.role == .owner else {
                consequences.refusals.insert(.role)
                return
            }
            message.isFromGroup = true
        }
        guard try isNew(message, &consequences) else { return }
        // SECURITY: before anything is kept. What is refused here may still come by another way.
        if let refusal = try refusal(of: message) {
            consequences.refusals.insert(refusal)
            return
        }
        try note(message)
        // All that members of a channel write comes through relays.
        if !message.group.isChannel {
            message.time = try store.orderedTime(
                message.time, of: message.author.id, isForwarded: message.forwarder != nil)
        }
        do {
            let audience = try audience(of: message)
            let isPost = try message.group.isServedByUser && isPost(message)
            if case .group(.forwarded(let forwarded), _) = message.event {
                return try recordForwarded(forwarded, message, &consequences)
            }
            let isForMembers =
                try recordMembership(message, &consequences)
                || conversations.recordContent(IncomingMessage(message), &consequences)
            guard isForMembers else { return }
            if message.group.isServedByUser {
                try relay(message, to: audience, isPost: isPost, &consequences)
            } else {
                try forward(message, to: audience, &consequences)
            }
        } catch let refusal as GroupRefusal {
            let isNewRefusal = consequences.refusals.insert(refusal).inserted
            if refusal == .signature, isNewRefusal {
                try insert(
                    .groupEvent(.badSignature), by: message.author, at: message.time, in: message.group, &consequences)
            }
        }
    }

    /// Does what has to be done outside of the transaction.
    func carryOut(_ consequences: GroupConsequences) throws {
        for number in consequences.messages { try conversations.handOver(number) }
        for action in consequences.actions { try action() }
        for id in consequences.deletions { try agent.delete(id) }
    }

    func events(of consequences: GroupConsequences, _ profile: OwnProfile) -> [any ChatEvent] {
        let refusals = consequences.refusals.filter(\.isReported).sorted { $0.rawValue < $1.rawValue }.map { refusal in
            MessageUnusableEvent(profile: profile, connection: nil, severity: .error, reason: refusal.rawValue)
        }
        guard !consequences.items.isEmpty else { return consequences.events + refusals }
        return [NewItemsEvent(profile: profile, items: consequences.items)] + consequences.events + refusals
    }
}
