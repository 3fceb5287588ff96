import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding

/// Passing on what members of a channel write (network-7.md 9.7).
///
/// What is passed on is a task, in the transaction of the message. Tasks for the same members are packed into jobs, which go to the
/// members in the order of their numbers. The agent takes a payload for a member only once, so that nothing is lost or comes twice
/// however often the program ends.
extension Groups {
    // MARK: - Tasks

    /// Notes that a message is passed on, unless it is not one that relays pass on.
    ///
    /// - Parameter isPost: True if it is passed on as a post of the channel, without its author.
    func relay(
        _ message: MemberMessage, to audience: Audience, isPost: Bool, _ consequences: inout GroupConsequences
    ) throws {
        if case .all = audience { try keepOriginal(of: message, isPost: isPost) }
        guard message.forwarder == nil, message.event.isRelayed, let group = try store.group(message.group.id)
        else { return }
        // A message for which a member was removed or blocked is not passed on.
        guard !message.author.isBlockedForAll else { return }
        let supportID: GroupMemberID?
        switch audience {
        case .none: return
        case .all: supportID = nil
        case .support(let id):
            guard let member = try store.member(id, in: group.id) else { return }
            supportID = member.id
        }
        let isLast = message.event.endsService(of: group.membership.memberID)
        guard group.serves || isLast else { return }
        if isLast { try store.removeRelaying(of: group.id) }
        relayActivity.messages += 1
        try store.insert(
            RelayTask(
                groupID: group.id, supportID: supportID, senderID: message.author.id,
                element: Groups.element(message.relayed, of: isPost ? nil : message.author, at: message.time),
                isLast: isLast))
        consequences.actions.append { [weak self] in self?.relaySoon() }
    }

    /// Keeps what the author of an entry has signed, for those that come later (network-7.md 9.10).
    private func keepOriginal(of message: MemberMessage, isPost: Bool) throws {
        guard message.signatureStatus == .verified else { return }
        let id: SharedMessageID?
        switch message.event {
        case .message: id = message.id
        case .update(let update) where !update.isLive: id = update.id
        default: return
        }
        guard let id else { return }
        let item =
            isPost
            ? try store.post(id, in: message.group.id)
            : try store.item(id, by: message.author.id, in: message.group.id)
        // An edit that a later one has overtaken changes nothing.
        guard let item, item.editedAt.map({ $0 == message.time }) ?? true else { return }
        try store.setOriginal(message.relayed, of: item.id)
    }

    /// True if a message is a post of the channel: an owner wrote it so, or it is about such a post.
    func isPost(_ message: MemberMessage) throws -> Bool {
        guard !message.isFromGroup, message.author.role == .owner else { return message.isFromGroup }
        return switch message.event {
        case .deletion(let deletion):
            try deletion.memberID == nil && store.post(deletion.id, in: message.group.id) != nil
        case .fileDescription(let part): try store.post(part.messageID, in: message.group.id) != nil
        case .fileCancelled(let id, _): try store.post(id, in: message.group.id) != nil
        default: false
        }
    }

    // MARK: - Jobs

    /// For how long messages are collected that are passed on together.
    private static let collection = Duration.milliseconds(20)
    /// The most members that get a payload in one transaction.
    private static let page = 64
    /// The most pages before the program does other things.
    private static let mostPages = 16

    /// Passes on what is noted, in a moment.
    private func relaySoon() {
        guard !isRelaying else { return }
        isRelaying = true
        _ = context.after(Groups.collection) { [weak self] in
            self?.isRelaying = false
            try self?.relayAll()
        }
    }

    /// Passes on what is noted, or a part of it and the rest in a moment.
    func relayAll() throws {
        for _ in 0..<Groups.mostPages {
            guard try relayNext() else { return }
        }
        relaySoon()
    }

    /// Passes on all that is noted, before the user leaves a channel.
    func relayRest() throws {
        while try relayNext() {}
    }

    /// Passes on a page of the oldest job, or makes the next job. Returns false if nothing is noted.
    private func relayNext() throws -> Bool {
        guard let job = try store.nextRelayJob() else { return try pack() }
        try relayPage(of: job)
        return true
    }

    /// Makes a job of the first tasks. Returns false if there are none.
    private func pack() throws -> Bool {
        let tasks = try store.nextRelayTasks(ChatLimit.elements)
        guard !tasks.isEmpty else { return false }
        var batch = BinaryBatch(), packed: [RelayTask] = []
        try store.transaction {
            for (number, task) in tasks {
                // An element that is too large for any payload is left out.
                if task.element.count <= batch.largestElement {
                    guard batch.append(task.element) else { break }
                    packed.append(task)
                }
                try store.removeRelayTask(number)
            }
            if let body = batch.payload {
                try store.insertRelayJob(
                    body, of: packed, token: context.environment.random.bytes(Groups.tokenSize))
            }
        }
        return true
    }

    /// The size of the random part of a token, in bytes.
    private static let tokenSize = 16

    /// Passes a job on to some members.
    private func relayPage(of job: RelayJob) throws {
        guard let group = try store.group(job.groupID), group.serves || job.isLast else {
            return try store.transaction { try store.removeRelayJob(job.number) }
        }
        let page = try recipients(of: job, in: group)
        let senders = try Dictionary(
            uniqueKeysWithValues: unknownSenders(of: job, in: group).map { sender in
                (sender.id, (sender: sender, told: try store.told(of: sender.id, from: group.membership.id)))
            })
        let introductions = senders.values.sorted { $0.sender.id.number < $1.sender.id.number }.map { sender, _ in
            Introduction(sender)
        }
        let ready = page.members.filter(\.isReady)
        let bodies = bodies(for: ready, job, introductions, senders.mapValues(\.told))
        // The first payload that a member has to wait for.
        var waiting: [GroupMemberID: Int] = [:]
        for member in ready where try isWaiting(member) { waiting[member.id] = 0 }
        for (payloads, members) in bodies {
            let rest = try relay(payloads, job, to: members.filter { waiting[$0.id] == nil })
            waiting.merge(rest) { first, _ in first }
        }
        try store.transaction {
            for (payloads, members) in bodies {
                for (index, payload) in payloads.enumerated() {
                    try keep(
                        payload, index, job,
                        for: members.map(\.id).filter { waiting[$0].map { $0 <= index } ?? false }, in: group)
                }
            }
            for (id, sender) in senders {
                var told = sender.told
                for member in ready where member.id != id { told.insert(member.id) }
                if told != sender.told { try store.setTold(told, of: id) }
            }
            if let last = page.last { try store.setCursor(last, ofRelayJob: job.number) }
        }
        guard page.isLast else { return }
        var consequences = GroupConsequences()
        try store.transaction {
            try store.removeRelayJob(job.number)
            if job.isLast { try end(group, as: group.membership.status, &consequences) }
        }
        try carryOut(consequences)
    }

    /// The members that get a job now, without the only member that wrote it.
    private func recipients(
        of job: RelayJob, in group: Group
    ) throws -> (members: [GroupMember], last: GroupMemberID?, isLast: Bool) {
        let author = job.senderIDs.count == 1 ? job.senderIDs.first : nil
        if let supportID = job.supportID {
            let members = try store.members(of: group.id).filter { member in
                member.id == supportID
                    || member.role >= .moderator && member.versions.max >= ChatVersion.messageScopes
            }
            return (members.filter { $0.id != author && $0.status.isCurrent }, nil, true)
        }
        let ids = try store.members(of: group.id, after: job.cursor, Groups.page)
        let members = try ids.filter { $0 != author }.compactMap { try store.member($0) }
        return (members, ids.last, ids.count < Groups.page)
    }

    /// The senders of a job that some members may not know. Owners are known to all.
    private func unknownSenders(of job: RelayJob, in group: Group) throws -> [GroupMember] {
        guard job.supportID == nil else { return [] }
        return try job.senderIDs.compactMap { try store.member($0) }.filter {
            $0.role != .owner && $0.status != .removed && $0.status != .left
        }
    }

    /// What members are told of a sender before they get something of it.
    private struct Introduction {
        let id: GroupMemberID
        let element: Bytes
        let hasImage: Bool

        init(_ sender: GroupMember) {
            id = sender.id
            element = ChatMessage(event: .group(.memberJoined(Groups.channelInfo(sender)))).encoded
            hasImage = sender.profile.image != nil
        }
    }

    /// The payloads for each group of members that know the same senders.
    private func bodies(
        for members: [GroupMember], _ job: RelayJob, _ introductions: [Introduction],
        _ told: [GroupMemberID: MemberSet]
    ) -> [([Bytes], [GroupMember])] {
        guard !introductions.isEmpty else { return [([job.body], members)] }
        let ordered = introductions.filter { !$0.hasImage } + introductions.filter(\.hasImage)
        let unknown = Dictionary(grouping: members) { member in
            ordered.map(\.id).filter { $0 != member.id && told[$0]?.contains(member.id) != true }
        }
        return unknown.map { ids, members in
            guard !ids.isEmpty, let batch = try? BinaryBatch(decoding: job.body) else { return ([job.body], members) }
            let before = ordered.filter { ids.contains($0.id) }.map(\.element)
            return (batch.preceded(by: before).compactMap(\.payload), members)
        }
    }

    /// True for a member whose queue is full, or that waits for earlier messages.
    private func isWaiting(_ member: GroupMember) throws -> Bool {
        try member.connection?.isInactive == true || !store.pendingGroupMessages(for: member.id).isEmpty
    }

    /// Hands payloads to the agent, which takes each only once.
    ///
    /// - Returns: The members that cannot be sent to now, with the first payload that they have not got. A member whose connection
    ///   is lost gets what it missed when it joins again.
    private func relay(
        _ payloads: [Bytes], _ job: RelayJob, to members: [GroupMember]
    ) throws -> [GroupMemberID: Int] {
        let agent = try agent
        var rest: [GroupMemberID: Int] = [:]
        for (index, payload) in payloads.enumerated() {
            let reached = members.filter { $0.connection != nil && rest[$0.id] == nil }
            guard !reached.isEmpty else { break }
            let failures = try agent.send(
                payload, notifies: false, token: Groups.token(of: index, job), to: reached.compactMap(\.connection?.id))
            relayActivity.deliveries += failures.count(where: { $0 == nil })
            for (member, failure) in zip(reached, failures) where failure == .connection(.outOfStep) {
                rest[member.id] = index
            }
        }
        return rest
    }

    /// Stores a payload for members that wait. Must be called within a transaction.
    private func keep(
        _ payload: Bytes, _ index: Int, _ job: RelayJob, for members: [GroupMemberID], in group: Group
    ) throws {
        guard !members.isEmpty else { return }
        _ = try store.insertGroupMessage(
            payload, token: Groups.token(of: index, job), notifies: false, items: [], of: group.id,
            to: members.map { ($0, .inactive) }, at: now)
    }

    private static func token(of payload: Int, _ job: RelayJob) -> Bytes { job.token + [UInt8(clamping: payload)] }
}

extension MemberMessage {
    /// The element as its author made it, with its signature.
    var relayed: Bytes { signature?.encoded ?? bytes }
}

extension ChatMessage.Event {
    /// True for an event that relays pass on (network-7.md 9.7).
    fileprivate var isRelayed: Bool {
        switch self {
        // Newcomers get it, and those that ask for it.
        case .group(.roster, _): false
        // Only relays keep a history.
        case .deletion(let deletion): !deletion.isHistoryOnly
        default: isForwardable
        }
    }

    /// True if a relay serves no longer after the event.
    ///
    /// - Parameter relayID: The id of the relay as a member.
    fileprivate func endsService(of relayID: MemberID) -> Bool {
        switch self {
        case .group(.groupDeleted, _), .group(.memberRemoved(relayID, removesMessages: _), _): true
        default: false
        }
    }
}
