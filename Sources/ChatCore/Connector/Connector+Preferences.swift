import Agent
import AgentProtocol
import ChatProtocol
import JSONCoding
import Store

/// What contacts are allowed.
extension Connector {
    /// Sets what a contact alone is allowed, and tells it if that changes what it may do.
    func setPreferences(_ preferences: JSONObject, of contact: Contact) async throws -> PreferencesUpdate {
        guard let connection = contact.connection, contact.status == .active else {
            throw ChatError.contactNotActive(contact.name)
        }
        let profile = try lookup.profile(contact.profileID)
        guard preferences != contact.choices.preferences else {
            return PreferencesUpdate(profile: profile, former: contact, contact: contact)
        }
        let changed = try store.transaction {
            try store.setPreferences(preferences, of: contact.id)
            let changed = try lookup.contact(contact.id)
            if Preferences.told(to: changed) != Preferences.told(to: contact) {
                try store.oweProfile(to: connection.id)
                let events = try noteChanges(from: contact, to: changed, by: .sent, profile)
                return (changed, events)
            }
            return (changed, [])
        }
        for event in changed.1 { tell(event) }
        try await deliverChangedProfiles()
        return PreferencesUpdate(profile: profile, former: contact, contact: changed.0)
    }

    /// Hands changed profiles to the agent, and waits a while for relays.
    ///
    /// - Returns: The connections that are being told.
    @discardableResult
    func deliverChangedProfiles() async throws -> [ConnectionID] {
        let agent = try agent, told = try tellChangedProfiles()
        for id in told { agent.deliver(id) }
        _ = await agent.wait(Connector.relayTimeout) { agent.hasTriedAll }
        return told
    }

    /// Notes in a conversation what is allowed there now. Must be called within a transaction.
    func noteChanges(
        from former: Contact, to contact: Contact, by side: ChatItem.Direction, _ profile: OwnProfile
    ) throws -> [NewItemsEvent] {
        let items = try note(Preferences.changes(from: former, to: contact, by: side), side, of: contact)
        return items.isEmpty ? [] : [NewItemsEvent(profile: profile, items: items)]
    }

    /// Appends what is no message to the conversation with a contact. Must be called within a transaction.
    func note(
        _ contents: [ChatItem.Content], _ side: ChatItem.Direction, of contact: Contact
    ) throws -> [LocatedItem] {
        try contents.compactMap { content in
            let chat = ChatReference.direct(contact.id)
            guard let id = try store.insertNotice(content, side, in: chat, isUnread: false, at: now),
                let item = try store.item(id)
            else { return nil }
            return LocatedItem(chat: .direct(contact), item: item)
        }
    }

    /// The contact says something new about itself. Its name here stays. Must be called within a transaction.
    ///
    /// - Parameter items: What the conversation is told of it is added.
    func recordProfile(
        _ presented: Profile, of id: ContactID, _ profile: OwnProfile, _ items: inout [LocatedItem]
    ) throws -> (any ChatEvent)? {
        let before = try lookup.contact(id), presented = presented.withBoundedImage
        let former = before.profile
        guard former != presented else { return nil }
        try store.update(id, profile: presented, at: now)
        if former.displayName != presented.displayName { try followName(presented.displayName, of: before) }
        try adoptTimer(of: presented, before)
        let contact = try lookup.contact(id)
        var contents: [ChatItem.Content] = []
        if former.visible != presented.visible { contents.append(.profileUpdated(from: former, to: presented)) }
        contents += Preferences.changes(from: before, to: contact, by: .received)
        items += try note(contents, .received, of: contact)
        return ContactUpdatedEvent(profile: profile, former: before, contact: contact)
    }

    /// Other programs show a contact by the name that it took, made unique.
    private func followName(_ name: String, of contact: Contact) throws {
        let suggestion = Profile.DisplayName.localName(for: name) ?? "contact"
        try store.setPresentedName(nil, of: contact)
        guard suggestion != contact.name else { return }
        let known = try lookup.contact(contact.id)
        try store.setPresentedName(try store.freeName(suggestion, in: contact.profileID), of: known)
    }

    /// Where the contact lets messages disappear after another time than this side, its time holds for both.
    private func adoptTimer(of presented: Profile, _ contact: Contact) throws {
        let feature = Preferences.Feature.timedMessages
        var preferences = contact.choices.preferences
        let own = preferences[feature.rawValue]?.object
        let seconds = Preferences.seconds(in: presented.preferences?.object)
        guard Preferences.seconds(in: preferences) != seconds else { return }
        if let own {
            var preference = own
            preference.set("ttl", seconds)
            preferences[feature.rawValue] = .object(preference)
        } else if seconds != Preferences.seconds(in: contact.allowedByProfile) {
            preferences[feature.rawValue] = Preferences.preference(
                Preferences.own(feature, for: contact), seconds)
        }
        try store.setPreferences(preferences, of: contact.id)
    }
}

extension Profile {
    /// What people see of it.
    fileprivate var visible: [String?] { [displayName, fullName, shortDescription, image, contactLink] }
}

extension ChatStore {
    /// Records that the other side of a connection is owed the profile.
    func oweProfile(to id: ConnectionID) throws {
        try database.run("UPDATE connections SET owes_profile = 1 WHERE connection_id = ?", id.number)
    }
}
