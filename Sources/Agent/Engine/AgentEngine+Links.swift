import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol

/// Connections that begin with a link.
extension AgentEngine {
    // MARK: - Own links

    /// A connection behind an invitation that a relay has just made a queue for. `keys` are those in the link.
    func invite(
        _ id: ConnectionID, _ profileID: ProfileID, _ keys: X3DHPrivateKeys, _ made: MadeQueue,
        postQuantum: PostQuantumSupport
    ) throws -> LinkPair {
        try insert(id, profileID, .initiator(made.queue, keys: keys, isPostQuantum: postQuantum != .off), made)
    }

    /// An address that a relay has just made a queue for.
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

    /// The links to a connection that waits for somebody, or to an address.
    func links(of stored: StoredConnection) throws -> LinkPair? {
        guard let full = stored.connection.invitation ?? stored.connection.address else { return nil }
        let link = try store.link(of: stored.id)
        return LinkPair(
            full: full, short: link.flatMap { $0.isPublished ? $0.link.link(on: $0.server) : nil })
    }

    /// Puts a change of what an address or a waiting invitation shows into the outbox.
    func show(_ content: Bytes, behindLinkOf id: ConnectionID) throws {
        try commit { outcome in
            guard let connection = try store.connection(id)?.connection else { throw AgentError.unknownConnection }
            guard try store.link(of: id) != nil, let record = connection.linkRecord(showing: content) else {
                throw AgentError.connection(.notReady)
            }
            try append([.setLink(record)], of: id, in: &outcome)
        }
    }

    /// Makes a short link to an address that has none, and puts what it shows into the outbox. Nobody is given the link
    /// before its relay has taken it.
    func addLink(to id: ConnectionID, showing content: Bytes) throws {
        try commit { outcome in
            guard let connection = try store.connection(id)?.connection else { throw AgentError.unknownConnection }
            guard let address = connection.address, let queue = connection.receiveQueue,
                let record = connection.linkRecord(showing: content)
            else { throw AgentError.connection(.notReady) }
            // SECURITY: it is stored before the relay hears of it, which would never take another one for the queue.
            if try store.link(of: id) == nil {
                let link = try OwnedLink(to: address, rootKey: Ed25519.PrivateKey(random: random), random: random)
                try store.insert(StoredLink(link: link, server: queue.server, isPublished: false), of: id)
            }
            try append([.setLink(record)], of: id, in: &outcome)
        }
    }

    // MARK: - Links of others

    /// A connection that joins. The same id a second time changes nothing.
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

    /// The key with which a profile opens an invitation. It is on disk when this returns.
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

    /// Begins the handshake with what a relay keeps for a link.
    func open(
        _ link: ShortLink, _ blobs: LinkBlobs, senderID: EntityID, _ stored: inout StoredConnection,
        in outcome: inout Outcome
    ) throws {
        let opened = try OpenedLink(blobs, of: link, senderID: senderID)
        let key = try store.openingKey(of: link, stored.profileID)
        try step(&stored, in: &outcome) { try $0.opened(opened, securedWith: key, random: random) }
    }

    // MARK: - Tasks

    /// What the command of a task needs besides its connection.
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
    /// Why what a relay keeps for a link was of no use; throws what has nothing to do with it.
    init(opening error: any Error) throws {
        switch error {
        case Connection.Failure.incompatible: self = .incompatible
        case is Connection.Failure, is LinkError: self = .badLink
        default: throw error
        }
    }
}

extension Connection {
    /// What the own short link is to show; nil if nobody can use it any more.
    fileprivate func linkRecord(showing content: Bytes) -> UserLinkRecord? {
        if address != nil { return .address(AddressRecord(content: content)) }
        return invitation == nil ? nil : .invitation(content)
    }
}
