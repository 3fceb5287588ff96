import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import Store

/// Calls that wait for an answer or go on, and their ends.
///
/// This program carries neither sound nor pictures: it tells of calls, declines them, and passes on what another program needs to
/// carry them.
final class Calls: Collaborator {
    /// The session value that lists the items of these calls, so that they are found without a search.
    private static let pendingKey = "calls"

    let context: CoreContext
    private let sender: Sender
    /// Cancels the timer for the next call that is missed.
    private var cancelTimer: (() -> Void)?

    init(_ context: CoreContext, sender: Sender) {
        self.context = context
        self.sender = sender
    }

    /// The calls of a profile that wait for an answer.
    func waiting(of profile: ProfileID) throws -> [LocatedItem] {
        try pendingCalls().filter { $0.chat.profileID == profile && !isOver($0.item) }
    }

    // MARK: - Steps of contacts

    /// A contact calls, or gives it up. Inside of the transaction of the event.
    ///
    /// Answers and candidates are for the program with the sound: they are told and not stored.
    func record(
        _ call: CallMessage, from contact: Contact, _ profile: OwnProfile, at time: Timestamp,
        _ newItems: inout [LocatedItem]
    ) throws -> (any ChatEvent)? {
        switch call.step {
        case .invitation(let invitation):
            return try recordInvitation(invitation, call.id, from: contact, profile, at: time, &newItems)
        case .end:
            guard let live = try liveCall(call.id, of: contact) else { return nil }
            let state: CallRecord.State = live.item.content.call?.isActive == true ? .ended : .missed
            return CallEndedEvent(profile: profile, call: try settle(live, as: state))
        case .answer(let session):
            guard let live = try liveCall(call.id, of: contact), live.item.content.call?.state == .accepted else {
                return nil
            }
            return CallAnsweredEvent(profile: profile, call: try settle(live, as: .progress), session: session)
        case .extra(let candidates):
            guard let live = try liveCall(call.id, of: contact), live.item.content.call?.isActive == true else {
                return nil
            }
            return CallCandidatesEvent(profile: profile, call: live, candidates: candidates)
        // Only who calls gets offers.
        case .offer: return nil
        }
    }

    private func liveCall(_ id: SharedMessageID, of contact: Contact) throws -> LocatedItem? {
        try liveCalls().first { $0.chat.reference == .direct(contact.id) && $0.item.content.call?.id == id }
    }

    private func recordInvitation(
        _ invitation: CallInvitation, _ id: SharedMessageID, from contact: Contact, _ profile: OwnProfile,
        at time: Timestamp, _ newItems: inout [LocatedItem]
    ) throws -> (any ChatEvent)? {
        let known = try liveCalls()
        guard !known.contains(where: { $0.chat.reference == .direct(contact.id) && $0.item.content.call?.id == id })
        else {
            return nil
        }
        // Who calls again has given the former call up.
        for call in known where call.chat.reference == .direct(contact.id) || isOver(call.item) {
            _ = try settle(call, as: call.item.content.call?.isActive == true ? .ended : .missed)
        }
        let isLate = time + CallRecord.timeout < now
        let record = CallRecord(invitation.type.media, isLate ? .missed : .pending, id: id, key: invitation.key)
        if !profile.isHidden { context.counters.received += 1 }
        let located = try store.insertReceived(.call(record), from: contact, at: time, now: now)
        newItems.append(located)
        guard !isLate else { return nil }
        try note(try liveIDs() + [located.item.id])
        try schedule()
        return CallInvitationEvent(profile: profile, call: located)
    }

    // MARK: - Steps of this side

    /// Takes a call up: the caller gets what its program needs to reach the other one. One call at a time.
    func accept(_ chat: ChatTarget, _ offer: CallOffer) throws -> CallChange {
        let contact = try lookup.contact(chat)
        let profile = try lookup.profile(contact.profileID)
        let call = try store.transaction {
            let live = try liveCalls()
            let call = live.first {
                $0.chat.reference == .direct(contact.id) && $0.item.content.call?.state == .pending
            }
            guard let call, !isOver(call.item) else { throw ChatError.noCall(contact.name) }
            if let other = live.first(where: { $0.item.content.call?.isActive == true }) {
                throw ChatError.callActive(other.chat.name)
            }
            return try settle(call, as: .accepted)
        }
        tell(CallAcceptedEvent(profile: profile, call: call))
        if let id = call.item.content.call?.id { try sender.say(.call(CallMessage(id, .offer(offer))), to: contact.id) }
        return CallChange(.accepted, profile, call)
    }

    func finish(_ chat: ChatTarget, as state: CallRecord.State) throws -> CallChange {
        let contact = try lookup.contact(chat)
        let profile = try lookup.profile(contact.profileID)
        let (call, isOver) = try store.transaction {
            let call = try liveCalls().first {
                $0.chat.reference == .direct(contact.id) && (state == .ended || $0.item.content.call?.state == .pending)
            }
            guard let call else { throw ChatError.noCall(contact.name) }
            let isOver = call.item.content.call?.isActive != true && self.isOver(call.item)
            return (try settle(call, as: isOver ? .missed : state), isOver)
        }
        // Other programs may still show the call.
        tell(CallEndedEvent(profile: profile, call: call))
        guard !isOver else { throw ChatError.noCall(contact.name) }
        if let id = call.item.content.call?.id { try sender.say(.call(CallMessage(id, .end)), to: contact.id) }
        return CallChange(.ended, profile, call)
    }

    // MARK: - Calls that are not over

    private func liveIDs() throws -> [ChatItemID] {
        try (store.sessionValue(Calls.pendingKey) ?? "").split(separator: ",").compactMap { Int64($0) }
            .map { ChatItemID($0) }
    }

    private func note(_ ids: [ChatItemID]) throws {
        let text = ids.map { "\($0.number)" }.joined(separator: ",")
        try store.setSessionValue(Calls.pendingKey, text.isEmpty ? nil : text)
    }

    /// The calls that wait for an answer, also those whose time is over, and the accepted one. Removed items are left out.
    private func liveCalls() throws -> [LocatedItem] {
        try liveIDs().compactMap { id in
            guard let item = try store.item(id), let call = item.content.call, call.state == .pending || call.isActive
            else { return nil }
            return LocatedItem(chat: try lookup.chat(item.chat), item: item)
        }
    }

    private func pendingCalls() throws -> [LocatedItem] {
        try liveCalls().filter { $0.item.content.call?.state == .pending }
    }

    /// Returns true if the time to answer is over, for either side.
    private func isOver(_ item: ChatItem) -> Bool {
        switch item.content.call?.state {
        case .progress: false
        case .accepted: item.time + CallRecord.timeout * 2 < now
        default: item.time + CallRecord.timeout < now
        }
    }

    private func settle(_ call: LocatedItem, as state: CallRecord.State) throws -> LocatedItem {
        guard let record = call.item.content.call else { return call }
        let after = record.becoming(state, at: now)
        try store.update(call.item.id, call: after)
        if !after.isActive { try note(try liveIDs().filter { $0 != call.item.id }) }
        return LocatedItem(chat: call.chat, item: try lookup.item(call.item.id))
    }

    /// Notes which calls came to nothing, tells of them, and comes back when the next one does. Inside of no transaction.
    func settleOver() throws {
        let over = try liveCalls().filter { isOver($0.item) }
        let settled =
            try over.isEmpty
            ? []
            : store.transaction {
                try over.map { try settle($0, as: $0.item.content.call?.isActive == true ? .ended : .missed) }
            }
        for call in settled {
            if let profile = try store.profile(call.chat.profileID) {
                tell(CallEndedEvent(profile: profile, call: call))
            }
        }
        try schedule()
    }

    /// Sets the timer for the next call that is missed.
    private func schedule() throws {
        cancel()
        let ends = try liveCalls().filter { $0.item.content.call?.state != .progress }.map { call in
            (call.item.time + CallRecord.timeout * (call.item.content.call?.isActive == true ? 2 : 1)).milliseconds
        }
        guard let first = ends.min() else { return }
        // A moment later: until then it is not over. Who calls may have a clock that is fast.
        let rest = Duration.milliseconds(first - now.milliseconds + 1)
        cancelTimer = context.after(min(max(rest, .zero), CallRecord.timeout * 3)) { [weak self] in
            try self?.settleOver()
        }
    }

    /// Cancels the timer.
    func cancel() {
        cancelTimer?()
        cancelTimer = nil
    }
}

extension ChatStore {
    fileprivate func update(_ id: ChatItemID, call: CallRecord) throws {
        try database.run("UPDATE items SET content = ? WHERE item_id = ?", call.text, id.number)
    }
}

extension ChatItem.Content {
    /// The call that it is about.
    public var call: CallRecord? {
        if case .call(let record) = self { record } else { nil }
    }
}
