import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol

extension LocalCore {
    // MARK: - Sending

    /// Whether a contact is told that a message of it arrived: one with something written in it, or an invitation.
    func wantsReceipt(_ elements: [ChatElement], from contact: Contact, _ profile: OwnProfile) -> Bool {
        guard !contact.isBlocked else { return false }
        guard contact.sendsReceipts ?? profile.sendsReceipts else { return false }
        return elements.contains { element in
            guard case .success(.message(let message)) = element.content else { return false }
            return LocalCore.confirmedEvents.contains(message.event.name)
        }
    }

    private static let confirmedEvents: Set<String> = ["x.msg.new", "x.grp.inv", "x.call.inv"]

    /// Asks again for the receipts of events that were recorded here, and that the agent did not forget before the program
    /// ended.
    func repeatReceipts() throws {
        let agent = try agent
        for event in try agent.unforgottenEvents(through: lastEvent) {
            guard case .connection(.msg(let message)) = event.content,
                let contact = try store.connection(event.connectionID)?.contactID.flatMap({ try store.contact($0) }),
                let profile = try store.profile(event.profileID),
                wantsReceipt(ChatPayload.elements(of: message.body), from: contact, profile)
            else { continue }
            agent.confirm(event)
        }
        agent.forgetEvents(through: lastEvent)
    }

    // MARK: - Receiving

    /// Contacts have messages. A receipt may come before the relay's own answer.
    func recordReceipts(
        _ event: AgentEvent, _ receipts: [DeliveryReceipt], from known: Contact?, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        let events = try context.commit(event) {
            guard let known else { return [] }
            var items: [LocatedItem] = []
            for receipt in receipts where !receipt.token.isEmpty {
                guard let item = try store.item(SharedMessageID(receipt.token), .sent, in: .direct(known.id)),
                    item.status.isUnsent || item.status == .sendSent || item.status == .sendUnconfirmed
                else { continue }
                try store.update(item.id, status: .sendReceived(isIntact: receipt.isIntact))
                try store.startTimer(of: item.id, at: now)
                if item.status.isUnsent, !profile.isHidden { context.counters.sent += 1 }
                items.append(LocatedItem(chat: .direct(known), item: try lookup.item(item.id)))
            }
            items += try noteUnconfirmed(items, to: known)
            return items.isEmpty ? [] : [ItemsUpdatedEvent(profile: profile, items: items)]
        }
        try expiry.schedule()
        return events
    }

    /// How many entries are looked at to find those that were not confirmed: some more than one message can confirm.
    private static let mostRecent = 300

    /// Marks the messages between two confirmed ones that were not confirmed themselves, and returns them.
    ///
    /// Receipts come in the order of the messages, so that the contact did not receive these: another message with the same
    /// number came instead, from a copy of the store, or they were lost. A receipt that comes later takes the mark back.
    private func noteUnconfirmed(_ confirmed: [LocatedItem], to contact: Contact) throws -> [LocatedItem] {
        guard let newest = confirmed.map(\.item.id).max(by: { $0.number < $1.number }) else { return [] }
        let ids = Set(confirmed.map(\.item.id))
        var open: [ChatItem] = [], unconfirmed: [ChatItem] = []
        for item in try store.items(in: .direct(contact.id), .before(newest, LocalCore.mostRecent)).reversed() {
            guard item.direction == .sent, case .message = item.content else { continue }
            switch item.status {
            case .sendSent: open.append(item)
            case .sendReceived:
                unconfirmed += open
                open = []
                if !ids.contains(item.id) { return try mark(unconfirmed, contact) }
            default: break
            }
        }
        return try mark(unconfirmed, contact)
    }

    private func mark(_ items: [ChatItem], _ contact: Contact) throws -> [LocatedItem] {
        try items.map { item in
            try store.update(item.id, status: .sendUnconfirmed)
            return LocatedItem(chat: .direct(contact), item: try lookup.item(item.id))
        }
    }
}
