import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol

/// Contacts that are shown before a request is sent to them, and changes of unused invitations.
extension Connector {
    // MARK: - Prepared contacts

    /// Makes a contact of what a link shows. Nothing is sent.
    ///
    /// - Parameters:
    ///   - name: The check of the name that the contact claims.
    ///   - localName: The name that the contact is going to have here; nil for that of its profile.
    func prepare(
        _ profile: OwnProfile, link text: String, _ content: ContactLinkContent, _ name: NameCheck? = nil,
        as localName: String? = nil
    ) throws -> ChatPreview {
        let link = try pasted(text)
        guard link.link.isPerson else { throw ChatError.connecting(.group) }
        guard try !isOwn(link, of: profile) else { throw ChatError.ownLink }
        let presented = content.profile.withBoundedImage
        let (id, welcome) = try store.transaction {
            let suggestion = localName ?? Profile.DisplayName.localName(for: presented.displayName) ?? "contact"
            let id = try store.insertContact(
                presented, named: try store.freeName(suggestion, in: profile.id), of: profile.id, at: now)
            try store.setPrepared(
                PreparedContact(
                    link: LinkText(full: link.full ?? link.link.description, short: link.short),
                    isInvitation: link.link.kind == .invitation,
                    welcomeID: content.welcome == nil ? nil : conversations.newSharedID(), requestID: nil, name: name),
                id)
            let contact = try lookup.contact(id)
            try insertFirstItems(of: contact, isPostQuantum: true)
            let welcome = try content.welcome.map {
                try store.insertReceived(
                    .message($0), from: contact, sharedID: contact.prepared?.welcomeID, at: now, now: now)
            }
            return (id, welcome)
        }
        return ChatPreview(chat: .direct(try lookup.contact(id)), lastItem: welcome?.item)
    }

    /// Connects with a prepared contact. A message goes with the request to an address, and after the handshake of an invitation.
    func connect(_ contact: Contact, _ message: MessageContent?, isIncognito: Bool) throws -> Contact {
        let prepared = try unused(contact), profile = try lookup.owner(contact.profileID)
        let link = try pasted([prepared.link.full, prepared.link.short].compactMap(\.self).joined(separator: " "))
        var item: ChatItemID?
        do {
            _ = try begin(link, profile, requestedName: nil, isIncognito: isIncognito) { id in
                try store.update(id, contact: contact.id)
                item = try message.map { try insertFirstMessage($0, to: contact, prepared) }
            }
        } catch {
            if let item = try item.flatMap({ try store.item($0) }) {
                try store.transaction {
                    try store.removeItem(item)
                    try store.setPrepared(prepared, contact.id)
                }
            }
            throw error
        }
        if let item {
            tell(NewItemsEvent(profile: profile, items: try lookup.locate([try lookup.item(item)])))
        }
        return try lookup.contact(contact.id)
    }

    /// Prepares a contact and connects with it. Nothing is left of it if that is not possible.
    func connect(
        _ profile: OwnProfile, link: String, _ content: ContactLinkContent, _ name: NameCheck, as localName: String?,
        isIncognito: Bool
    ) throws -> Contact {
        let prepared = try prepare(profile, link: link, content, name, as: try checkedName(localName))
        guard let contact = prepared.chat.contact else { throw ChatError.internal }
        do {
            return try connect(contact, nil, isIncognito: isIncognito)
        } catch {
            try store.transaction {
                try store.removeContact(contact.id)
                try store.free(contact.name, in: contact.profileID)
            }
            throw error
        }
    }

    /// Throws unless a contact was prepared and nothing was sent to it.
    private func unused(_ contact: Contact) throws -> PreparedContact {
        guard let prepared = contact.prepared else { throw ChatError.connecting(.notPrepared) }
        guard contact.connection == nil || contact.connection?.status == .failed else {
            throw ChatError.connecting(.begun)
        }
        return prepared
    }

    private func insertFirstMessage(
        _ content: MessageContent, to contact: Contact, _ prepared: PreparedContact
    ) throws -> ChatItemID {
        let id = conversations.newSharedID()
        let item = try store.insertItem(
            NewItem(content: .message(content), direction: .sent, sharedID: id, time: now),
            in: .direct(contact.id), at: now)
        guard !prepared.isInvitation else { return item }
        // The agent has it with the request, and not as a message of its own.
        try store.update(item, status: .sendSent)
        var prepared = prepared
        prepared.requestID = id
        try store.setPrepared(prepared, contact.id)
        return item
    }

    /// Gives a prepared contact to another profile.
    func move(_ contact: Contact, to profile: OwnProfile) throws -> Contact {
        _ = try unused(contact)
        guard contact.profileID != profile.id else { return contact }
        try store.transaction {
            let suggestion = Profile.DisplayName.localName(for: contact.profile.displayName) ?? "contact"
            try store.free(contact.name, in: contact.profileID)
            try store.move(contact.id, to: profile.id, as: try store.freeName(suggestion, in: profile.id), at: now)
        }
        return try lookup.contact(contact.id)
    }

    // MARK: - The first entries of a conversation

    /// Notes at the beginning of a conversation how it is encrypted and what both sides may do, unless that stands there.
    func insertFirstItems(of contact: Contact, isPostQuantum: Bool) throws {
        let chat = ChatReference.direct(contact.id)
        try insertBanner(of: contact)
        guard try store.lacks(.encryption(isPostQuantum: isPostQuantum), in: chat) else { return }
        _ = try store.insertNotice(
            .encryption(isPostQuantum: isPostQuantum), .received, in: chat, isUnread: false, at: now)
        for content in Preferences.beginning(with: contact) {
            _ = try store.insertNotice(content, .received, in: chat, isUnread: false, at: now)
        }
    }

    /// Notes at the beginning of a conversation with whom it is, unless that stands there.
    func insertBanner(of contact: Contact) throws {
        let chat = ChatReference.direct(contact.id)
        guard try store.lacks(.banner, in: chat) else { return }
        _ = try store.insertNotice(.banner, .sent, in: chat, isUnread: false, at: now)
    }

    // MARK: - Unused invitations

    /// Changes who uses an invitation sees: the profile, or one that is made up.
    func setIncognito(_ isIncognito: Bool, _ connection: ContactConnection) async throws -> ContactConnection {
        guard connection.isInitiated, connection.status == .new, connection.contactID == nil,
            isIncognito != (connection.storedIncognito != nil)
        else { throw ChatError.connecting(.incognitoChange) }
        let agent = try agent, profile = try lookup.owner(connection.profileID)
        let incognito = isIncognito ? Profile.incognito(context.environment.random) : nil
        // SECURITY: the link must not show the profile of before when the handshake presents the new one.
        if connection.shortLink != nil {
            try agent.show(try invitationContent(profile, as: incognito), behindLinkOf: connection.id)
        }
        try store.transaction { try store.update(connection.id, as: incognito, at: now) }
        await agent.settle(connection.id, timeout: Connector.relayTimeout)
        return try lookup.connection(connection.id)
    }

    /// Replaces an unused invitation by one of another profile.
    func move(_ connection: ContactConnection, to profile: OwnProfile) async throws -> ContactConnection {
        guard connection.isInitiated, connection.status == .new, connection.contactID == nil else {
            throw ChatError.connecting(.profileChange)
        }
        let invitation = try await invite(profile, name: connection.requestedName, isIncognito: false)
        try store.transaction {
            try store.update(connection.id, status: .deleted, at: now)
            try store.update(invitation.connection.id, alias: connection.alias, at: now)
        }
        try await discard(connection.id)
        return try lookup.connection(invitation.connection.id)
    }
}
