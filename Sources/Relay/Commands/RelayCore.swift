package import ByteCoding
package import CryptoCore
package import SMPProtocol
package import Store
import SystemIO

/// What a relay does with commands: transmissions in, answers and events out.
///
/// It works in turns. ``receive(_:from:)`` carries out one transmission and may be called any number of times;
/// ``endTurn()`` makes everything last and returns what the clients are told. Clock and randomness come from outside, so
/// that a turn can be repeated.
///
/// The commands are in extensions, one for each group: ``RelayCore/create(_:_:)`` and the other commands about queues,
/// links, subscriptions, messages, notifiers, and forwarded commands.
package final class RelayCore {
    private(set) var rules: RelayRules
    let store: RelayStore
    let queues: QueueStore
    let messages: MessageStore
    let random: any RandomSource
    private let clock: () -> Timestamp
    private let expiryClock: () -> Timestamp

    private var clients: [ClientID: Client] = [:]
    /// What the commands of this turn ask of the proxy.
    var proxyRequests: [ProxyRequest] = []
    /// Whom there is something to tell at the end of the turn.
    private var addressees: [Client] = []
    /// Why the writes of this turn cannot be kept.
    private var failure: StoreError?

    /// The one subscription of each queue, by the queue's number. (GET makes none.)
    var subscribers: [Int64: ClientSubscription] = [:]
    var notifierSubscribers: [EntityID: Client] = [:]
    var notifications = PendingNotifications()
    /// Subscribed notifiers with notifications.
    var owedNotifiers: Set<EntityID> = []
    package var statistics = RelayStatistics()
    /// True while commands are refused because the disk is nearly full.
    package private(set) var isShortOfSpace = false

    /// - Parameters:
    ///   - path: The database file, which is created if needed; ``Database/inMemory`` for none.
    ///   - expiryClock: The time by which messages expire; nil for `clock`.
    package init(
        _ path: String, durability: Database.Durability = .process, exists: Bool, rules: RelayRules,
        clock: @escaping () -> Timestamp, expiryClock: (() -> Timestamp)? = nil, random: any RandomSource
    ) throws {
        self.rules = rules
        self.clock = clock
        self.expiryClock = expiryClock ?? clock
        self.random = random
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let reserve = StorageReserve(size: rules.reserve) {
            // A disk that cannot be asked is not known to be full.
            if path == Database.inMemory {
                .max
            } else {
                rules.freeSpace?() ?? (try? Files.freeSpace(at: folder)) ?? .max
            }
        }
        store = try RelayStore(
            path, durability: durability, exists: exists, pageLimit: rules.pageLimit, fullAt: rules.fullAt,
            reserve: reserve, checkpointPages: rules.checkpointPages)
        store.sizeLimit = rules.sizeLimit
        queues = try QueueStore(store, cacheLimit: rules.cachedQueues)
        messages = try MessageStore(store, freshLimit: rules.freshMessages)
    }

    /// Goes by other rules from now on. What has to do with memory and the file stays as it was.
    package func apply(_ rules: RelayRules) {
        self.rules = rules
        store.reserve.size = rules.reserve
        store.sizeLimit = rules.sizeLimit
    }

    var now: Timestamp { clock() }
    /// The time by which messages expire; see ``ExpiryClock``.
    var expiryTime: Timestamp { expiryClock() }
    /// Days since 1970.
    var today: Int64 { now.seconds / 86_400 }

    func randomID() -> EntityID {
        EntityID(random.bytes(SMP.idSize))
    }

    // MARK: - Connections

    /// Takes note of a connection whose hellos are done.
    ///
    /// - Parameters:
    ///   - id: A name that no other connection has or had.
    ///   - relayKey: The relay's key of this connection.
    ///   - clientKey: The key in the client's hello.
    package func connect(
        _ id: ClientID, _ session: TransmissionSession, relayKey: X25519.PrivateKey, clientKey: X25519.PublicKey?
    ) {
        clients[id] = Client(
            id: id, session: session, keys: SessionKeys(relayKey: relayKey, clientKey: clientKey), room: rules.room)
    }

    /// Ends the subscriptions of a connection that is gone.
    package func disconnect(_ id: ClientID) {
        guard let client = clients.removeValue(forKey: id) else { return }
        for number in client.subscriptions.keys { subscribers[number] = nil }
        for notifier in client.notifierSubscriptions { notifierSubscribers[notifier] = nil }
        statistics.subscriptions = subscribers.count
    }

    /// Whether the connection keeps anything that it would miss.
    package func hasSubscriptions(_ id: ClientID) -> Bool {
        guard let client = clients[id] else { return false }
        return !client.subscriptions.isEmpty || !client.notifierSubscriptions.isEmpty
    }

    // MARK: - Turns

    /// The connection, while it is open.
    func client(_ id: ClientID) -> Client? {
        clients[id]
    }

    /// Whether another command of this connection may be carried out: what it has not read yet has to fit into a few
    /// blocks, and only so many of its commands may wait for other relays.
    package func accepts(_ id: ClientID) -> Bool {
        guard let client = clients[id] else { return false }
        return client.room.answers > 0 && client.proxyRequests < rules.proxyRequests
    }

    /// Carries out one transmission.
    package func receive(_ received: Received, from id: ClientID) {
        guard let client = clients[id] else { return }
        statistics.commands += 1
        switch received {
        case .refused(let correlationID, let entityID, let error):
            tell(client, Answer(correlationID, entityID, .err(error)))
        case .command(let transmission, let command):
            let request = ClientRequest(
                transmission: transmission, command: command, client: client, session: client.session)
            if let answer = begin(command, request) { tell(client, answer) }
        }
    }

    /// Takes note of how many blocks a connection can be sent now. Messages that waited for room are among what the
    /// current turn tells it.
    package func makeRoom(_ blocks: Int, for id: ClientID) {
        guard let client = clients[id] else { return }
        client.room = Client.Room(blocks)
        attempt { try deliverWaiting(to: client) }
    }

    /// Makes the writes of this turn last.
    ///
    /// - Returns: What to tell whom.
    /// - Throws: If they cannot be kept. Nothing of the turn has happened in the file then, no client must be told
    ///   anything, and this core is of no further use: what it has in memory has happened.
    package func endTurn() throws -> [(connection: ClientID, told: [Answer])] {
        if let failure {
            store.rollback()
            throw failure
        }
        try store.commit()
        defer { addressees.removeAll(keepingCapacity: true) }
        return addressees.map { client in
            defer {
                client.answers.removeAll(keepingCapacity: false)
                client.events.removeAll(keepingCapacity: false)
            }
            return (client.id, client.answers + client.events)
        }
    }

    /// Has the database's log copied into its file if that is due. When the answers of the turn have left, because it may
    /// wait for the disk.
    ///
    /// - Throws: If the disk fails. What was answered is in the log; this core is of no further use.
    package func tidyUp() throws(StoreError) {
        try store.checkpointIfDue()
    }

    /// Whether a later turn has something to tell this connection when there is room.
    package func hasWaiting(_ id: ClientID) -> Bool {
        !(clients[id]?.waiting.isEmpty ?? true)
    }

    // MARK: - Answers

    /// Carries out a command. Every error becomes an answer.
    func answer(to request: ClientRequest) -> Answer {
        let writes = store.writeCount
        queues.beginCommand()
        let message: RelayMessage
        do {
            message = try carryOut(request)
        } catch let error as ProtocolError {
            if error == .authorization {
                statistics.refusedCommands += 1
                attempt { try queues.levelLookUp(random) }
            }
            message = .err(error)
        } catch {
            // A command that has written something and then fails takes its turn with it.
            if store.writeCount != writes { fail(error) }
            message = .err(.store((error as? StoreError)?.code.rawValue ?? ""))
        }
        return Answer(request.transmission.correlationID, request.transmission.entityID, message)
    }

    func tell(_ client: Client, _ answer: Answer) {
        note(client)
        client.answers.append(answer)
        if answer.message.fillsBlock { client.room.answers -= 1 }
    }

    /// Tells a client what it did not ask for.
    func report(_ message: RelayMessage, of entityID: EntityID, to client: Client) {
        note(client)
        client.events.append(Answer(.empty, entityID, message))
    }

    private func note(_ client: Client) {
        if client.answers.isEmpty, client.events.isEmpty { addressees.append(client) }
    }

    /// Does what no command asked for; an error takes the turn with it.
    func attempt(_ body: () throws -> Void) {
        do { try body() } catch { fail(error) }
    }

    private func fail(_ error: any Error) {
        failure = error as? StoreError ?? StoreError(.misuse)
    }

    // MARK: - Space

    /// Takes space for a command that may write `bytes`. Nothing must have been written by it yet.
    ///
    /// - Throws: `error` if the disk is too full.
    func requireSpace(
        _ bytes: Int, for purpose: StorageReserve.Purpose = .growth, otherwise error: ProtocolError = .internal
    ) throws {
        let hasSpace = try store.hasSpace(bytes, for: purpose)
        if !hasSpace || purpose == .growth { isShortOfSpace = !hasSpace }
        guard hasSpace else {
            statistics.refusedForSpace += 1
            throw error
        }
    }

    /// Takes room for `bytes` more of the database.
    ///
    /// - Throws: `error` if the database may not become so large.
    func requireRoom(_ bytes: Int, otherwise error: ProtocolError = .internal) throws {
        guard try store.hasRoom(bytes) else {
            statistics.refusedForLimit += 1
            throw error
        }
    }

    /// Looks whether the disk has space for what clients may send. Between turns.
    ///
    /// - Returns: True if there is more than needed by a margin, so that it will not be short again at once.
    package func lookAtSpace() -> Bool {
        let hasSpace = measure(otherwise: true) { try store.couldGrow(Cost.message) }
        isShortOfSpace = !hasSpace
        return hasSpace && measure(otherwise: true) { try store.couldGrow(Cost.message + Cost.margin) }
    }

    /// The limits of the store that are reached.
    ///
    /// - Parameter share: The part of each limit that counts as reached: less than 1 to see whether there is room by a margin.
    package func reachedLimits(_ share: Double = 1) -> Set<StoreLimit> {
        func isReached(_ count: Int, _ limit: Int) -> Bool { limit < .max && Double(count) >= Double(limit) * share }
        var reached: Set<StoreLimit> = []
        if isReached(queues.count, rules.queueLimit) { reached.insert(.queues) }
        if isReached(messages.count, rules.messageLimit) { reached.insert(.messages) }
        if rules.sizeLimit < .max, !messages.hasFreeSlot,
            isReached(usedSize + Cost.message, rules.sizeLimit)
        {
            reached.insert(.size)
        }
        return reached
    }

    /// How many bytes of the database are in use.
    package var usedSize: Int { measure(otherwise: 0) { try store.usedSize() } }

    /// How many queues there are, and how many messages wait in them.
    package var contents: (queues: Int, messages: Int) { (queues.count, messages.count) }

    /// How often the file was searched for an id that a client gave.
    package var lookUps: Int { queues.lookUps }

    /// How many pages the database has.
    package func pageCount() throws(StoreError) -> Int { try store.pageCount() }

    /// What the file says about itself; `otherwise` if it cannot be read, which takes the turn with it.
    private func measure<Value>(otherwise: Value, _ body: () throws -> Value) -> Value {
        do {
            return try body()
        } catch {
            fail(error)
            return otherwise
        }
    }

    // MARK: - Commands

    /// Carries out a command that a client sent itself; nil if its answer comes later.
    private func begin(_ command: ClientCommand, _ request: ClientRequest) -> Answer? {
        let message: RelayMessage?
        switch command {
        case .prxy(let server, let password): message = askForSession(with: server, password: password, request)
        case .pfwd(let version, let key, let encrypted):
            message = askToForward(
                ForwardedCommand(
                    correlationID: request.correlationID, version: version, key: key, encrypted: encrypted),
                request)
        default: return answer(to: request)
        }
        return message.map { Answer(request.correlationID, request.entityID, $0) }
    }

    private func carryOut(_ request: ClientRequest) throws -> RelayMessage {
        guard request.transmission.serviceSignature == nil else { throw ProtocolError.service }
        switch request.command {
        case .ping: return .pong
        case .new(let queue): return try create(queue, request)
        case .sub: return try subscribe(recipientQueue(request), request.client)
        case .get: return try fetch(recipientQueue(request), request.client)
        case .ack(let messageID): return try acknowledge(messageID, recipientQueue(request), request.client)
        case .key(let key): return try secure(recipientQueue(request), with: key)
        case .rkey(let keys): return try setRecipientKeys(keys, recipientQueue(request))
        case .off: return try turnOff(recipientQueue(request))
        case .del: return try delete(recipientQueue(request), request.client)
        case .que: return try state(of: recipientQueue(request), request.client)
        case .lset(let linkID, let blobs): return try setLink(linkID, blobs, recipientQueue(request))
        case .ldel: return try deleteLink(recipientQueue(request))
        case .nkey(let keys): return try setNotifier(keys, recipientQueue(request), request.client)
        case .ndel: return try deleteNotifier(recipientQueue(request), request.client)
        case .send(let flags, let body): return try send(body, flags, request)
        case .skey(let key): return try secureBySender(with: key, request)
        case .lkey(let key): return try secureByLink(with: key, request)
        case .lget: return try link(request)
        case .nsub: return try subscribeNotifier(request)
        case .rfwd(let encrypted): return try forward(encrypted, request)
        // There are no services at this relay, so that nobody can sign for one.
        case .subs, .nsubs: throw ProtocolError.service
        // Nobody is a proxy for a proxy.
        case .prxy, .pfwd: throw ProtocolError.command(.prohibited)
        }
    }
}

/// A command, whoever brought it.
struct ClientRequest {
    let transmission: Transmission
    let command: ClientCommand
    /// The connection that it came from: the client's own, or that of a proxy.
    let client: Client
    /// What its authorization covers: the version may be another than that of the connection.
    let session: TransmissionSession

    var correlationID: CorrelationID { transmission.correlationID }
    var entityID: EntityID { transmission.entityID }
}

extension RelayMessage {
    /// Whether it takes a block for itself.
    fileprivate var fillsBlock: Bool {
        switch self {
        case .msg, .lnk, .pres, .rres: true
        default: false
        }
    }
}
