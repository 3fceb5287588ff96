import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import SMPProtocol

/// Connections with others: links, invitations, addresses, contact requests, handshakes, contacts, and what they see of a profile.
///
/// A new connection is stored first and given to the agent then. What a crash keeps from the agent is given to it at the next start,
/// see ``retryPendingRequests()``.
final class Connector: Collaborator {
    /// How long a command waits for a relay that has to change or delete something. What is not done by then is left to the next
    /// fetch.
    static let relayTimeout = Duration.seconds(10)

    let context: CoreContext
    let servers: Servers
    let conversations: Conversations
    /// Why connections failed while the core is open.
    var problems: [ConnectionID: ConnectionProblem] = [:]
    /// The state of a link that leads to a group; nil for others, and for those that were not used.
    var planGroup: (PastedLink, OwnProfile) throws -> ConnectionPlan.State? = { _, _ in nil }

    /// Owes a contact that joined an own invitation what else belongs to the beginning, inside of a transaction.
    var greet: (Contact) throws -> Void = { _ in }

    init(_ context: CoreContext, servers: Servers, conversations: Conversations) {
        self.context = context
        self.servers = servers
        self.conversations = conversations
    }

    /// The length of the ids of own requests, in bytes.
    private static let requestKeySize = 16

    /// Makes an invitation. It waits for a relay, because a link without its queue would be of no use.
    func invite(_ profile: OwnProfile, name: String?, isIncognito: Bool) async throws -> Invitation {
        let agent = try agent
        let server = try servers.server(for: profile.id)
        let name = try checkedName(name)
        let incognito = isIncognito ? Profile.incognito(context.environment.random) : nil
        let id = try store.transaction {
            try store.insertConnection(
                of: profile.id, as: incognito, status: .new, isInitiated: true, link: nil, requestedName: name, at: now)
        }
        do {
            let content = try invitationContent(profile, as: incognito)
            let made: Result<LinkPair, AgentError> = await withCheckedContinuation { continuation in
                agent.invite(id, profile.id, server: server, showing: content, postQuantum: .on) {
                    continuation.resume(returning: $0)
                }
            }
            let link = Connector.text(of: try made.get())
            try store.transaction { try store.update(id, link: link) }
            return Invitation(profile: profile, link: link, connection: try lookup.connection(id))
        } catch {
            // A connection that the agent does not have is of no use.
            try forget(id)
            throw error
        }
    }

    /// Joins what a link is. The same link again continues the connection of an invitation. A request to an address that was not
    /// answered is sent again: its owner may have rejected it, or is going to see the present profile.
    func connect(
        _ profile: OwnProfile, link text: String, name: String?, isIncognito: Bool
    ) throws -> StartedConnection {
        let link = try pasted(text)
        guard link.link.kind != .address(.relay) else { throw ChatError.channel(.relayAddress) }
        guard link.link.isPerson else {
            throw link.link.isGroup ? ChatError.connecting(.group) : ChatError.unsupportedLink
        }
        let name = try checkedName(name)
        guard try !isOwn(link, of: profile) else { throw ChatError.ownLink }
        if let known = try connection(through: link, of: profile) {
            // Who has been told the name of the profile cannot forget it.
            if isIncognito, known.storedIncognito == nil { throw ChatError.joinedOpenly }
            if link.link.kind != .invitation, let id = known.contactID {
                return StartedConnection(profile, .known(try lookup.contact(id), known))
            }
            guard link.link.kind != .invitation, known.status == .joined else {
                return StartedConnection(profile, link.link, known)
            }
            return StartedConnection(profile, link.link, try repeatRequest(known, link, profile))
        }
        let connection = try begin(link, profile, requestedName: name, isIncognito: isIncognito) { _ in }
        return StartedConnection(profile, link.link, connection)
    }

    /// Sends a request again that an address has, with the same key and a new queue for the answer.
    private func repeatRequest(
        _ known: ContactConnection, _ link: PastedLink, _ profile: OwnProfile
    ) throws -> ContactConnection {
        let key = try store.requestKey(of: known.id)
        // The owner may have accepted the last request a moment ago, so it can still be answered.
        let former = try key.map { try store.unanswered($0, of: profile.id) } ?? []
        let connection = try begin(
            link, profile, requestedName: known.requestedName, isIncognito: false, incognito: known.incognito
        ) { id in
            if let key { try store.setRequestKey(key, of: id) }
            if !known.alias.isEmpty { try store.update(id, alias: known.alias, at: now) }
        }
        try retire(former.filter { $0 != known.id })
        return connection
    }

    /// Ends repeated requests when one of them was answered.
    func retireRepeats(of connection: ContactConnection) throws {
        guard !connection.isInitiated, let key = try store.requestKey(of: connection.id),
            let answered = try store.connection(connection.id), answered.contactID != nil || answered.memberID != nil
        else { return }
        try retire(store.unanswered(key, of: connection.profileID).filter { $0 != connection.id })
    }

    private func retire(_ ids: [ConnectionID]) throws {
        guard !ids.isEmpty else { return }
        try store.transaction { for id in ids { try store.update(id, status: .deleted, at: now) } }
        for id in ids where try agent.contains(id) { try agent.delete(id) }
    }

    /// Begins a new connection through a link.
    ///
    /// - Parameters:
    ///   - known: The made-up profile of an earlier request.
    ///   - note: Records what belongs to the connection, inside of its transaction.
    func begin(
        _ link: PastedLink, _ profile: OwnProfile, requestedName: String?, isIncognito: Bool,
        incognito known: Profile? = nil, note: (ConnectionID) throws -> Void
    ) throws -> ContactConnection {
        _ = try agent
        // The reply queue is made later; without any server it is better said now.
        _ = try servers.server(for: profile.id)
        let incognito = known ?? (isIncognito ? Profile.incognito(context.environment.random) : nil)
        let id = try store.transaction {
            let id = try store.insertConnection(
                of: profile.id, as: incognito, status: .prepared, isInitiated: false, link: nil,
                requestedName: requestedName, at: now)
            try store.update(id, link: LinkText(full: link.full ?? link.link.description, short: link.short))
            if link.link.kind != .invitation {
                try store.setRequestKey(context.environment.random.bytes(Connector.requestKeySize), of: id)
            }
            if link.link.isGroup {
                try store.update(
                    id, QuantumResistance(isWanted: false, protectsSent: false, protectsReceived: false))
            }
            try note(id)
            return id
        }
        do {
            try join(try lookup.connection(id), link.link, profile)
        } catch {
            try store.transaction { try store.removeConnection(id) }
            throw error
        }
        return try lookup.connection(id)
    }

    /// Gives a connection to the agent, unless it has it. A connection that was begun is finished even if all servers were
    /// switched off since.
    func join(_ connection: ContactConnection, _ link: ConnectionLink, _ profile: OwnProfile) throws {
        guard let replyServer = try servers.longestAddress(for: profile.id) else { throw ChatError.noServer }
        let information =
            link.kind == .invitation
            ? try information(of: profile, as: connection.incognito)
            : try link.isGroup || connection.memberID != nil
                ? memberRequest(of: profile, connection) : request(of: profile, connection)
        try agent.join(
            connection.id, profile.id, link.complete, information: information, replyServer: replyServer,
            postQuantum: connection.quantumResistance.isWanted ? .on : .off)
    }

    /// Returns the name that the user requested for a contact, if it is valid.
    func checkedName(_ name: String?) throws -> String? {
        guard let name else { return nil }
        guard Profile.DisplayName.isLocalName(name) else {
            throw ChatError.invalidName(name, suggestion: Profile.DisplayName.localName(for: name))
        }
        return name
    }

    /// The message of a handshake: who this profile is.
    func information(of profile: OwnProfile, as incognito: Profile?) throws -> Bytes {
        try handshake(.profile(presentation(of: profile, as: incognito)))
    }

    /// The message of a request to an address. With the same key it is the same request. That of a prepared contact names the
    /// welcome message that is shown here already, and carries the message to the owner.
    private func request(of profile: OwnProfile, _ connection: ContactConnection) throws -> Bytes {
        let prepared = try connection.contactID.flatMap { try store.contact($0)?.prepared }
        var message: ContactRequest.Message?
        if let id = prepared?.requestID, let contactID = connection.contactID,
            let item = try store.item(id, .sent, in: .direct(contactID)), case .message(let content) = item.content
        {
            message = ContactRequest.Message(id: id, content: content)
        }
        return try handshake(
            .contactRequest(
                ContactRequest(
                    profile: presentation(of: profile, as: connection.incognito),
                    requestID: try store.requestKey(of: connection.id), welcomeMessageID: prepared?.welcomeID,
                    message: message)))
    }

    /// The message of a request to the link of a group or of a business: who the user is to its members.
    private func memberRequest(of profile: OwnProfile, _ connection: ContactConnection) throws -> Bytes {
        let presented = (connection.incognito ?? profile.profile).forMembers()
        let group = try connection.memberID.flatMap { try store.member($0) }.flatMap { try store.group($0.groupID) }
        var message: ContactRequest.Message?
        if let group, let id = group.prepared?.requestID, let item = try store.item(id, by: nil, in: group.id),
            case .message(let content) = item.content
        {
            message = ContactRequest.Message(id: id, content: content)
        }
        let request = ContactRequest(
            profile: presented, requestID: try store.requestKey(of: connection.id),
            welcomeMessageID: group?.prepared?.welcomeID, message: message)
        do throws(PayloadSizeError) {
            return try ChatPayload.prepare(
                ChatMessage(event: .contactRequest(request)).encoded, for: .handshake, postQuantum: false)
        } catch {
            throw ChatError.invalidProfile
        }
    }

    func handshake(_ event: ChatMessage.Event) throws -> Bytes {
        let message = ChatMessage(event: event)
        do throws(PayloadSizeError) {
            return try ChatPayload.prepare(message.encoded, for: .handshake, postQuantum: true)
        } catch {
            throw ChatError.invalidProfile
        }
    }

    /// Gives the agent the connections, acceptances and deletions that a crash may have kept from it.
    func retryPendingRequests() throws {
        let agent = try agent
        try retryDiscarding()
        try retryAccepting()
        for connection in try store.beginningConnections() where connection.memberID == nil {
            if try agent.contains(connection.id) {
                // The link, or its short form, was made and not written down.
                if connection.isInitiated, connection.shortLink == nil, let pair = try agent.links(of: connection.id) {
                    try store.transaction { try store.update(connection.id, link: Connector.text(of: pair)) }
                }
                continue
            }
            if let contact = try lookup.contact(through: connection), contact.invitesUser { continue }
            guard connection.status == .prepared, let text = connection.shortLink ?? connection.link,
                let link = try? ConnectionLink(text: text), let profile = try store.profile(connection.profileID),
                try servers.longestAddress(for: profile.id) != nil
            else {
                try store.transaction { try store.removeConnection(connection.id) }
                continue
            }
            do {
                try join(connection, link, profile)
            } catch AgentError.connection {
                try store.transaction { try store.update(connection.id, status: .failed, at: now) }
            }
        }
    }
}

extension StartedConnection {
    fileprivate init(_ profile: OwnProfile, _ link: ConnectionLink, _ connection: ContactConnection) {
        self.init(profile, link.kind == .invitation ? .confirmed(connection) : .requested(connection))
    }
}
