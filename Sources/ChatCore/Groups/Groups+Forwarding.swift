import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// Messages that pass through an admin to members that are not connected with their author (chat.md 4.5).
extension Groups {
    // MARK: - Messages that come twice

    /// Returns false for a message that came before, by whatever way.
    ///
    /// The admin that passed it on although it comes directly too is told that it need not any longer.
    func isNew(_ message: MemberMessage, _ consequences: inout GroupConsequences) throws -> Bool {
        guard let id = message.id, !message.author.isUser else { return true }
        if message.group.isChannel {
            // Several relays pass on the same. Each has a roster of its own to send.
            if case .group(.roster, _) = message.event { return true }
            if case .new = try store.arrival(of: id, by: message.arrivalID) { return true }
            return false
        }
        let passing: GroupMember?
        switch (try store.arrival(of: id, by: message.author.id), message.forwarder) {
        case (.new, _): return true
        case (.direct, let forwarder): passing = forwarder
        case (.forwarded(let forwarder), nil):
            passing = try store.member(forwarder)
            // It was sent to both at once, and has its place among what comes directly.
            if let item = try store.item(id, by: message.author.id, in: message.group.id) {
                let time = try store.orderedTime(message.time, of: message.author.id, isForwarded: false)
                try store.setTime(max(time, item.time), of: item.id)
            }
        case (.forwarded, _): passing = nil
        }
        // Own messages are passed on too, as part of the history.
        if let passing, passing.id != message.author.id {
            consequences.messages += try conversations.enqueue(
                .group(.memberConnected(message.author.memberID)), to: [passing], of: message.group)
        }
        return false
    }

    /// Notes that a message came.
    func note(_ message: MemberMessage) throws {
        guard let id = message.id, !message.author.isUser else { return }
        if message.group.isChannel, case .group(.roster, _) = message.event { return }
        try store.note(id, of: message.arrivalID, through: message.forwarder?.id, at: now)
    }

    // MARK: - Receiving

    /// Records a message that an admin passed on, as one of its author.
    func recordForwarded(
        _ forwarded: ForwardedMessage, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws {
        let group = message.group, forwarder = message.author
        guard let inner = try? forwarded.message() else { throw GroupRefusal.malformed }
        guard inner.event.isForwardable else { throw GroupRefusal.forwardedEvent }
        guard let authorID = forwarded.memberID else {
            guard group.isChannel else { throw GroupRefusal.channelPost }
            guard inner.event.isPost else { throw GroupRefusal.forwardedEvent }
            // The relay has checked that an owner sent it (network-7.md 7.3).
            var author = forwarder
            author.role = .owner
            return try record(
                MemberMessage(
                    id: inner.id, event: inner.event, bytes: message.bytes, author: author, forwarder: forwarder,
                    time: min(forwarded.time.timestamp, now + .seconds(60)), group: group, profile: message.profile,
                    isFromGroup: true), &consequences)
        }
        guard let author = try author(authorID, of: forwarded, inner.event, through: forwarder, in: group) else {
            throw GroupRefusal.unknownMember
        }
        try record(
            MemberMessage(
                id: inner.id, event: inner.event, bytes: message.bytes, signature: forwarded.signature, author: author,
                forwarder: forwarder,
                // SECURITY: nothing comes from the future.
                time: min(forwarded.time.timestamp, now + .seconds(60)), group: group, profile: message.profile),
            &consequences)
    }

    /// The author of a message that was passed on. One that is not known yet becomes a member of which only the name is known.
    private func author(
        _ id: MemberID, of forwarded: ForwardedMessage, _ event: ChatMessage.Event, through forwarder: GroupMember,
        in group: Group
    ) throws -> GroupMember? {
        if let known = try store.member(id, in: group.id) { return known }
        switch event {
        case .group, .other: return nil
        default: break
        }
        guard try hasRoom(group) else { throw GroupRefusal.tooManyMembers }
        let placeholder = id.placeholderName
        let name = forwarded.memberName.flatMap { Profile.DisplayName.localName(for: $0) } ?? placeholder
        let localName = try store.freeName(name, in: group.profileID)
        try store.take(localName, in: group.profileID)
        let member = try store.insertMember(
            ChatStore.NewMember(
                groupID: group.id, memberID: id, role: group.isChannel ? .observer : .author, category: .pre,
                status: .unknown, name: localName,
                profile: Profile(displayName: name), contactID: nil, inviter: .member(forwarder.id),
                versions: forwarder.versions), at: now)
        return try store.member(member)
    }

    // MARK: - Passing on

    /// Notes what members get that the user introduced to the author and that are not connected with it yet.
    func forward(
        _ message: MemberMessage, to audience: Audience, _ consequences: inout GroupConsequences
    ) throws {
        guard message.forwarder == nil, message.group.membership.role >= .admin, message.event.isForwardable,
            audience != .none
        else { return }
        let ids = try store.membersNotConnected(with: message.author.id)
        guard !ids.isEmpty, let forwarded = forwarded(message) else { return }
        for member in try ids.compactMap({ try store.member($0) }) {
            // Who waits to be let in gets what moderators write to it.
            let isOwnScope = audience == .support(member.memberID)
            guard member.status.isCurrent || member.status.isPending && isOwnScope,
                member.versions.max >= ChatVersion.groupForwarding,
                message.event.isForwarded(to: member.memberID, member.role),
                audience == .all || member.role >= .moderator || isOwnScope
            else { continue }
            consequences.forwards[member.id, default: []].append(
                ChatMessage(id: conversations.newSharedID(), event: .group(.forwarded(forwarded))))
        }
    }

    /// A message as it is passed on; nil for what is no JSON.
    func forwarded(_ message: MemberMessage) -> ForwardedMessage? {
        guard let original = try? JSONValue(decoding: message.bytes).object else { return nil }
        return ForwardedMessage(
            original, of: message.author.memberID, named: message.author.profile.displayName,
            at: WireTime(message.time))
    }

    /// Stores what is passed on, the messages of one payload together again.
    func enqueueForwards(_ consequences: inout GroupConsequences, in id: GroupID) throws {
        guard !consequences.forwards.isEmpty, let group = try store.group(id) else { return }
        for (id, messages) in consequences.forwards.sorted(by: { $0.key.number < $1.key.number }) {
            guard let member = try store.member(id) else { continue }
            consequences.messages += try conversations.enqueue(messages, to: [member], of: group)
        }
        consequences.forwards = [:]
    }

    // MARK: - History

    /// The most messages that a new member gets from before (chat.md 4.4).
    private static let longestHistory = 100

    /// Stores what was said before for a new member, and then the welcome message. Must be called within a transaction.
    ///
    /// - Returns: The numbers of the payloads, see ``Conversations/handOver(_:)``.
    func enqueueHistory(for member: GroupMember, of group: Group, withWelcome: Bool = true) throws -> [Int64] {
        var messages: [ChatMessage] = []
        if group.preferences.isOn(.history), member.versions.max >= ChatVersion.groupForwarding {
            messages = try store.history(of: group.id, Groups.longestHistory).flatMap {
                try history(of: $0, in: group)
            }
        }
        if withWelcome, let welcome = group.profile.welcome, !welcome.isEmpty,
            member.versions.max >= ChatVersion.groupWelcome
        {
            messages.append(
                ChatMessage(
                    id: conversations.newSharedID(), event: .message(MessageContainer(MessageContent(welcome)))))
        }
        return try conversations.enqueue(messages, to: [member], of: group)
    }

    /// An entry as it is passed on to a new member, with its file; nothing for one that disappears, or that does not fit.
    private func history(of item: ChatItem, in group: Group) throws -> [ChatMessage] {
        guard case .message(let content) = item.content, let id = item.sharedID, item.ttl == nil else { return [] }
        let author = item.group?.author ?? group.membership
        let mentions = Mentions((item.group?.mentions ?? [:]).mapValues(\.memberID))
        let file = try conversations.history(ofFile: item)
        let original = MessageContainer(
            content, isForwarded: item.isForwarded, quote: item.quote, mentions: mentions
        ).with(file?.invitation)
        func forwarded(_ event: ChatMessage.Event, _ id: SharedMessageID) -> ChatMessage {
            let message = ForwardedMessage(
                ChatMessage(id: id, event: event), of: author.memberID, named: author.profile.displayName,
                at: WireTime(item.time))
            return ChatMessage(id: conversations.newSharedID(), event: .group(.forwarded(message)))
        }
        let messages =
            [forwarded(.message(original), id)]
            + (file?.parts ?? []).map { forwarded($0, conversations.newSharedID()) }
        return messages.allSatisfy { $0.encoded.count <= ChatLimit.forwardingMessage } ? messages : []
    }
}
