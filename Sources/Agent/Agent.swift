public import AgentProtocol
public import ByteCoding
public import PageCipher
public import SMPClient
public import SMPProtocol
public import Store
public import SystemIO

/// Why the agent did not do what it was asked.
public enum AgentError: Error, Hashable, Sendable {
    case unknownConnection
    case connection(Connection.Failure)
    /// A short link cannot be made or opened.
    case link(LinkError)
    /// A relay could not be used, or refused.
    case relay(ServerAddress, SessionError)
    case store(StoreError)

    init(_ error: any Error) {
        switch error {
        case let error as AgentError: self = error
        case let error as Connection.Failure: self = .connection(error)
        case let error as LinkError: self = .link(error)
        case let error as StoreError: self = .store(error)
        // Nothing else is thrown by a transaction.
        default: self = .store(StoreError(.misuse))
        }
    }
}

/// The connections of all profiles of a store.
public final class Agent {
    let engine: AgentEngine
    let environment: any AgentEnvironment
    let conditions: Conditions
    private let handler: (AgentEvent) -> Void
    private var undelivered: [AgentEvent] = []
    private var isDelivering = false
    var links: [LinkKey: RelayLink] = [:]
    var pauses: [LinkKey: Backoff] = [:]
    /// Relays that lost a queue, whose links may have to be closed.
    var left: Set<LinkKey> = []
    /// Connections whose outbox is worked through although nothing is received.
    var delivering: Set<ConnectionID> = []
    public internal(set) var activity = Activity.resting
    /// Stands for a crash in tests: called before and after every transaction, and may throw.
    package var checkpoint: () throws -> Void {
        get { engine.checkpoint }
        set { engine.checkpoint = newValue }
    }
    /// What made the agent stop: the database failed.
    public internal(set) var failure: AgentError?
    /// Names the message that is being read, if that ends the process; see ``noteCrash(reading:)``.
    public var crashNote: CrashNote? {
        get { receiver.crashNote }
        set { receiver.crashNote = newValue }
    }
    /// Told what is so at the moment.
    public var onNotice: (AgentNotice) -> Void = { _ in }

    lazy var router = SenderRouter(environment: environment) { [unowned self] key in link(key) }
    lazy var outbox = OutboxRunner(engine: engine, environment: environment) {
        [unowned self] profileID, task, finish in
        router.send(task.command, to: task.server, for: profileID, finish: finish)
    }
    lazy var disposal = QueueDisposal(engine: engine) { [unowned self] key in link(key) }
    /// How many receipts became due for connections since they were sent last.
    var receipts: [ConnectionID: Int] = [:]
    /// The server for a queue that replaces another: not one of those in use, if there is a choice.
    public var rotationServer: (ProfileID, [ServerAddress]) -> ConfiguredServer? {
        get { outbox.rotationServer }
        set { outbox.rotationServer = newValue }
    }
    lazy var receiver = Receiver(engine: engine) { [unowned self] key in link(key) }

    /// Opens or creates the database.
    ///
    /// - Parameters:
    ///   - key: The key of an encrypted database.
    ///   - slots: Who may have the key of a new encrypted one.
    ///   - servers: The server for a new queue of a profile, asked for at every attempt; the address is that of the other
    ///     side's queue.
    ///   - ownServers: All relays of a profile, which can be proxies for what it sends to others.
    ///   - handler: Gets each event when it is on disk. It answers with ``forgetEvents(through:)`` when what follows from
    ///     an event is on disk too.
    public init(
        _ path: String, _ access: Database.Access, key: StoreKey? = nil, slots: KeySlots? = nil,
        environment: any AgentEnvironment, durability: Database.Durability = .full,
        servers: @escaping (ProfileID, ServerAddress?) -> ConfiguredServer?,
        ownServers: @escaping (ProfileID) -> [ConfiguredServer] = { _ in [] },
        handler: @escaping (AgentEvent) -> Void
    ) throws(AgentError) {
        let store: AgentStore
        do { store = try AgentStore(path, access, key: key, slots: slots, durability) } catch {
            throw AgentError(error)
        }
        self.environment = environment
        self.handler = handler
        conditions = Conditions(environment: environment)
        engine = AgentEngine(store: store, random: environment.random) { environment.now }
        engine.onCommit = { [unowned self] outcome in follow(outcome) }
        router.ownServers = ownServers
        outbox.queueServer = servers
        outbox.onWarning = { [unowned self] task, error in warn(task, error) }
        outbox.onFailure = { [unowned self] error, id in fail(error, at: id) }
        receiver.onNotice = { [unowned self] notice in onNotice(notice) }
        receiver.onFailure = { [unowned self] error, id in fail(error, at: id) }
        receiver.onEmpty = { [unowned self] id in sendReceipts(of: id, isLast: true) }
        disposal.onFailure = { [unowned self] error in fail(error) }
    }

    deinit {
        disconnect()
    }

    // MARK: - Connections

    /// Begins a connection through any link. It is on disk when this returns; relays are asked later. The same id a second
    /// time changes nothing, so that a caller may repeat what a crash interrupted.
    ///
    /// Through an invitation the information is that of a handshake, through an address that of a request.
    ///
    /// - Parameter replyServer: Where the own queue will probably be, to know if the information fits.
    public func join(
        _ id: ConnectionID, _ profileID: ProfileID, _ link: ConnectionLink, information: Bytes,
        replyServer: ServerAddress, postQuantum: PostQuantumSupport
    ) throws(AgentError) {
        try tell {
            try engine.join(
                id, profileID, link, information: information, replyServer: replyServer, postQuantum: postQuantum)
        }
    }

    /// Whether there is a connection with an id.
    public func contains(_ id: ConnectionID) throws(AgentError) -> Bool {
        try tell { try engine.store.contains(id) }
    }

    /// Whether messages can be handed over for a connection.
    public func canSend(to id: ConnectionID) throws(AgentError) -> Bool {
        try tell { try engine.store.connection(id)?.connection.canSend ?? false }
    }

    /// Answers a joiner.
    public func allow(_ id: ConnectionID, information: Bytes) throws(AgentError) {
        try tell { try engine.allow(id, information: information) }
    }

    /// Puts a message into the outbox. It is on disk, encrypted, when this returns. The same token a second time changes
    /// nothing, so that a caller may repeat what a crash interrupted.
    ///
    /// - Parameter postQuantum: Switches the KEM on or off; nil leaves it as it is.
    /// - Returns: Whether the KEM protects what is sent now.
    @discardableResult
    public func send(
        _ body: Bytes, notifies: Bool, postQuantum: Bool? = nil, token: Bytes, to id: ConnectionID
    ) throws(AgentError) -> Bool {
        try tell { try engine.send(body, notifies: notifies, postQuantum: postQuantum, token: token, to: id) }
    }

    /// Takes a message out of the outbox that was put there with a token, and those that are about it: their tokens begin with
    /// its own. The other side is going to miss them: the messages behind them say that there were more.
    ///
    /// - Returns: Whether it will not be sent: false if it was sent, or is on its way to the relay.
    public func withdraw(_ token: Bytes, to id: ConnectionID) throws(AgentError) -> Bool {
        guard !outbox.isBusy(id) else { return false }
        return try tell { try engine.withdraw(token, to: id) }
    }

    /// What both sides of a connection compare; see ``Connection/securityHash``.
    public func securityHash(of id: ConnectionID) throws(AgentError) -> Bytes? {
        let stored = try tell { try engine.store.connection(id) }
        guard let stored else { throw .unknownConnection }
        return stored.connection.securityHash
    }

    /// Ends a connection when everything that was sent before has gone out.
    public func delete(_ id: ConnectionID) throws(AgentError) {
        try tell { try engine.delete(id) }
    }

    /// The longest message that a connection can take, in bytes.
    public func largestMessage(of id: ConnectionID) throws(AgentError) -> Int {
        let stored = try tell { try engine.store.connection(id) }
        guard let stored else { throw .unknownConnection }
        return stored.connection.largestMessage
    }

    /// Whether something of a connection waits to be done at a relay.
    public func hasTasks(_ id: ConnectionID) throws(AgentError) -> Bool {
        try tell { try engine.store.firstTask(of: id) != nil }
    }

    /// Whether messages of a connection leave room for the KEM, or would if it were switched on.
    public func isPostQuantum(_ id: ConnectionID, ifWanted isWanted: Bool) throws(AgentError) -> Bool {
        let stored = try tell { try engine.store.connection(id) }
        guard let stored else { throw .unknownConnection }
        return stored.connection.leavesRoom(ifWanted: isWanted)
    }

    /// How many messages of the application wait to be sent.
    public func waitingMessages() throws(AgentError) -> Int {
        try tell { try engine.store.waitingMessages() }
    }

    // MARK: - Events

    /// Hands over again the events behind `id`, which the application did not take over before it ended.
    ///
    /// Events that no version of the program wrote are set aside, see ``setAside(_:)``.
    ///
    /// - Returns: The ids and connections of events that were set aside.
    public func replayEvents(after id: Int64) throws(AgentError) -> [(Int64, ConnectionID)] {
        let (events, unreadable) = try tell { try engine.store.events(after: id) }
        for (id, _) in unreadable { try setAside(id) }
        deliver(events)
        return unreadable
    }

    /// Frees the pages of the database that are kept in memory.
    public func releaseMemory() {
        engine.store.database.releaseMemory()
    }

    /// Truncates the write-ahead log of the database if no process reads it. Returns true if the log is empty.
    public func forgetLog() throws(StoreError) -> Bool {
        try engine.store.database.truncateLogIfFree()
    }

    /// Counts that the application failed at an event.
    ///
    /// - Returns: How often it has failed at the event; 0 if the event is gone.
    public func noteFailure(ofEvent id: Int64) throws(AgentError) -> Int {
        try tell { try engine.commit { _ in try engine.store.noteFailure(ofEvent: id) } }
    }

    /// Counts that a former process ended by a fault while it read a message. After the second time the message is
    /// acknowledged without being read.
    ///
    /// - Parameter number: What ``crashNote`` has kept, which is negative for messages.
    public func noteCrash(reading number: Int64) throws(AgentError) {
        try tell { try engine.noteCrash(reading: number) }
    }

    /// The connection of an event that waits; nil if the event is gone.
    public func connectionID(ofEvent id: Int64) throws(AgentError) -> ConnectionID? {
        try tell { try engine.store.connectionID(ofEvent: id) }
    }

    /// Takes an event that the application cannot handle out of the line: it is kept, and never handed over again. No receipt is
    /// sent for its message.
    public func setAside(_ id: Int64) throws(AgentError) {
        engine.confirmed.remove(id)
        try tell { try engine.commit { _ in try engine.store.setAside(id, at: engine.now()) } }
    }

    /// Removes events that the application has stored, with the next transaction.
    public func forgetEvents(through id: Int64) {
        engine.forgottenThrough = id
    }

    /// Hands events over one after the other, also when the application's reaction causes more of them.
    func deliver(_ events: [AgentEvent]) {
        undelivered += events
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        while !undelivered.isEmpty { handler(undelivered.removeFirst()) }
    }

    func tell<Value>(_ body: () throws -> Value) throws(AgentError) -> Value {
        do { return try body() } catch { throw AgentError(error) }
    }
}

extension Agent {
    /// Asks for a receipt for the message of an event. It is sent when the event is forgotten, that is, when the application
    /// has stored what follows from it, together with others.
    public func confirm(_ event: AgentEvent) {
        guard case .connection(.msg) = event.content else { return }
        engine.confirmed.insert(event.id)
        receipts[event.connectionID, default: 0] += 1
    }

    /// Events up to `id` that were not forgotten before the program ended: receipts for them may be asked for again.
    public func unforgottenEvents(through id: Int64) throws(AgentError) -> [AgentEvent] {
        try tell { try engine.store.events(through: id) }
    }

    /// How many receipts are at most collected before they are sent.
    private static let batch = 100

    /// Sends the receipts that are due for a connection, if `isLast` says that no further message is about to come, or if
    /// there are enough of them.
    func sendReceipts(of id: ConnectionID, isLast: Bool) {
        guard activity != .resting, let count = receipts[id], isLast || count >= Agent.batch else { return }
        receipts[id] = nil
        do { try engine.sendReceipts(of: id) } catch { fail(error, at: id) }
    }

    /// Sends all receipts that are due.
    func sendAllReceipts() throws {
        for id in try engine.store.connectionsWithDueReceipts() {
            receipts[id] = nil
            do { try engine.sendReceipts(of: id) } catch { fail(error, at: id) }
        }
    }
}

/// What keeps a connection in order.
extension Agent {
    /// Begins to replace the own queue of a connection by one at another server, if there is another.
    public func switchQueue(of id: ConnectionID) throws(AgentError) {
        try tell { try engine.switchQueue(of: id) }
    }

    /// Keeps the own queue after all, which is possible until the other side has answered.
    public func abortSwitch(of id: ConnectionID) throws(AgentError) {
        try tell { try engine.abortSwitch(of: id) }
    }

    /// Asks the other side for a new ratchet.
    ///
    /// - Parameter force: Also if nothing seems to be wrong, or if it was asked for before without an answer.
    public func synchronize(_ id: ConnectionID, force: Bool) throws(AgentError) {
        try tell { try engine.synchronize(id, force: force) }
    }

    /// How a connection is.
    public func condition(of id: ConnectionID) throws(AgentError) -> ConnectionCondition {
        let stored = try tell { try engine.store.connection(id) }
        guard let stored else { throw .unknownConnection }
        return ConnectionCondition(stored.connection)
    }
}
