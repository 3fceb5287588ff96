import AgentProtocol
import ByteCoding
import ChatProtocol

/// Messages that moderators take away, and reports to them.
extension Conversations {
    /// Takes messages of members away, for all members.
    func moderate(_ ids: [ChatItemID], in chat: ChatTarget) throws -> ItemsDeleted {
        _ = try agent
        let group = try lookup.group(chat), membership = group.membership
        let items = try known(ids, of: .group(group))
        for item in items {
            let author = item.direction == .sent ? membership : item.group?.author
            guard let author, item.content.isMessage || item.content == .moderated, item.sharedID != nil,
                author.role <= membership.role
            else { throw ChatError.notChangeable(item.id, .notOwn, .delete) }
        }
        guard membership.role >= .moderator else { throw ChatError.inGroup(.role(group, required: .moderator)) }
        try checkMember(group)
        let time = now, profile = try lookup.profile(group.profileID)
        var numbers: [Int64] = [], events: [any ChatEvent] = []
        try store.transaction {
            var messages: [GroupMemberID?: [ChatMessage]] = [:]
            for item in items {
                guard let id = item.sharedID else { continue }
                let author = item.group?.author ?? membership
                if item.direction == .sent { try store.revokeFile(of: item) }
                _ = try moderate(item, by: membership, in: group, at: time)
                let deletion = MessageDeletion(
                    id, of: author.memberID,
                    scope: try scope(of: item.supportID, in: ConversationPolicy(.group(group))))
                messages[item.supportID, default: []].append(
                    ChatMessage(id: newSharedID(), event: .deletion(deletion)))
                if let event = try settleReports(of: item.id, by: membership, in: group, profile, at: time) {
                    events.append(event)
                }
            }
            for (supportID, messages) in messages {
                let support = try supportID.flatMap { try store.member($0) }
                numbers += try enqueue(messages, to: try recipients(of: group.supporting(support)), of: group)
            }
        }
        for number in numbers { try handOver(number) }
        for event in events { tell(event) }
        let deleted = try items.map { item in
            let before = try lookup.locate([item])[0]
            return DeletedItem(before: before, after: LocatedItem(chat: before.chat, item: try lookup.item(item.id)))
        }
        return ItemsDeleted(profile: profile, deleted: deleted)
    }

    /// Takes away all entries of a member that is removed together with them. Must be called within a transaction.
    ///
    /// - Parameters:
    ///   - author: The member; nil for the user.
    ///   - moderator: Who removes it.
    func takeMessages(of author: GroupMember?, by moderator: GroupMember, in group: Group, at time: Timestamp) throws {
        for item in try store.messages(by: author?.id, in: group.id) {
            guard try !moderate(item, by: moderator, in: group, at: time), !item.content.isMessage else { continue }
            try store.mark(item, .moderated, by: moderator.id, at: time)
        }
    }

    // MARK: - Reports

    /// Marks the reports of a message as settled once a moderator has taken it away.
    func settleReports(
        of id: ChatItemID, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws {
        let event = try settleReports(of: id, by: message.author, in: message.group, message.profile, at: message.time)
        if let event { consequences.events.append(event) }
    }

    private func settleReports(
        of id: ChatItemID?, by moderator: GroupMember, in group: Group, _ profile: OwnProfile, at time: Timestamp
    ) throws -> (any ChatEvent)? {
        let reports = try store.openReports(of: id, in: group.id)
        guard !reports.isEmpty else { return nil }
        for report in reports {
            try store.mark(
                try lookup.item(report), .moderated, by: moderator.id, at: time)
        }
        return GroupItemsDeletedEvent(
            profile: profile, group: try store.group(group.id) ?? group, items: reports, isByUser: moderator.isUser,
            member: moderator.isUser ? nil : moderator)
    }

    /// Marks all reports of a group as settled, here only.
    func archiveReports(in chat: ChatTarget) throws -> ReportsArchived {
        let group = try moderated(chat), time = now
        let reports = try store.openReports(of: nil, in: group.id)
        try store.transaction {
            for report in reports { try store.mark(try lookup.item(report), nil, by: nil, at: time) }
        }
        return ReportsArchived(
            profile: try lookup.profile(group.profileID), group: try lookup.group(.reference(.group(group.id))),
            items: reports, member: group.membership)
    }

    /// Removes reports here, and at the other moderators if they are to be told that they are settled.
    func deleteReports(_ ids: [ChatItemID], _ mode: DeletionMode, in chat: ChatTarget) throws -> ItemsDeleted {
        let group = try moderated(chat)
        let items = try ids.uniqued.map { id in
            let item = try item(id, of: .group(group))
            guard item.content.isReport, item.direction == .received else {
                throw ChatError.notChangeable(id, .noMessage, .delete)
            }
            return item
        }
        let located = try lookup.locate(items), time = now
        var numbers: [Int64] = []
        try store.transaction {
            for item in items {
                switch mode {
                case .internal: try store.removeItem(item)
                case .internalMark: try store.mark(item, nil, by: nil, at: time)
                case .history: throw ChatError.notChangeable(item.id, .notAllowed, .delete)
                case .broadcast:
                    guard let id = item.sharedID, let author = item.group?.author else { continue }
                    let deletion = MessageDeletion(
                        id, of: author.memberID,
                        scope: try scope(of: item.supportID, in: ConversationPolicy(.group(group))))
                    let moderators = try store.members(of: group.id).filter {
                        $0.status.isCurrent && $0.role >= .moderator
                    }
                    numbers += try enqueue(.deletion(deletion), to: moderators, of: group)
                    try store.mark(item, .moderated, by: group.membership.id, at: time)
                }
            }
        }
        for number in numbers { try handOver(number) }
        return ItemsDeleted(profile: try lookup.profile(group.profileID), deleted: try deleted(located))
    }

    /// A group of which the user is a moderator.
    func moderated(_ chat: ChatTarget) throws -> Group {
        let group = try lookup.group(chat)
        guard group.membership.role >= .moderator else {
            throw ChatError.inGroup(.role(group, required: .moderator))
        }
        return group
    }
}
