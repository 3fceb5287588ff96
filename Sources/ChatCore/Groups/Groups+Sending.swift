import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// Messages of the user to groups, and changes of them.
///
/// A message is stored together with what is to become of it at each member, and given to the agent then.
extension Groups {
    /// Sends messages to a group. Messages that were sent with the same key before are not sent again.
    func send(_ command: SendMessages) throws -> MessagesSent {
        let group = try lookup.group(command.chat), chat = Chat.group(group)
        let profile = try lookup.profile(group.profileID)
        if let sent = try sender.sentBefore(command, to: chat, profile) { return sent }
        try sender.check(command, in: chat)
        try checkRole(group)
        let scope = try scope(of: group.supportID, in: group)
        let drafts = try command.messages.flatMap { message in
            let container = MessageContainer(
                message.content, ttl: expiry.ttl(command.ttl, in: chat), isLive: command.isLive,
                quote: try message.quoted.map { try quote($0, in: group, for: message.content) },
                mentions: try mentions(message.mentions, in: message.content.text, of: group), scope: scope)
            return try sender.drafts(container, with: message.file, isSplit: command.isSplit, in: chat)
        }
        return .newItems(profile, try write(drafts, once: command.once, to: group))
    }

    /// Passes messages of another conversation on in a group.
    func forward(
        _ ids: [ChatItemID], from source: ChatTarget, to chat: ChatTarget, ttl: Int64?
    ) throws -> NewChatItems {
        let group = try lookup.group(chat)
        let drafts = try sender.drafts(forwarding: ids, from: source, to: .group(group), ttl: ttl)
        let scope = try scope(of: group.supportID, in: group)
        let scoped = drafts.map { draft in
            Sender.Draft(
                container: MessageContainer(
                    draft.container.content, ttl: draft.container.ttl, isForwarded: true,
                    mentions: draft.container.mentions, scope: scope
                ).with(draft.file?.invitation),
                source: draft.source, file: draft.file)
        }
        return NewChatItems(
            profile: try lookup.profile(group.profileID),
            items: scoped.isEmpty ? [] : try write(scoped, once: nil, to: group))
    }

    /// Sends a report about a message to the moderators, in the user's conversation with them.
    func report(
        _ id: ChatItemID, _ reason: ReportReason, _ text: String, in chat: ChatTarget
    ) throws -> NewChatItems {
        let group = try lookup.group(chat)
        let own = group.supporting(group.membership), content = MessageContent(text, kind: .report(reason))
        let container = MessageContainer(
            content, quote: try quote(id, in: own, for: content),
            scope: .support(group.membership.memberID))
        return NewChatItems(
            profile: try lookup.profile(group.profileID),
            items: try write([Sender.Draft(container: container)], once: nil, to: own))
    }

    private func write(_ drafts: [Sender.Draft], once key: String?, to group: Group) throws -> [LocatedItem] {
        _ = try agent
        try checkRole(group)
        for draft in drafts {
            try checkFeatures(draft.container.content, hasFile: draft.file != nil, in: group)
        }
        let members = try recipients(of: group)
        guard !drafts.isEmpty else { throw ChatError.emptyMessage }
        let messages = drafts.map { draft in
            ChatMessage(id: sender.newSharedID(), event: .message(draft.container))
        }
        for message in messages { try checkSize(message) }
        let time = now
        var numbers: [Int64] = []
        let ids = try store.transaction {
            let ids = try zip(messages, drafts).map { message, draft in
                try insert(draft, message.id, in: group, at: time)
            }
            if group.supportID == nil, let changed = try changedPresentation(in: group) {
                numbers = try enqueue([changed], to: members, of: group)
                try store.setProfileSent(group.id, at: time)
            }
            numbers += try enqueue(messages, to: members, of: group, items: ids)
            for id in ids {
                let status = try store.deliveries(of: id).isEmpty ? .sendSent : status(of: id)
                if status != .sendNew { try store.update(id, status: status) }
                try store.startTimer(of: id, at: time)
            }
            if let key, let first = ids.first, let last = ids.last {
                try store.note(key: key, for: first, through: last, to: .group(group.id), at: time)
            }
            return ids
        }
        for number in numbers { try handOver(number) }
        if drafts.contains(where: { $0.file != nil }) { sender.files.handOverSoon() }
        try expiry.schedule()
        return try lookup.locate(try ids.map { try lookup.item($0) })
    }

    private func insert(
        _ draft: Sender.Draft, _ id: SharedMessageID?, in group: Group, at time: Timestamp
    ) throws -> ChatItemID {
        let container = draft.container
        var entry = GroupEntry()
        entry.supportID = group.supportID
        if let author = container.quote?.reference.memberID, author != group.membership.memberID {
            entry.quotedAuthor = try store.member(author, in: group.id)
        }
        for (name, id) in container.mentions.members {
            entry.mentions[name] = GroupEntry.Mention(
                memberID: id, member: try store.member(id, in: group.id).map(GroupEntry.Mention.Reference.init))
        }
        let itemID = try store.insertItem(
            NewGroupItem(
                content: .message(container.content), direction: .sent, sharedID: id, quote: container.quote,
                isForwarded: container.isForwarded, source: draft.source, ttl: container.ttl,
                isLive: container.isLive, time: time, entry: entry), in: group.id, at: time)
        if let file = draft.file { try sender.files.insert(file, of: itemID, in: .group(group)) }
        return itemID
    }

    private func checkSize(_ message: ChatMessage) throws(ChatError) {
        let size = message.encoded.count
        guard size <= ChatLimit.message else { throw .messageTooLarge(size: size, limit: ChatLimit.message) }
    }

    // MARK: - Who may write, and who gets it

    /// Throws unless the role of the user lets it write in a group, or in the conversation that is meant.
    func checkRole(_ group: Group) throws(ChatError) {
        let required: GroupRole? =
            switch group.support {
            case nil: .author
            case .own: group.membership.status.isPending ? nil : .observer
            case .member: .moderator
            }
        if let required, group.membership.role < required { throw .inGroup(.role(group, required: required)) }
    }

    /// Throws unless the user is in a group.
    func checkMember(_ group: Group) throws(ChatError) {
        let status = group.membership.status
        guard status.isCurrent, status.isActive else { throw .inGroup(.notCurrentMember) }
    }

    private func checkFeatures(_ content: MessageContent, hasFile: Bool, in group: Group) throws(ChatError) {
        let feature = prohibited(
            content, hasFile: hasFile, role: group.membership.role, in: group, isSupport: group.support != nil,
            isNewSupport: group.beginsSupport,
            isAdmission: isAdmission(group))
        if let feature { throw .inGroup(.feature(feature)) }
    }

    /// True for the conversation with a member that waits for its admission, and that accepts voice messages there.
    private func isAdmission(_ group: Group) -> Bool {
        guard case .member(let member)? = group.support, group.membership.role >= .admin else { return false }
        return member.status == .pendingApproval && member.versions.max >= ChatVersion.admissionVoice
    }

    /// The members that get what the user writes in a group, or in the conversation that is meant.
    func recipients(of group: Group) throws -> [GroupMember] {
        let members = try store.members(of: group.id)
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

    /// The part of a group that a message of a conversation with the moderators names.
    func scope(of id: GroupMemberID?, in group: Group) throws -> MessageScope? {
        guard let id else { return nil }
        if id == group.membership.id { return .support(group.membership.memberID) }
        return .support(try lookup.member(id, of: group).memberID)
    }

    // MARK: - Quotes and mentions

    /// The quote of a message: a reference to it with its author, and its text in case others do not have it.
    private func quote(_ id: ChatItemID, in group: Group, for content: MessageContent) throws -> Quote {
        let item = try item(id, of: group)
        guard case .message(let quoted) = item.content, let sharedID = item.sharedID else {
            throw ChatError.notChangeable(id, .noMessage, .quote)
        }
        guard item.deletedAt == nil else { throw ChatError.notChangeable(id, .deleted, .quote) }
        // SECURITY: others must not read here what was said to the moderators.
        let isReport = if case .report = content.kind { true } else { false }
        guard isReport || item.group?.supportID == nil || item.group?.supportID == group.supportID else {
            throw ChatError.itemNotFound(id)
        }
        let author = item.group?.author?.memberID ?? group.membership.memberID
        let reference = MessageReference(
            id: sharedID, sentAt: WireTime(item.time), isOwn: item.direction == .sent, memberID: author)
        return Quote(reference, content: Sender.quoted(quoted, of: item, for: content))
    }

    /// The members that an own message mentions: those whose names are in the text.
    func mentions(
        _ members: [String: GroupMemberID], in text: String, of group: Group
    ) throws -> Mentions {
        guard members.count <= Mentions.mostSent else { throw ChatError.inGroup(.tooManyMentions) }
        let ids = try members.mapValues { try lookup.member($0, of: group).memberID }
        let names = Set(FormattedText.mentionedNames(in: text))
        return Mentions(ids.filter { names.contains($0.key) })
    }

    // MARK: - Changes

    /// Changes what an own message says.
    ///
    /// - Parameter isLive: Whether a message that is being written is not complete with this.
    func edit(_ command: EditItem) throws -> ItemEdited {
        let named = try lookup.group(command.chat)
        if named.supportID == nil, try store.item(command.item)?.group?.supportID == nil { try checkRole(named) }
        let (group, item) = try changeable(command.item, in: command.chat, to: .edit)
        let content = command.content, id = item.id
        guard case .message(let former) = item.content else { throw ChatError.notChangeable(id, .noMessage, .edit) }
        try sender.checkOwn(item, .edit)
        guard !item.isForwarded else { throw ChatError.notChangeable(id, .forwarded, .edit) }
        if case .report = former.kind { throw ChatError.notChangeable(id, .noMessage, .edit) }
        let wasLive = item.isLive == true, goesOn = wasLive && command.isLive
        let profile = try lookup.profile(group.profileID)
        let mentions = try mentions(command.mentions, in: content.text, of: group)
        let known = (item.group?.mentions ?? [:]).mapValues(\.memberID)
        guard content != former || wasLive || mentions.members != known else {
            return .itemUnchanged(profile, LocatedItem(chat: .group(group), item: item))
        }
        try checkRole(group)
        try checkFeatures(content, hasFile: item.file != nil, in: group)
        let entries = try mentions.members.mapValues { id in
            GroupEntry.Mention(
                memberID: id, member: try store.member(id, in: group.id).map(GroupEntry.Mention.Reference.init))
        }
        let scope = try scope(of: item.group?.supportID, in: group)
        try change(item, in: group) { sharedID in
            .update(
                MessageUpdate(
                    sharedID, content, ttl: item.ttl, isLive: goesOn, mentions: mentions, scope: scope))
        } body: {
            try store.update(item, content: content, isLive: goesOn, at: now, now: now)
            try store.setMentions(entries, of: id)
            if wasLive, !goesOn { try store.startTimer(of: id, at: now) }
        }
        if wasLive, item.ttl != nil { try expiry.schedule() }
        return .itemUpdated(profile, LocatedItem(chat: .group(group), item: try lookup.item(id)))
    }

    func react(_ command: React) throws -> ReactionChanged {
        let (group, item) = try changeable(command.item, in: command.chat, to: .react)
        let reaction = command.reaction, isAdded = command.isAdded, id = item.id
        guard item.content.isMessage else { throw ChatError.notChangeable(id, .noMessage, .react) }
        guard group.preferences.isOn(.reactions) else { throw ChatError.notChangeable(id, .notAllowed, .react) }
        let own = item.reactions.filter { $0.direction == .sent }.map(\.reaction)
        guard own.contains(reaction) != isAdded else {
            throw ChatError.notChangeable(id, isAdded ? .alreadyAdded : .alreadyRemoved, .react)
        }
        guard !isAdded || own.count < Reaction.most else { throw ChatError.notChangeable(id, .tooMany, .react) }
        let author = item.group?.author?.memberID ?? group.membership.memberID
        let scope = try scope(of: item.group?.supportID, in: group)
        try change(item, in: group) { sharedID in
            .reaction(MessageReaction(sharedID, reaction, isAdded: isAdded, of: author, scope: scope))
        } body: {
            if isAdded {
                try store.addReaction(reaction, .sent, to: id)
            } else {
                try store.removeReaction(reaction, .sent, from: id)
            }
        }
        return ReactionChanged(
            profile: try lookup.profile(group.profileID),
            item: LocatedItem(chat: .group(group), item: try lookup.item(id)), reaction: reaction, isAdded: isAdded,
            time: now)
    }

    /// Deletes messages here, or own ones at all members.
    func delete(_ command: DeleteItems) throws -> ItemsDeleted {
        let group = try lookup.group(command.chat)
        let items = try sender.known(command.items, of: .group(group))
        if command.mode == .history, let id = command.items.first {
            throw ChatError.notChangeable(id, .notAllowed, .delete)
        }
        if command.mode == .broadcast {
            for item in items {
                _ = try changeable(item.id, in: command.chat, to: .delete)
                guard item.content.isMessage else { throw ChatError.notChangeable(item.id, .noMessage, .delete) }
                try sender.checkOwn(item, .delete)
            }
        }
        let isFull = group.preferences.allows(.fullDelete, group.membership.role)
        let located = try lookup.locate(items)
        for item in items {
            switch command.mode {
            // The mode for channels was refused before.
            case .internal, .history: try store.transaction { try store.removeItem(item) }
            case .internalMark: try store.transaction { try store.mark(item, nil, by: nil, at: now) }
            case .broadcast: try takeBack(item, in: group, isFull: isFull)
            }
        }
        let deleted = try located.map { before in
            DeletedItem(
                before: before,
                after: try store.item(before.item.id).map { LocatedItem(chat: before.chat, item: $0) })
        }
        return ItemsDeleted(profile: try lookup.profile(group.profileID), deleted: deleted)
    }

    /// Takes an own message away from all members.
    ///
    /// SECURITY: a message in the outbox is not sent only to be taken back.
    private func takeBack(_ item: ChatItem, in group: Group, isFull: Bool) throws {
        let support = try item.group?.supportID.flatMap { try store.member($0) }
        let scope = try scope(of: support?.id, in: group)
        let messages = try isQueued(item) ? store.groupMessages(of: item.id) : nil
        // That it is deleted is on disk before the first member does not get it: after a crash the others are told.
        let deletions = try owe(item, in: group.supporting(support)) { sharedID in
            .deletion(MessageDeletion(sharedID, scope: scope))
        } body: {
            try store.revokeFile(of: item)
            if isFull { try store.removeItem(item) } else { try store.mark(item, nil, by: nil, at: now) }
        }
        guard let messages, try withdraw(messages) else {
            for number in deletions { try handOver(number) }
            return
        }
        try store.transaction {
            for number in deletions { try store.removeGroupMessage(number) }
            try remove(item, messages)
        }
    }

    /// Removes a message that no member has got yet.
    ///
    /// What the user wants is on disk before the first member does not get it: after a crash ``finishDrops()`` goes on.
    ///
    /// - Throws: ``ChatError/notChangeable(_:_:_:)`` if it was sent to somebody.
    func drop(_ item: ChatItem) throws -> ItemsDeleted {
        let before = try lookup.locate([item])[0]
        let messages = try store.groupMessages(of: item.id)
        // Nothing is taken from some if others have it.
        guard try isQueued(item), try messages.allSatisfy({ try !isWithSomebody($0) }) else {
            throw ChatError.notChangeable(item.id, .notQueued, .drop)
        }
        try store.transaction { for message in messages { try store.setWithdrawn(true, message.number) } }
        guard try agent.withdraw(withdrawals(of: messages)) else {
            try store.transaction { for message in messages { try store.setWithdrawn(false, message.number) } }
            throw ChatError.notChangeable(item.id, .notQueued, .drop)
        }
        try store.transaction { try remove(item, messages) }
        return ItemsDeleted(
            profile: try lookup.profile(before.chat.profileID), deleted: [DeletedItem(before: before, after: nil)])
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
    private func isQueued(_ item: ChatItem) throws -> Bool {
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
    private func withdraw(_ messages: [GroupMessage]) throws -> Bool {
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
    private func remove(_ item: ChatItem, _ messages: [GroupMessage]) throws {
        for message in messages { try store.removeGroupMessage(message.number) }
        guard let item = try store.item(item.id) else { return }
        try store.revokeFile(of: item)
        try store.removeItem(item)
    }

    /// A message that all members know, in a group in which they can be told of changes.
    private func changeable(
        _ id: ChatItemID, in chat: ChatTarget, to action: ItemAction
    ) throws -> (Group, ChatItem) {
        _ = try agent
        let named = try lookup.group(chat), item = try item(id, of: named)
        guard item.sharedID != nil else { throw ChatError.notChangeable(id, .noMessage, action) }
        guard item.deletedAt == nil else { throw ChatError.notChangeable(id, .deleted, action) }
        let group = named.supporting(try item.group?.supportID.flatMap { try store.member($0) })
        _ = try recipients(of: group)
        return (group, item)
    }

    /// Changes an entry and owes the members an event about it, in one transaction; then the agent gets the event.
    private func change(
        _ item: ChatItem, in group: Group, _ event: (SharedMessageID) throws -> ChatMessage.Event,
        body: () throws -> Void
    ) throws {
        for number in try owe(item, in: group, event, body: body) { try handOver(number) }
    }

    /// Changes an entry and owes the members an event about it, in one transaction. Returns the numbers of its payloads.
    private func owe(
        _ item: ChatItem, in group: Group, _ event: (SharedMessageID) throws -> ChatMessage.Event,
        body: () throws -> Void
    ) throws -> [Int64] {
        guard let sharedID = item.sharedID else { throw ChatError.notChangeable(item.id, .noMessage, .edit) }
        let message = ChatMessage(id: sender.newSharedID(), event: try event(sharedID))
        // A message that is nested too deeply could not be read again.
        guard (try? ChatMessage(decoding: Bytes(message.json.line.utf8))) != nil else { throw ChatError.commandSyntax }
        try checkSize(message)
        let members = try recipients(of: group)
        return try store.transaction {
            let numbers = try enqueue([message], to: members, of: group)
            try body()
            return numbers
        }
    }

    // MARK: - What became of a message

    /// A message with everything that it said, and what became of it at each member.
    func info(_ id: ChatItemID, in chat: ChatTarget) throws -> ItemInfo {
        var info = try sender.info(id, in: chat)
        if info.item.item.direction == .sent {
            info.deliveries = try store.deliveries(of: id).map {
                ItemInfo.Delivery(member: $0.member, state: $0.delivery)
            }
        }
        return info
    }

    /// The members that gave a message a reaction.
    func members(thatGave reaction: Reaction, to id: ChatItemID, in chat: ChatTarget) throws -> [MemberReaction] {
        let group = try lookup.group(chat), item = try item(id, of: group)
        var members = try store.members(thatGave: reaction, to: id)
        if item.reactions.contains(where: { $0.direction == .sent && $0.reaction == reaction }) {
            members.append(MemberReaction(member: group.membership, time: item.createdAt))
        }
        return members
    }
}
