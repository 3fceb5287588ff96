import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import SMPProtocol

/// Contact requests to the own address.
extension Connector {
    // MARK: - Recording

    /// Records a request once, however often it arrives, and accepts it if the address does so.
    func recordRequest(
        _ event: AgentEvent, _ connection: ContactConnection, _ profile: OwnProfile, _ invitation: ConnectionRequest,
        _ information: Bytes
    ) throws -> [any ChatEvent] {
        var acceptable: RequestID?
        var events = try context.commit(event) {
            // The queue of an address that was replaced lives until its relay deletes it.
            guard try store.isAddress(connection.id), let address = try store.address(of: profile.id) else { return [] }
            guard let (versions, request) = Connector.request(in: information) else {
                let reason = "a request without a profile"
                return [MessageUnusableEvent(profile: profile, connection: connection, reason: reason)]
            }
            if let key = request.requestID, let known = try store.connection(forRequest: key, of: profile.id),
                known.status != .failed, let id = known.contactID
            {
                return [RequestRepeatedEvent(profile: profile, contact: try lookup.contact(id))]
            }
            guard let id = try insert(request, versions, invitation.description, profile) else {
                let reason = "too many contact requests wait"
                return [MessageUnusableEvent(profile: profile, connection: connection, reason: reason)]
            }
            // Requests beyond the limit wait, so that strangers cannot fill the list of contacts.
            if address.settings.accepts,
                try store.contactsMade(of: profile.id, since: now + .seconds(-3600)) < Connector.mostAccepted
            {
                try store.setAccepted(id)
                acceptable = id
            }
            return try store.request(id).map { [RequestReceivedEvent(profile: profile, request: $0)] } ?? []
        }
        guard let acceptable, let request = try store.request(acceptable) else { return events }
        do {
            _ = try servers.server(for: profile.id)
            let contact = try accept(request, isIncognito: false)
            events = [RequestAcceptingEvent(profile: profile, contact: contact)]
        } catch AgentError.connection, ChatError.noServer, ChatError.conditionsNotAccepted, ChatError.invalidProfile {
            // The request waits. A stranger must not stop this side from receiving.
        }
        return events
    }

    /// The most contact requests of a profile that wait for an answer.
    static let mostRequests = 500

    /// The most contacts of a profile that an address makes by itself within an hour. Further requests wait for an answer.
    static let mostAccepted = 100

    /// Keeps a request; nil if too many wait.
    private func insert(
        _ request: ContactRequest, _ versions: VersionRange, _ link: String, _ profile: OwnProfile
    ) throws -> RequestID? {
        var request = request
        request.profile = request.profile.withBoundedImage
        if let key = request.requestID, let known = try store.request(key: key, of: profile.id) {
            try store.update(known.id, request, versions, named: try rename(known, request), link: link, at: now)
            return known.id
        }
        guard try store.requestCount(of: profile.id) < Connector.mostRequests else { return nil }
        let suggestion = Profile.DisplayName.localName(for: request.profile.displayName) ?? "contact"
        return try store.insertRequest(
            request, versions, named: try store.freeName(suggestion, in: profile.id), link: link, of: profile.id,
            at: now)
    }

    /// Returns the local name of a repeated request, whose sender may have changed the name.
    private func rename(_ known: ReceivedRequest, _ request: ContactRequest) throws -> String {
        guard request.profile.displayName != known.profile.displayName, known.connectionID == nil else {
            return known.name
        }
        let suggestion = Profile.DisplayName.localName(for: request.profile.displayName) ?? "contact"
        try store.free(known.name, in: known.profileID)
        let name = try store.freeName(suggestion, in: known.profileID)
        try store.take(name, in: known.profileID)
        return name
    }

    private static func request(in information: Bytes) -> (VersionRange, ContactRequest)? {
        for element in ChatPayload.elements(of: information) {
            guard case .success(.message(let message)) = element.content else { continue }
            switch message.event {
            case .contactRequest(let request): return (message.versions, request)
            // Old clients say who they are and no more.
            case .profile(let profile, _): return (message.versions, ContactRequest(profile: profile))
            default: break
            }
        }
        return nil
    }

    // MARK: - Accepting

    /// Accepts again the requests of which a crash may have kept the acceptance from the agent.
    func retryAccepting() throws {
        for request in try store.acceptedRequests() { context.attempt { _ = try accept(request, isIncognito: false) } }
    }

    /// Checks that the link of the address does not show the profile.
    ///
    /// - Throws: ``ChatError/connecting(_:)`` if it does, or if the address was deleted, so that its link may have shown it.
    func checkHidden(_ id: ProfileID) throws {
        guard let address = try store.address(of: id), address.link.short == nil else {
            throw ChatError.connecting(.shownProfile)
        }
    }

    /// Makes a contact of a request.
    ///
    /// - Parameter isIncognito: True if a profile is made up for the contact, unless that was decided before.
    func accept(_ request: ReceivedRequest, isIncognito: Bool) throws -> Contact {
        let agent = try agent
        let profile = try lookup.owner(request.profileID)
        guard let invitation = try? ConnectionRequest(text: request.link) else { throw ChatError.internal }
        guard let replyServer = try servers.longestAddress(for: profile.id) else { throw ChatError.noServer }
        var incognito = isIncognito ? Profile.incognito(context.environment.random) : nil
        if let begun = request.connectionID { incognito = try lookup.connection(begun).incognito }
        let information = try information(of: profile, as: incognito)
        let id = try request.connectionID ?? store.transaction { try insertContact(request, as: incognito) }
        do {
            try agent.join(
                id, profile.id, .full(invitation), information: information, replyServer: replyServer,
                postQuantum: .on)
        } catch AgentError.connection(let error) {
            try store.transaction { try withdraw(request, id) }
            throw AgentError.connection(error)
        }
        try store.transaction { try store.removeRequest(request.id) }
        guard let contact = try lookup.connection(id).contactID.map({ try lookup.contact($0) }) else {
            throw ChatError.internal
        }
        return contact
    }

    /// The contact that a request becomes, with what came with it.
    private func insertContact(_ request: ReceivedRequest, as incognito: Profile?) throws -> ConnectionID {
        try store.free(request.name, in: request.profileID)
        let contactID = try store.insertContact(
            request.profile, named: request.name, of: request.profileID, at: now)
        let id = try store.insertConnection(
            of: request.profileID, as: incognito, status: .prepared, isInitiated: false, link: request.link,
            requestedName: nil, at: now)
        try store.update(id, contact: contactID)
        try store.update(id, version: AgreedChatVersion(peer: request.versions))
        try store.setRequestKey(request.key, of: id)
        let address = try store.address(of: request.profileID)
        try store.setOrigin(request.id, address?.connectionID, of: id, contactID)
        try store.setOwesWelcome(true, id)
        try store.setWelcomeID(request.welcomeID, of: id)
        try store.setAccepted(request.id)
        try store.update(request.id, connection: id)
        try insertFirstItems(of: try lookup.contact(contactID), isPostQuantum: true)
        if let welcomeID = request.welcomeID, let welcome = address?.settings.welcome {
            let item = try store.insertItem(
                NewItem(content: .message(welcome), direction: .sent, sharedID: welcomeID, time: now),
                in: .direct(contactID), at: now)
            // It was read behind the short link.
            try store.update(item, status: .sendSent)
        }
        if let message = request.message {
            _ = try store.insertReceived(
                .message(message.content), from: try lookup.contact(contactID), sharedID: message.id,
                at: request.createdAt, now: now)
        }
        return id
    }

    /// The request cannot be accepted, because something about this side does not fit: it waits again.
    private func withdraw(_ request: ReceivedRequest, _ id: ConnectionID) throws {
        try store.setWaiting(request.id)
        if let contactID = try lookup.connection(id).contactID { try store.removeContact(contactID) }
    }

    // MARK: - Welcome

    /// The welcome for a contact that has just been connected through the address, inside of a transaction. A contact that has
    /// read it behind the short link is told what it says now.
    func insertWelcome(_ connection: ContactConnection, _ profile: OwnProfile) throws -> ChatItemID? {
        guard let contactID = connection.contactID, try store.owesWelcome(connection.id) else { return nil }
        try store.setOwesWelcome(false, connection.id)
        if let welcomeID = try store.welcomeID(of: connection.id),
            let item = try store.item(welcomeID, .sent, in: .direct(contactID)),
            case .message(let content) = item.content
        {
            let update = MessageUpdate(welcomeID, content)
            try store.owe(ChatMessage(id: conversations.newSharedID(), event: .update(update)), to: contactID)
            return nil
        }
        guard let welcome = try store.address(of: profile.id)?.settings.welcome else { return nil }
        return try store.insertItem(
            NewItem(
                content: .message(welcome), direction: .sent, sharedID: conversations.newSharedID(), time: now),
            in: .direct(contactID), at: now)
    }
}
