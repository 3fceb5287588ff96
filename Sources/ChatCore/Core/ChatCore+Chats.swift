import AgentProtocol
import ChatProtocol
import SMPProtocol

extension LocalCore {
    func contact(_ id: ContactID) throws -> Contact {
        guard let contact = try store.contact(id) else { throw ChatError.contactNotFound(id) }
        return contact
    }

    /// An entry of a profile that the caller may know of.
    func visibleItem(_ id: ChatItemID) throws -> LocatedItem {
        let item = try item(id), contact = try contact(item.contactID)
        guard let profile = try store.profile(contact.profileID), isVisible(profile) else {
            throw ChatError.itemNotFound(id)
        }
        return LocatedItem(contact: contact, item: item)
    }

    func contact(_ chat: ChatTarget) throws -> Contact {
        switch chat {
        case .reference(.contact(let id)):
            let contact = try contact(id)
            guard let profile = try store.profile(contact.profileID), isVisible(profile) else {
                throw ChatError.contactNotFound(id)
            }
            return contact
        case .name(let name):
            guard let contact = try store.contact(named: name, of: try activeProfile().id) else {
                throw ChatError.contactNotFoundByName(name)
            }
            return contact
        }
    }

    /// Entries with the contacts they are from or for.
    func locate(_ items: [ChatItem]) throws -> [LocatedItem] {
        var contacts: [ContactID: Contact] = [:]
        return try items.map { item in
            let contact = try contacts[item.contactID] ?? contact(item.contactID)
            contacts[item.contactID] = contact
            return LocatedItem(contact: contact, item: item)
        }
    }

    /// The status of the store, as a profile sees it: the active one if none is named.
    func status(_ id: ProfileID?) throws -> StatusReport {
        let profiles = try visibleProfiles()
        let profile = try id.map { try self.profile($0) } ?? profiles.first { $0.isActive }
        let outbox = try store.outboxCounts(of: Set(profiles.map(\.id)))
        let troubled = try store.contactsInTrouble().compactMap { contact in
            profiles.first { $0.id == contact.profileID }.map { LocatedContact(profile: $0, contact: contact) }
        }
        return StatusReport(
            profile: profile, profileCount: profiles.count,
            contactCount: try profile.map { try store.contactCount(of: $0.id) } ?? 0,
            unreadCount: profiles.reduce(0) { $0 + $1.unreadCount }, waiting: outbox.waiting,
            heldUp: outbox.heldUp, unconfirmed: try store.unconfirmedCount(of: Set(profiles.map(\.id))),
            servers: try profile.map { try choice(for: $0.id).servers.map(\.address) } ?? [],
            onboarding: try begunOnboardingStage(), lastExport: try store.lastExport(),
            freezingExport: try store.freezingExport(), isCopy: try store.isCopy(in: folder, on: machine),
            contactsInTrouble: troubled)
    }
}
