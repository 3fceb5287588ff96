package import ByteCoding
package import CryptoCore
package import SMPProtocol
package import Store
import SystemIO

/// The execution of commands without sockets: transmissions in, responses and events out (smp-agent.md 12).
///
/// The core works in turns. ``receive(_:from:)`` executes one transmission and may be called any number of times.
/// ``endTurn()`` stores the changes and returns the messages for clients. Clock and randomness are parameters, so that
/// a turn can be repeated.
///
/// The commands are in extensions, one for each group: ``RelayCore/create(_:_:)`` and the other commands of queues,
/// links, subscriptions, messages, notifiers, and forwarded commands.
package final class RelayCore {
    private(set) var rules: RelayRules
    let store: RelayStore
    let queues: QueueStore
    let messages: MessageStore
    let services: ServiceStore
    let random: any RandomSource
    private let clock: () -> Timestamp
    private let expiryClock: () -> Timestamp

    private var clients: [ClientID: Client] = [:]
    /// The requests of this turn's commands to the proxy.
    var proxyRequests: [ProxyRequest] = []
    /// The requests of this turn's commands to the resolver of names.
    var nameRequests: [NameRequest] = []
    /// The clients with messages at the end of the turn.
    private var addressees: [Client] = []
    /// The reason why the writes of this turn cannot be stored.
    private var failure: StoreError?

    /// The one subscription of each queue, by the queue's number. (GET creates none.)
    var subscribers: [Int64: ClientSubscription] = [:]
    var notifierSubscribers: [EntityID: Client] = [:]
    /// The one connection that receives for each service, by the service's number.
    var serviceSubscribers: [Int64: Client] = [:]
    var notifications = PendingNotifications()
    /// Subscribed notifiers with notifications.
    var owedNotifiers: Set<EntityID> = []
    /// The counters.
    package var statistics = RelayStatistics()
    /// True while commands are rejected because the disk is nearly full.
    package private(set) var isShortOfSpace = false

    /// Opens or creates the database.
    ///
    /// - Parameters:
    ///   - path: The database file, which is created if needed; ``Database/inMemory`` for none.
    ///   - expiryClock: The clock by which messages expire; nil for `clock`.
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
            // A disk whose free space is unknown does not count as full.
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
        services = try ServiceStore(store)
    }

    /// Applies other rules. Memory and file limits stay unchanged.
    package func apply(_ rules: RelayRules) {
        let newlyBlocked = rules.blocked.entries.filter { self.rules.blocked[$0.key] != $0.value }
        self.rules = rules
        store.reserve.size = rules.reserve
        store.sizeLimit = rules.sizeLimit
        attempt { try reportBlocking(newlyBlocked) }
    }

    /// True if a client is a session of this service.
    func isConnected(_ service: Int64) -> Bool {
        clients.values.contains { $0.service?.service.number == service }
    }

    var now: Timestamp { clock() }
    /// The time by which messages expire; see ``ExpiryClock``.
    var expiryTime: Timestamp { expiryClock() }
    /// The day, counted from 1970-01-01.
    var today: Int64 { now.seconds / 86_400 }

    func randomID() -> EntityID {
        EntityID(random.bytes(SMP.idSize))
    }

    // MARK: - Connections

    /// Adds a connection after its hellos.
    ///
    /// - Parameters:
    ///   - id: A unique id.
    ///   - relayKey: The relay's session key.
    ///   - clientKey: The client's session key.
    ///   - service: The service that the client is (``service(_:of:)``); nil for other clients.
    package func connect(
        _ id: ClientID, _ session: TransmissionSession, relayKey: X25519.PrivateKey, clientKey: X25519.PublicKey?,
        service: ClientService? = nil
    ) {
        clients[id] = Client(
            id: id, session: session, keys: SessionKeys(relayKey: relayKey, clientKey: clientKey), service: service,
            room: rules.room)
    }

    /// Removes a closed connection and its subscriptions.
    package func disconnect(_ id: ClientID) {
        guard let client = clients.removeValue(forKey: id) else { return }
        for number in client.subscriptions.keys { subscribers[number] = nil }
        for notifier in client.notifierSubscriptions { notifierSubscribers[notifier] = nil }
        if let number = client.service?.service.number, serviceSubscribers[number] === client {
            serviceSubscribers[number] = nil
        }
        statistics.subscriptions = subscribers.count
    }

    /// Returns true if the connection has subscriptions or unacknowledged messages.
    package func hasSubscriptions(_ id: ClientID) -> Bool {
        guard let client = clients[id] else { return false }
        let isService = client.service.map { serviceSubscribers[$0.service.number] === client } ?? false
        return isService || !client.subscriptions.isEmpty || !client.notifierSubscriptions.isEmpty
    }

    // MARK: - Turns

    /// Returns the connection while it is open, or nil.
    func client(_ id: ClientID) -> Client? {
        clients[id]
    }

    /// Returns true if another command of this connection may be executed. Its unread responses must fit into a few
    /// blocks, and a limited number of its commands may wait for other relays.
    package func accepts(_ id: ClientID) -> Bool {
        guard let client = clients[id] else { return false }
        return client.room.answers > 0 && client.proxyRequests < rules.proxyRequests
    }

    /// Executes one transmission.
    package func receive(_ received: Received, from id: ClientID) {
        guard let client = clients[id] else { return }
        statistics.commands += 1
        switch received {
        case .refused(let correlationID, let entityID, let error):
            tell(client, Answer(correlationID, entityID, .err(error)))
        case .command(let transmission, let command):
            let request = ClientRequest(
                transmission: transmission, command: command, client: client, session: client.session,
                service: client.service)
            if let answer = begin(command, request) { tell(client, answer) }
        }
    }

    /// Sets the number of blocks that a connection can be sent now. Messages that waited for room are sent with the
    /// current turn.
    package func makeRoom(_ blocks: Int, for id: ClientID) {
        guard let client = clients[id] else { return }
        client.room = Client.Room(blocks)
        attempt { try deliverWaiting(to: client) }
    }

    /// Stores the writes of this turn.
    ///
    /// - Returns: The messages for each client.
    /// - Throws: ``StoreError`` if they cannot be stored. The file then has no change of the turn, no message may be
    ///   sent, and this core is unusable, because its memory has the changes.
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

    /// Checkpoints the database's log if that is due. Call it after sending the responses, because it may wait for the
    /// disk.
    ///
    /// - Throws: ``StoreError`` if the disk fails. The log has all responses; this core is unusable.
    package func tidyUp() throws(StoreError) {
        try store.checkpointIfDue()
    }

    /// Returns true if messages for this connection wait for room.
    package func hasWaiting(_ id: ClientID) -> Bool {
        guard let client = clients[id] else { return false }
        return !client.waiting.isEmpty || client.service?.position != nil
    }

    /// Returns true if further queues of a service may have messages for this connection.
    package func hasFurtherQueues(_ id: ClientID) -> Bool {
        clients[id]?.service?.position != nil
    }

    // MARK: - Responses

    /// Executes a command. Every error becomes a response. Returns nil if the response follows later.
    func answer(to request: ClientRequest) -> Answer? {
        let writes = store.writeCount
        queues.beginCommand()
        let message: RelayMessage?
        do {
            message = try carryOut(request)
        } catch let error as ProtocolError {
            if error == .authorization {
                statistics.refusedCommands += 1
                attempt { try queues.levelLookUp(random) }
            }
            message = .err(error)
        } catch {
            // A command that fails after a write fails its whole turn.
            if store.writeCount != writes { fail(error) }
            message = .err(.store((error as? StoreError)?.code.rawValue ?? ""))
        }
        return message.map { Answer(request.transmission.correlationID, request.transmission.entityID, $0) }
    }

    func tell(_ client: Client, _ answer: Answer) {
        note(client)
        client.answers.append(answer)
        if answer.message.fillsBlock { client.room.answers -= 1 }
    }

    /// Sends an event to a client.
    func report(_ message: RelayMessage, of entityID: EntityID, to client: Client) {
        note(client)
        client.events.append(Answer(.empty, entityID, message))
    }

    private func note(_ client: Client) {
        if client.answers.isEmpty, client.events.isEmpty { addressees.append(client) }
    }

    /// Performs work without a command; an error fails the turn.
    func attempt(_ body: () throws -> Void) {
        do { try body() } catch { fail(error) }
    }

    private func fail(_ error: any Error) {
        failure = error as? StoreError ?? StoreError(.misuse)
    }

    // MARK: - Space

    /// Reserves disk space for a command that may write `bytes`. Must be called before its first write.
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

    /// Reserves `bytes` of the database's size.
    ///
    /// - Throws: `error` if the database would become too large.
    func requireRoom(_ bytes: Int, otherwise error: ProtocolError = .internal) throws {
        guard try store.hasRoom(bytes) else {
            statistics.refusedForLimit += 1
            throw error
        }
    }

    /// Checks the disk space between turns.
    ///
    /// - Returns: True if there is space with a margin, so that it is not short again at once.
    package func lookAtSpace() -> Bool {
        let hasSpace = measure(otherwise: true) { try store.couldGrow(Cost.message) }
        isShortOfSpace = !hasSpace
        return hasSpace && measure(otherwise: true) { try store.couldGrow(Cost.message + Cost.margin) }
    }

    /// Returns the limits of the store that are reached.
    ///
    /// - Parameter share: The part of each limit that counts as reached; less than 1 for a margin.
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

    /// The size of the used part of the database in bytes.
    package var usedSize: Int { measure(otherwise: 0) { try store.usedSize() } }

    /// The number of queues, and the number of stored messages.
    package var contents: (queues: Int, messages: Int) { (queues.count, messages.count) }

    /// The number of searches in the file for an id of a client.
    package var lookUps: Int { queues.lookUps }

    /// Returns the size of the database in pages.
    package func pageCount() throws(StoreError) -> Int { try store.pageCount() }

    /// Returns a property of the file, or `otherwise` if reading fails, which fails the turn.
    private func measure<Value>(otherwise: Value, _ body: () throws -> Value) -> Value {
        do {
            return try body()
        } catch {
            fail(error)
            return otherwise
        }
    }

    // MARK: - Commands

    /// Executes a command that a client sent itself. Returns nil if its response follows later.
    private func begin(_ command: ClientCommand, _ request: ClientRequest) -> Answer? {
        let message: RelayMessage?
        do throws(ProtocolError) {
            try checkService(request)
        } catch {
            return Answer(request.correlationID, request.entityID, .err(error))
        }
        switch command {
        case .prxy(let server, let password): message = askForSession(with: server, password: password, request)
        case .pfwd(let version, let key, let encrypted):
            message = askToForward(
                ForwardedCommand(
                    correlationID: request.correlationID, version: version, key: key, encrypted: encrypted),
                request)
        case .rslv(let domain): message = askForName(domain, request)
        default: return answer(to: request)
        }
        return message.map { Answer(request.correlationID, request.entityID, $0) }
    }

    private func carryOut(_ request: ClientRequest) throws -> RelayMessage? {
        switch request.command {
        case .ping: return .pong
        case .new(let queue): return try create(queue, request)
        case .sub: return try subscribe(recipientQueue(request), request)
        case .get: return try fetch(recipientQueue(request), request.client)
        case .ack(let messageID): return try acknowledge(messageID, recipientQueue(request), request.client)
        case .key(let key): return try secure(recipientQueue(request), with: key)
        case .rkey(let keys): return try setRecipientKeys(keys, recipientQueue(request))
        case .off: return try turnOff(recipientQueue(request, mayBeBlocked: true))
        case .del: return try delete(recipientQueue(request, mayBeBlocked: true), request.client)
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
        case .subs: return try subscribeService(request)
        case .nsubs: return try subscribeNotifierService(request)
        // A relay does not forward commands for proxies.
        case .prxy, .pfwd, .rslv: throw ProtocolError.command(.prohibited)
        }
    }
}

/// A command with its source.
struct ClientRequest {
    let transmission: Transmission
    let command: ClientCommand
    /// The connection: the client's own, or that of a proxy.
    let client: Client
    /// The session that its authorization covers, whose version may differ from that of the connection.
    let session: TransmissionSession
    /// The service that the client is; nil for other clients and for forwarded commands.
    let service: ClientService?

    var correlationID: CorrelationID { transmission.correlationID }
    var entityID: EntityID { transmission.entityID }
}

extension RelayMessage {
    /// True if the message takes a block of its own.
    fileprivate var fillsBlock: Bool {
        switch self {
        case .msg, .lnk, .pres, .rres: true
        default: false
        }
    }
}
