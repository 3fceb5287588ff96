public import AgentProtocol
public import ByteCoding
import CryptoCore
import Ratchet
import SMPClient
public import SMPProtocol

/// Links: own links to connect through, and links of others.
extension Agent {
    // MARK: - Own links

    /// Creates a queue with an invitation (smp-agent.md 7.6). `finish` gets the links for the other side.
    ///
    /// - Parameters:
    ///   - id: The id of the connection, chosen by the application.
    ///   - content: The content behind the short link.
    public func invite(
        _ id: ConnectionID, _ profileID: ProfileID, server: ConfiguredServer, showing content: Bytes,
        postQuantum: PostQuantumSupport, finish: @escaping (Result<LinkPair, AgentError>) -> Void
    ) {
        let keys = X3DHPrivateKeys(proposesKEM: postQuantum == .inLink, random: RandomRatchetKeys(engine.random))
        let attempt: QueueAttempt
        do throws(LinkError) {
            let new = try NewLinkedQueue.invitation(
                on: server.address, keys.offer(RatchetVersion.supported), random: engine.random)
            attempt = try QueueAttempt(
                new, mode: .messaging, showing: .invitation(content), on: server, random: engine.random)
        } catch {
            return finish(.failure(.link(error)))
        }
        make(attempt, profileID, server, finish: finish) { agent, made in
            try agent.engine.invite(id, profileID, keys, made, postQuantum: postQuantum)
        }
    }

    /// Creates the queue of an address, which takes requests until it is deleted (smp-agent.md 7.8). `finish` gets the
    /// links to publish.
    ///
    /// Requests arrive as ``ConnectionEvent/req(_:information:)``. To accept a request is to join its invitation.
    ///
    /// - Parameters:
    ///   - clientText: Text for the application, in the full link.
    ///   - identity: The key and the id in the fixed record; nil for a new key without an id.
    public func createAddress(
        _ id: ConnectionID, _ profileID: ProfileID, server: ConfiguredServer, showing content: Bytes,
        clientText: String? = nil, identity: AddressIdentity? = nil,
        finish: @escaping (Result<LinkPair, AgentError>) -> Void
    ) {
        let new = { [engine] in
            try NewLinkedQueue.address(
                on: server.address, clientText: clientText, entityID: identity?.entityID, rootKey: identity?.rootKey,
                random: engine.random)
        }
        makeAddress(new, profileID, server, AddressRecord(content: content), finish: finish) { agent, made in
            try agent.engine.createAddress(id, profileID, made)
        }
    }

    /// Creates the queue of an address whose link was prepared, because the record behind it names it (network-7.md 4.4).
    /// `finish` gets the links to publish.
    ///
    /// - Parameters:
    ///   - new: The prepared queue, for one attempt.
    ///   - record: The record behind the short link.
    public func createAddress(
        _ id: ConnectionID, _ profileID: ProfileID, _ new: NewLinkedQueue, server: ConfiguredServer,
        showing record: AddressRecord, finish: @escaping (Result<LinkPair, AgentError>) -> Void
    ) {
        makeAddress({ new }, profileID, server, record, finish: finish) { agent, made in
            // Without its link the queue has no use.
            guard made.link != nil else { throw AgentError.relay(server.address, .unexpectedAnswer) }
            return try agent.engine.createAddress(id, profileID, made)
        }
    }

    private func makeAddress(
        _ new: () throws -> NewLinkedQueue, _ profileID: ProfileID, _ server: ConfiguredServer,
        _ record: AddressRecord, finish: @escaping (Result<LinkPair, AgentError>) -> Void,
        store: @escaping (Agent, MadeQueue) throws -> LinkPair
    ) {
        let attempt: QueueAttempt
        do throws(AgentError) {
            attempt = try tell {
                try engine.refuseNoticed(server.address, isPreset: isPreset)
                return try QueueAttempt(
                    try new(), mode: .contact, showing: .address(record), on: server, random: engine.random)
            }
        } catch {
            return finish(.failure(error))
        }
        make(attempt, profileID, server, finish: finish, record: store)
    }

    private func make(
        _ attempt: QueueAttempt, _ profileID: ProfileID, _ server: ConfiguredServer,
        finish: @escaping (Result<LinkPair, AgentError>) -> Void,
        record: @escaping (Agent, MadeQueue) throws -> LinkPair
    ) {
        let link = link(LinkKey(profileID: profileID, server: server.address))
        let finish = limited(server.address, finish)
        link.send(attempt.command) { [weak self] answer in
            guard let self, finish.isAwaited else { return }
            do throws(AgentError) {
                let made = try attempt.made(answer)
                finish(.success(try tell { try record(self, made) }))
            } catch {
                finish(.failure(error))
            }
        }
    }

    /// Changes the content behind the short link of an address or an unused invitation. The change is in the outbox on
    /// return.
    ///
    /// - Throws: ``AgentError``.
    public func show(_ content: Bytes, behindLinkOf id: ConnectionID) throws(AgentError) {
        try tell { try engine.show(content, behindLinkOf: id) }
    }

    /// Changes the record behind the short link of an address. The change is in the outbox on return. If the record is not
    /// direct, ``AgentEvent/Content/link(_:)`` follows when the relay has it.
    ///
    /// - Throws: ``AgentError``.
    public func show(_ record: AddressRecord, behindLinkOf id: ConnectionID) throws(AgentError) {
        try tell { try engine.show(record, behindLinkOf: id) }
    }

    /// Adds a short link to an address without one. The task is in the outbox on return. ``links(of:)`` includes the
    /// link when the relay has it.
    ///
    /// - Throws: ``AgentError``.
    public func addLink(to id: ConnectionID, showing content: Bytes) throws(AgentError) {
        try tell { try engine.addLink(to: id, showing: content) }
    }

    /// Returns the links of an address, or of a connection without a joiner.
    ///
    /// - Throws: ``AgentError``.
    public func links(of id: ConnectionID) throws(AgentError) -> LinkPair? {
        try tell { try engine.store.connection(id).flatMap { try engine.links(of: $0) } }
    }

    /// Signs bytes with the key of the short link of an address, as proof that this side made the link.
    ///
    /// - Returns: The Ed25519 signature, or nil for a connection without a link.
    /// - Throws: ``AgentError``.
    public func sign(_ bytes: Bytes, withLinkKeyOf id: ConnectionID) throws(AgentError) -> Bytes? {
        try tell { try engine.store.link(of: id)?.link.signer.sign(bytes) }
    }

    // MARK: - Links of others

    /// Reads the records behind a short link from its relay.
    ///
    /// Opening an invitation reserves it: only this profile can join it later.
    public func open(
        _ link: ShortLink, _ profileID: ProfileID, finish: @escaping (Result<OpenedLink, AgentError>) -> Void
    ) {
        let server: ServerAddress
        let command: RelayRequest
        do throws(AgentError) {
            server = try tell { try link.usableServer() }
            let key = try tell { try engine.openingKey(of: link, profileID) }
            command =
                key.map { RelayRequest(opening: link, with: $0) } ?? RelayRequest(.lget, entityID: link.linkID)
        } catch {
            return finish(.failure(error))
        }
        let finish = limited(server, finish)
        // The relay belongs to another user, so the command takes the same route as messages.
        router.send(command, to: server, for: profileID) { [weak self] outcome in
            guard let self else { return }
            do throws(AgentError) {
                switch outcome {
                case .answered(let answer): finish(.success(try tell { try Agent.opened(link, on: server, answer) }))
                case .undelivered(let obstacle): throw .relay(obstacle.server, obstacle.error)
                }
            } catch {
                finish(.failure(error))
            }
        }
    }

    private static func opened(
        _ link: ShortLink, on server: ServerAddress, _ answer: RelaySession.Answer
    ) throws -> OpenedLink {
        switch answer {
        case .success(.lnk(let senderID, let blobs)): return try OpenedLink(blobs, of: link, senderID: senderID)
        case .success: throw AgentError.relay(server, .unexpectedAnswer)
        case .failure(let error): throw AgentError.relay(server, error)
        }
    }

    // MARK: - Names

    /// Requests the record of a name from a relay that resolves names (SMP v20). The command takes the same route as
    /// messages.
    ///
    /// SECURITY: the relay and its resolver may lie. The links of the record are unverified.
    public func resolve(
        _ domain: SimplexDomain, _ profileID: ProfileID, at server: ServerAddress,
        finish: @escaping (Result<NameRecord, AgentError>) -> Void
    ) {
        let finish = limited(server, finish)
        router.send(RelayRequest(.rslv(domain)), to: server, for: profileID) { outcome in
            switch outcome {
            case .answered(.success(.rname(let record))): finish(.success(record))
            case .answered(.success): finish(.failure(.relay(server, .unexpectedAnswer)))
            case .answered(.failure(let error)): finish(.failure(.relay(server, error)))
            case .undelivered(let obstacle): finish(.failure(.relay(obstacle.server, obstacle.error)))
            }
        }
    }

    // MARK: - Deadlines

    /// Returns a `finish` that gets the response to a request, or ``SessionError/timedOut`` after
    /// ``AgentEnvironment/requestDeadline``.
    private func limited<Value>(
        _ server: ServerAddress, _ finish: @escaping (Result<Value, AgentError>) -> Void
    ) -> PendingRequest<Value> {
        let request = PendingRequest(finish)
        request.cancelTimer = environment.after(environment.requestDeadline) {
            request(.failure(.relay(server, .timedOut)))
        }
        return request
    }
}

/// A request that finishes once: with its response, or after the deadline.
private final class PendingRequest<Value> {
    private var finish: ((Result<Value, AgentError>) -> Void)?
    var cancelTimer: () -> Void = {}

    init(_ finish: @escaping (Result<Value, AgentError>) -> Void) {
        self.finish = finish
    }

    var isAwaited: Bool { finish != nil }

    func callAsFunction(_ result: Result<Value, AgentError>) {
        cancelTimer()
        let finish = finish
        self.finish = nil
        finish?(result)
    }
}

/// An attempt to create a queue, with a short link if the relay supports them.
final class QueueAttempt {
    private let server: ConfiguredServer
    private let new: NewLinkedQueue
    private let linked: RelayRequest
    private let plainKeys: NewQueueKeys
    private let plain: RelayRequest
    private var isLinked = false

    /// Creates an attempt.
    ///
    /// - Throws: ``LinkError`` if the link cannot be made, as with a record that is too large.
    init(
        _ new: NewLinkedQueue, mode: QueueMode, showing record: UserLinkRecord, on server: ConfiguredServer,
        random: any RandomSource
    ) throws(LinkError) {
        self.server = server
        self.new = new
        let request = try new.request(
            showing: record, password: server.password, subscription: .createOnly, random: random)
        linked = RelayRequest(.new(request), key: new.authorizationKey, correlationID: new.correlationID)
        plainKeys = NewQueueKeys(random: random)
        plain = plainKeys.command(mode: mode, password: server.password)
    }

    /// Returns NEW for a relay of `version`.
    func command(version: UInt16) -> RelayRequest {
        isLinked = version >= SMP.shortLinks
        return isLinked ? linked : plain
    }

    /// Returns the queue in the response.
    func made(_ answer: RelaySession.Answer) throws(AgentError) -> MadeQueue {
        switch answer {
        case .success(.ids(let ids)):
            if isLinked, let made = try? new.made(ids) { return MadeQueue(queue: made.queue, link: made.link) }
            guard !isLinked, let queue = try? plainKeys.queue(on: server.address, ids: ids) else {
                throw .relay(server.address, .unexpectedAnswer)
            }
            return MadeQueue(queue: queue, link: nil)
        case .success: throw .relay(server.address, .unexpectedAnswer)
        case .failure(let error): throw .relay(server.address, error)
        }
    }
}

/// A new queue with its short link.
struct MadeQueue {
    let queue: ReceiveQueue
    /// The short link; nil if the relay does not support short links.
    let link: OwnedLink?
}
