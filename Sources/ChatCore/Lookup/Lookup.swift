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
        let item = try item(id), chat = try chat(item.chat)
        guard let profile = try store.profile(chat.profileID), isVisible(profile) else {
            throw ChatError.itemNotFound(id)
        }
        return LocatedItem(chat: chat, item: item)
    }

    func chat(_ reference: ChatReference) throws -> Chat {
        if let chat = try store.chat(reference) { return chat }
        // Until everybody names notes as what they are.
        if case .direct(let id) = reference, let notes = try store.chat(.notes(NoteFolderID(id.number))) {
            return notes
        }
        throw ChatError.chatNotFound(reference)
    }

    /// The chat that a command names. Those of hidden profiles are there for nobody without the password.
    func chat(_ target: ChatTarget) throws -> Chat {
        switch target {
        case .reference(let reference):
            let chat = try self.chat(reference)
            guard let profile = try store.profile(chat.profileID), isVisible(profile) else {
                throw ChatError.chatNotFound(reference)
            }
            return chat
        case .name(let name):
            guard let chat = try store.chat(named: name, of: try activeProfile().id) else {
                throw ChatError.contactNotFoundByName(name)
            }
            return chat
        }
    }

    /// The contact that a command names, where it is about what only contacts have.
    func contact(_ target: ChatTarget) throws -> Contact {
        let chat = try chat(target)
        guard let contact = chat.contact else { throw ChatError.contactNotActive(chat.name) }
        return contact
    }

    /// Entries with their chats.
    func locate(_ items: [ChatItem]) throws -> [LocatedItem] {
        var chats: [ChatReference: Chat] = [:]
        return try items.map { item in
            let chat = try chats[item.chat] ?? chat(item.chat)
            chats[item.chat] = chat
            return LocatedItem(chat: chat, item: item)
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
