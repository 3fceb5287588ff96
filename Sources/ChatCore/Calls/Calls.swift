import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import Store

/// Calls of both sides that wait for an answer or go on, and their ends.
///
/// This program carries neither sound nor pictures: it makes calls, tells of them, declines them, and passes on what another program
/// needs to carry them.
final class Calls: Collaborator {
    /// The session value that lists the items of these calls, so that they are found without a search.
    private static let pendingKey = "calls"

    let context: CoreContext
    private let conversations: Conversations
    /// Cancels the timer for the next call that is missed.
    private var cancelTimer: (() -> Void)?

    init(_ context: CoreContext, conversations: Conversations) {
        self.context = context
        self.conversations = conversations
    }

    /// The calls of contacts of a profile that wait for an answer.
    func waiting(of profile: ProfileID) throws -> [LocatedItem] {
        try pendingCalls().filter {
            $0.item.direction == .received && $0.chat.profileID == profile && !isOver($0.item)
        }
    }

    /// What the program with the sound needs for some calls.
    func agreements(of calls: [LocatedItem]) throws -> [ChatItemID: CallAgreement] {
        var agreements: [ChatItemID: CallAgreement] = [:]
        for call in calls { agreements[call.item.id] = try store.callKeys(of: call.item.id)?.agreement }
        return agreements
    }

    private func agreement(of id: ChatItemID) throws -> CallAgreement {
        try store.callKeys(of: id)?.agreement ?? CallAgreement()
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
            guard let live = try liveCall(call.id, of: contact) else {
                // This side has noticed it already.
                guard let known = try openCalls().first(where: { $0.isCall(call.id, with: contact.id) }) else {
                    return nil
                }
                try forget(known.item.id)
                return CallEndedEvent(profile: profile, call: known)
            }
            let state: CallRecord.State = live.item.content.call?.isActive == true ? .ended : .missed
            return CallEndedEvent(profile: profile, call: try settle(live, as: state))
        case .offer(let offer):
            guard let live = try liveCall(call.id, of: contact), live.item.direction == .sent,
                let record = live.item.content.call, record.state == .pending
            else { return nil }
            if var keys = try store.callKeys(of: live.item.id) {
                keys.agree(with: offer.key)
                try store.setCallKeys(keys, of: live.item.id)
            }
            return CallOfferedEvent(
                profile: profile, call: try settle(live, as: .accepted), type: offer.type, session: offer.session,
                sharedKey: try agreement(of: live.item.id).sharedKey,
                asksConfirmation: record.canEncrypt && !offer.type.canEncrypt)
        case .answer(let session):
            guard let live = try liveCall(call.id, of: contact), live.item.direction == .received,
                live.item.content.call?.state == .accepted
            else { return nil }
            return CallAnsweredEvent(profile: profile, call: try settle(live, as: .negotiated), session: session)
        case .extra(let candidates):
            guard let live = try liveCall(call.id, of: contact), live.item.content.call?.isActive == true else {
                return nil
            }
            return CallCandidatesEvent(profile: profile, call: live, candidates: candidates)
        }
    }

    /// The change of an entry that comes with an event of a call, which programs are told besides.
    func changes(with event: any ChatEvent) -> [any ChatEvent] {
        switch event {
        case let event as CallOfferedEvent: [ItemUpdatedEvent(profile: event.profile, item: event.call)]
        case let event as CallAnsweredEvent: [ItemUpdatedEvent(profile: event.profile, item: event.call)]
        case let event as CallEndedEvent: [ItemUpdatedEvent(profile: event.profile, item: event.call)]
        default: []
        }
    }

    private func liveCall(_ id: SharedMessageID, of contact: Contact) throws -> LocatedItem? {
        try liveCalls().first { $0.isCall(id, with: contact.id) }
    }

    private func recordInvitation(
        _ invitation: CallInvitation, _ id: SharedMessageID, from contact: Contact, _ profile: OwnProfile,
        at time: Timestamp, _ newItems: inout [LocatedItem]
    ) throws -> (any ChatEvent)? {
        let known = try liveCalls()
        guard !known.contains(where: { $0.isCall(id, with: contact.id) }) else { return nil }
        // Who calls again has given the former call up.
        try giveUp(known.filter { $0.chat.reference == .direct(contact.id) || isOver($0.item) }, with: contact.id)
        let isLate = time + CallRecord.timeout < now
        let record = CallRecord(
            invitation.type.media, isLate ? .missed : .pending, id: id, canEncrypt: invitation.type.canEncrypt,
            key: invitation.key)
        if !profile.isHidden { context.counters.received += 1 }
        let located = try store.insertReceived(.call(record), from: contact, at: time, now: now)
        newItems.append(located)
        guard !isLate else { return nil }
        var keys = CallKeys(encrypted: record.canEncrypt, random: context.environment.random)
        keys.agree(with: invitation.key)
        try store.setCallKeys(keys, of: located.item.id)
        try note(try liveIDs() + [located.item.id])
        try schedule()
        return CallInvitationEvent(profile: profile, call: located, agreement: keys.agreement)
    }

    /// Ends calls that another one with the contact replaces.
    private func giveUp(_ calls: [LocatedItem], with id: ContactID) throws {
        for call in calls { _ = try settle(call, as: call.item.content.call?.isActive == true ? .ended : .missed) }
        for call in try openCalls() where call.chat.reference == .direct(id) { try forget(call.item.id) }
    }

    // MARK: - Steps of this side

    /// The length of the ids of calls, in bytes. Source: the reference implementation.
    private static let idSize = 16

    /// Calls a contact.
    func invite(_ chat: ChatTarget, _ type: CallType) throws -> CommandOK {
        let contact = try lookup.contact(chat), profile = try lookup.profile(contact.profileID)
        try conversations.checkReach(contact)
        guard Preferences.allows(.calls, in: .direct(contact)) else { throw ChatError.notAllowed(.calls, contact.name) }
        let random = context.environment.random
        let keys = CallKeys(encrypted: type.canEncrypt, random: random)
        let record = CallRecord(
            type.media, .pending, id: SharedMessageID(random.bytes(Calls.idSize)), canEncrypt: type.canEncrypt,
            key: keys.publicKey)
        let item = try store.transaction {
            try giveUp(try liveCalls().filter { $0.chat.reference == .direct(contact.id) }, with: contact.id)
            let id = try store.insertItem(
                NewItem(
                    content: .call(record), direction: .sent, sharedID: conversations.newSharedID(), time: now),
                in: .direct(contact.id), at: now)
            try store.setCallKeys(keys, of: id)
            try note(try liveIDs() + [id])
            return try lookup.item(id)
        }
        try conversations.handOver(item, of: contact)
        tell(NewItemsEvent(profile: profile, items: [LocatedItem(chat: .direct(contact), item: item)]))
        try schedule()
        return CommandOK(profile)
    }

    /// Answers the offer of a contact that was called.
    func answer(_ chat: ChatTarget, _ session: CallSession) throws -> CallChange {
        let (contact, profile, call) = try current(chat) {
            $0.direction == .sent && $0.content.call?.state == .accepted
        }
        let changed = try store.transaction { try settle(call, as: .negotiated) }
        try say(.answer(session), about: changed, to: contact)
        return told(changed, profile)
    }

    /// Tells the other side further ways to reach this one.
    func addCandidates(_ chat: ChatTarget, _ candidates: String) throws -> CallChange {
        let (contact, profile, call) = try current(chat) { $0.content.call?.isActive == true }
        try say(.extra(candidates: candidates), about: call, to: contact)
        return CallChange(profile, call)
    }

    /// Notes what the program with the sound says of a call. The other side is not told.
    func setStatus(_ status: StreamStatus, of chat: ChatTarget) throws -> CallChange {
        let (_, profile, call) = try current(chat) { _ in true }
        let state: CallRecord.State? =
            switch (call.item.content.call?.state, status) {
            case (.progress, .connected), (.ended, _), (.error, _), (.missed, _), (.rejected, _), (nil, _): nil
            case (.progress, .disconnected), (.progress, .failed): .ended
            case (.pending, .disconnected): .missed
            case (_, .connecting): .negotiated
            case (_, .connected): .progress
            case (_, .disconnected): .ended
            case (_, .failed): .error
            }
        guard let state else { return CallChange(profile, call) }
        // It is still there until one of both ends it.
        let changed = try store.transaction { try settle(call, as: state, forgets: false) }
        try schedule()
        return told(changed, profile)
    }

    /// The newest call with a contact without an end from either user.
    ///
    /// - Throws: ``ChatError/noCall(_:)`` if there is none, ``ChatError/callStage(_:_:)`` if it is at another stage.
    private func current(
        _ chat: ChatTarget, _ fits: (ChatItem) -> Bool
    ) throws -> (Contact, OwnProfile, LocatedItem) {
        let contact = try lookup.contact(chat), profile = try lookup.profile(contact.profileID)
        let call = try newest(with: contact)
        guard fits(call.item) else { throw unfit(call, contact) }
        return (contact, profile, call)
    }

    private func newest(with contact: Contact) throws -> LocatedItem {
        let call = try openCalls().last { $0.chat.reference == .direct(contact.id) }
        guard let call else { throw ChatError.noCall(contact.name) }
        return call
    }

    private func unfit(_ call: LocatedItem, _ contact: Contact) -> ChatError {
        guard let record = call.item.content.call else { return .noCall(contact.name) }
        return .callStage(record.stage(call.item.direction), contact.name)
    }

    private func say(_ step: CallMessage.Step, about call: LocatedItem, to contact: Contact) throws {
        guard let id = call.item.content.call?.id else { return }
        try conversations.say(.call(CallMessage(id, step)), to: contact.id)
    }

    /// Tells that the entry of a call has changed.
    private func told(_ call: LocatedItem, _ profile: OwnProfile) -> CallChange {
        tell(ItemUpdatedEvent(profile: profile, item: call))
        return CallChange(profile, call)
    }

    /// Takes a call up: the caller gets what its program needs to reach the other one. One call at a time.
    func accept(_ chat: ChatTarget, _ offer: CallOffer) throws -> CallChange {
        let contact = try lookup.contact(chat)
        let profile = try lookup.profile(contact.profileID)
        let call = try store.transaction {
            let call = try newest(with: contact)
            guard call.item.direction == .received, call.item.content.call?.state == .pending else {
                throw unfit(call, contact)
            }
            guard !isOver(call.item) else { throw ChatError.noCall(contact.name) }
            if let other = try liveCalls().first(where: { $0.item.content.call?.isActive == true }) {
                throw ChatError.callActive(other.chat.name)
            }
            return try settle(call, as: .accepted)
        }
        tell(CallAcceptedEvent(profile: profile, call: call))
        // A media program with a key of its own gives it; else the key is that which the core made with the call.
        let key = offer.type.canEncrypt ? try offer.key ?? store.callKeys(of: call.item.id)?.publicKey : nil
        let complete = CallOffer(offer.type, offer.session, key: key, otherFields: offer.otherFields)
        try say(.offer(complete), about: call, to: contact)
        return told(call, profile)
    }

    /// Ends or rejects a call.
    ///
    /// - Parameter tells: Whether the other side learns that a call is rejected. It always learns of the end.
    func finish(_ chat: ChatTarget, as state: CallRecord.State, tells: Bool = true) throws -> CallChange {
        let contact = try lookup.contact(chat)
        let profile = try lookup.profile(contact.profileID)
        let (call, isOver) = try store.transaction {
            let call = try newest(with: contact)
            guard let record = call.item.content.call else { throw ChatError.noCall(contact.name) }
            let isRejectable = call.item.direction == .received && record.state == .pending
            guard state == .ended || isRejectable else { throw unfit(call, contact) }
            guard record.state == .pending || record.isActive else {
                try forget(call.item.id)
                return (call, false)
            }
            let isOver = !record.isActive && self.isOver(call.item)
            let isMissed = isOver || state == .ended && record.state == .pending && call.item.direction == .sent
            return (try settle(call, as: isMissed ? .missed : state), isOver)
        }
        // Other programs may still show the call.
        tell(CallEndedEvent(profile: profile, call: call))
        guard !isOver else { throw ChatError.noCall(contact.name) }
        if tells || state == .ended { try say(.end, about: call, to: contact) }
        return told(call, profile)
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

    /// The calls without an end from either user, including those that the program with the sound reported as over. Removed
    /// items are left out.
    private func openCalls() throws -> [LocatedItem] {
        try liveIDs().compactMap { id in
            guard let item = try store.item(id), item.content.call != nil else { return nil }
            return LocatedItem(chat: try lookup.chat(item.chat), item: item)
        }
    }

    /// The calls that wait for an answer, also those whose time is over, and the accepted one.
    private func liveCalls() throws -> [LocatedItem] {
        try openCalls().filter {
            guard let call = $0.item.content.call else { return false }
            return call.state == .pending || call.isActive
        }
    }

    private func forget(_ id: ChatItemID) throws {
        try note(try liveIDs().filter { $0 != id })
        try store.removeCallKeys(of: id)
    }

    private func pendingCalls() throws -> [LocatedItem] {
        try liveCalls().filter { $0.item.content.call?.state == .pending }
    }

    /// Returns true if the time to answer is over, for either side.
    private func isOver(_ item: ChatItem) -> Bool {
        switch item.content.call?.state {
        case .negotiated, .progress: false
        case .accepted: item.time + CallRecord.timeout * 2 < now
        default: item.time + CallRecord.timeout < now
        }
    }

    private func settle(
        _ call: LocatedItem, as state: CallRecord.State, forgets: Bool = true
    ) throws -> LocatedItem {
        guard let record = call.item.content.call else { return call }
        let after = record.becoming(state, at: now)
        try store.update(call.item.id, call: after)
        if !after.isActive, forgets { try forget(call.item.id) }
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
        let ends = try liveCalls().filter { call in
            switch call.item.content.call?.state {
            case .negotiated, .progress: false
            default: true
            }
        }.map { call in
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

extension LocatedItem {
    fileprivate func isCall(_ id: SharedMessageID, with contact: ContactID) -> Bool {
        chat.reference == .direct(contact) && item.content.call?.id == id
    }
}

/// A stage of the negotiation of a call. The words are those of the reference implementation.
public enum CallStage: String, CaseIterable, Hashable, Sendable {
    case invitationSent, invitationReceived, offerSent, offerReceived, negotiated
}

/// What the program with the sound says of the streams of a call.
public enum StreamStatus: String, CaseIterable, Hashable, Sendable {
    case connecting, connected, disconnected, failed
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
