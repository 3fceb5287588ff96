import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol

/// Connections that begin with a link.
extension AgentEngine {
    // MARK: - Own links

    /// Creates the connection of an invitation whose queue a relay created. `keys` are the private halves of the link's
    /// keys.
    func invite(
        _ id: ConnectionID, _ profileID: ProfileID, _ keys: X3DHPrivateKeys, _ made: MadeQueue,
        postQuantum: PostQuantumSupport
    ) throws -> LinkPair {
        try insert(id, profileID, .initiator(made.queue, keys: keys, isPostQuantum: postQuantum != .off), made)
    }

    /// Creates the address whose queue a relay created.
    func createAddress(_ id: ConnectionID, _ profileID: ProfileID, _ made: MadeQueue) throws -> LinkPair {
        try insert(id, profileID, .address(made.queue), made)
    }

    private func insert(
        _ id: ConnectionID, _ profileID: ProfileID, _ connection: Connection, _ made: MadeQueue
    ) throws -> LinkPair {
        try commit { outcome in
            let stored = StoredConnection(id: id, profileID: profileID, connection: connection)
            try store.insert(stored, at: now())
            if let link = made.link { try store.insert(StoredLink(link: link, server: made.queue.server), of: id) }
            outcome.changedQueues = [id]
            guard let pair = try links(of: stored) else { throw AgentError.connection(.notReady) }
            return pair
        }
    }

    /// Returns the links of a connection without a joiner, or of an address.
    func links(of stored: StoredConnection) throws -> LinkPair? {
        guard let full = stored.connection.invitation ?? stored.connection.address else { return nil }
        let link = try store.link(of: stored.id)
        return LinkPair(
            full: full, short: link.flatMap { $0.isPublished ? $0.link.link(on: $0.server) : nil })
    }

    /// Puts a change of the content of an address or an unused invitation into the outbox.
    func show(_ content: Bytes, behindLinkOf id: ConnectionID) throws {
        try show(behindLinkOf: id) { $0.linkRecord(showing: content) }
    }

    /// Puts a change of the record of an address into the outbox.
    func show(_ record: AddressRecord, behindLinkOf id: ConnectionID) throws {
        try show(behindLinkOf: id) { $0.address == nil ? nil : .address(record) }
    }

    private func show(behindLinkOf id: ConnectionID, _ record: (Connection) -> UserLinkRecord?) throws {
        try commit { outcome in
            guard let connection = try store.connection(id)?.connection else { throw AgentError.unknownConnection }
            guard try store.link(of: id) != nil, let record = record(connection) else {
                throw AgentError.connection(.notReady)
            }
            try append([.setLink(record)], of: id, in: &outcome)
        }
    }

    /// Creates a short link for an address without one, and puts its records into the outbox. The link is not published
    /// before its relay has it.
    func addLink(to id: ConnectionID, showing content: Bytes) throws {
        try commit { outcome in
            guard let connection = try store.connection(id)?.connection else { throw AgentError.unknownConnection }
            guard let address = connection.address, let queue = connection.receiveQueue,
                let record = connection.linkRecord(showing: content)
            else { throw AgentError.connection(.notReady) }
            // SECURITY: store the link before sending, because the relay accepts only one link for the queue.
            if try store.link(of: id) == nil {
                let link = try OwnedLink(to: address, rootKey: Ed25519.PrivateKey(random: random), random: random)
                try store.insert(StoredLink(link: link, server: queue.server, isPublished: false), of: id)
            }
            try append([.setLink(record)], of: id, in: &outcome)
        }
    }

    // MARK: - Links of others

    /// Creates a connection that joins. A second call with the same id has no effect.
    func join(
        _ id: ConnectionID, _ profileID: ProfileID, _ link: ConnectionLink, information: Bytes,
        replyServer: ServerAddress, postQuantum: PostQuantumSupport
    ) throws {
        guard try !store.contains(id) else { return }
        let (connection, step) =
            switch link {
            case .full(.invitation(let queues, let offer)):
                try Connection.joiner(
                    queues, offer, information: information, replyServer: replyServer, random: random,
                    postQuantum: postQuantum)
            case .full(.contact(let queues)):
                try Connection.requester(
                    queues, information: information, replyServer: replyServer, random: random,
                    postQuantum: postQuantum)
            case .short(let link): Connection.opener(link, information: information, postQuantum: postQuantum)
            }
        try commit { outcome in
            if case .short(let link) = link { _ = try makeOpeningKey(of: link, profileID) }
            try store.insert(StoredConnection(id: id, profileID: profileID, connection: connection), at: now())
            try append(step.tasks, of: id, in: &outcome)
        }
    }

    /// Returns the key with which a profile opens an invitation, stored on return.
    func openingKey(of link: ShortLink, _ profileID: ProfileID) throws -> Ed25519.PrivateKey? {
        try commit { _ in try makeOpeningKey(of: link, profileID) }
    }

    private func makeOpeningKey(of link: ShortLink, _ profileID: ProfileID) throws -> Ed25519.PrivateKey? {
        guard link.kind == .invitation else { return nil }
        if let known = try store.openingKey(of: link, profileID) { return known }
        let key = Ed25519.PrivateKey(random: random)
        try store.insertOpeningKey(key, of: link, profileID)
        return key
    }

    /// Begins the handshake with the records of a link.
    func open(
        _ link: ShortLink, _ blobs: LinkBlobs, senderID: EntityID, _ stored: inout StoredConnection,
        in outcome: inout Outcome
    ) throws {
        let opened = try OpenedLink(blobs, of: link, senderID: senderID)
        let key = try store.openingKey(of: link, stored.profileID)
        try step(&stored, in: &outcome) { try $0.opened(opened, securedWith: key, random: random) }
    }

    // MARK: - Tasks

    /// Returns the inputs of a task's command besides its connection.
    func means(
        for task: ConnectionTask, of stored: StoredConnection, queueServer: @escaping () -> ConfiguredServer?
    ) throws -> TaskMeans {
        var openingKey: Ed25519.PrivateKey?
        var ownedLink: OwnedLink?
        switch task {
        case .openLink(let link): openingKey = try store.openingKey(of: link, stored.profileID)
        case .setLink, .deleteLink: ownedLink = try store.link(of: stored.id)?.link
        default: break
        }
        return TaskMeans(queueServer: queueServer, openingKey: openingKey, ownedLink: ownedLink, random: random)
    }
}

extension ConnectionProblem {
    /// Creates the problem of unusable link records; rethrows other errors.
    init(opening error: any Error) throws {
        switch error {
        case Connection.Failure.incompatible: self = .incompatible
        case is Connection.Failure, is LinkError: self = .badLink
        default: throw error
        }
    }
}

extension Connection {
    /// Returns the record of the own short link, or nil if the link can no longer be used.
    fileprivate func linkRecord(showing content: Bytes) -> UserLinkRecord? {
        if address != nil { return .address(AddressRecord(content: content)) }
        return invitation == nil ? nil : .invitation(content)
    }
}
