public import AgentProtocol
public import ByteCoding
public import PageCipher
public import SMPClient
public import SMPProtocol
public import Store
public import SystemIO

/// The reason why a request to the agent failed.
public enum AgentError: Error, Hashable, Sendable {
    /// There is no connection with this id.
    case unknownConnection
    /// The connection rejected the operation.
    case connection(Connection.Failure)
    /// A short link cannot be made or opened.
    case link(LinkError)
    /// A relay was unreachable or rejected a command.
    case relay(ServerAddress, SessionError)
    /// The relay had a queue of the user blocked for abuse, and permits no new addresses until a time; nil for no end.
    case notice(ServerAddress, isPreset: Bool, until: Timestamp?)
    /// The database failed.
    case store(StoreError)

    init(_ error: any Error) {
        switch error {
        case let error as AgentError: self = error
        case let error as Connection.Failure: self = .connection(error)
        case let error as LinkError: self = .link(error)
        case let error as StoreError: self = .store(error)
        // A transaction throws no other errors.
        default: self = .store(StoreError(.misuse))
        }
    }
}

/// The agent: the connections of all profiles in a store (smp-agent.md 7). All calls and callbacks are on one thread,
/// that of its environment.
public final class Agent {
    let engine: AgentEngine
    let environment: any AgentEnvironment
    let conditions: Conditions
    private let handler: (AgentEvent) -> Void
    private var undelivered: [AgentEvent] = []
    private var isDelivering = false
    var links: [LinkKey: RelayLink] = [:]
    var pauses: [LinkKey: Backoff] = [:]
    /// Relays with one queue less, whose links may have to be closed.
    var left: Set<LinkKey> = []
    /// Connections whose outbox is processed without receiving.
    var delivering: Set<ConnectionID> = []
    /// The mode of the agent.
    public internal(set) var activity = Activity.resting
    /// A simulated crash in tests: called before and after every transaction; may throw.
    package var checkpoint: () throws -> Void {
        get { engine.checkpoint }
        set { engine.checkpoint = newValue }
    }
    /// The failure of the database that stopped the agent.
    public internal(set) var failure: AgentError?
    /// A note of the message being read, for the case that reading ends the process; see ``noteCrash(reading:)``.
    public var crashNote: CrashNote? {
        get { receiver.crashNote }
        set { receiver.crashNote = newValue }
    }
    /// Called with each notice.
    public var onNotice: (AgentNotice) -> Void = { _ in }

    lazy var router = SenderRouter(environment: environment) { [unowned self] key in link(key) }
    lazy var outbox = OutboxRunner(engine: engine, environment: environment) {
        [unowned self] profileID, task, finish in
        router.send(task.command, to: task.server, for: profileID, finish: finish)
    }
    lazy var disposal = QueueDisposal(engine: engine) { [unowned self] key in link(key) }
    /// The number of receipts that became due for each connection since the last message with receipts.
    var receipts: [ConnectionID: Int] = [:]
    /// Chooses the server for a queue that replaces another: an unused one, if possible.
    public var rotationServer: (ProfileID, [ServerAddress]) -> ConfiguredServer? {
        get { outbox.rotationServer }
        set { outbox.rotationServer = newValue }
    }
    /// Returns true for a relay of the presets, which share the notices about abuse.
    public var isPreset: (ServerAddress) -> Bool = { _ in false }
    /// Returns true if a connection sends receipts now. Asked when due receipts become a message; without them they are forgotten.
    public var sendsReceipts: (ConnectionID) -> Bool {
        get { engine.sendsReceipts }
        set { engine.sendsReceipts = newValue }
    }
    /// Connections that wait for a message that decides the roles of an agreement.
    var undecided: Set<ConnectionID> = []
    lazy var receiver = Receiver(engine: engine) { [unowned self] key in link(key) }

    /// Opens or creates the database.
    ///
    /// - Parameters:
    ///   - key: The key of an encrypted database.
    ///   - slots: The key slots of a new encrypted database.
    ///   - servers: Chooses the server for a new queue of a profile at every attempt; the address is that of the other
    ///     side's queue.
    ///   - ownServers: Returns all relays of a profile, which can be proxies for its messages.
    ///   - handler: Called with each stored event. The application calls ``forgetEvents(through:)`` when it has stored
    ///     the consequences.
    /// - Throws: ``AgentError/store(_:)``.
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
        receiver.onEmpty = { [unowned self] id in
            sendReceipts(of: id, isLast: true)
            exchangeRoles(of: id)
        }
        disposal.onFailure = { [unowned self] error in fail(error) }
    }

    deinit {
        disconnect()
    }

    // MARK: - Connections

    /// Begins a connection through any link. The connection is stored on return, and relays are contacted later. A
    /// second call with the same id has no effect, so that a caller may repeat it after a crash.
    ///
    /// Through an invitation `information` is that of a handshake, through an address that of a request.
    ///
    /// - Parameter replyServer: The probable relay of the own queue, to check the size of the information.
    /// - Throws: ``AgentError``.
    public func join(
        _ id: ConnectionID, _ profileID: ProfileID, _ link: ConnectionLink, information: Bytes,
        replyServer: ServerAddress, postQuantum: PostQuantumSupport
    ) throws(AgentError) {
        try tell {
            try engine.join(
                id, profileID, link, information: information, replyServer: replyServer, postQuantum: postQuantum)
        }
    }

    /// Returns true if there is a connection with this id.
    ///
    /// - Throws: ``AgentError/store(_:)``.
    public func contains(_ id: ConnectionID) throws(AgentError) -> Bool {
        try tell { try engine.store.contains(id) }
    }

    /// Returns true if the connection accepts messages.
    ///
    /// - Throws: ``AgentError``.
    public func canSend(to id: ConnectionID) throws(AgentError) -> Bool {
        try tell { try engine.store.connection(id)?.connection.canSend ?? false }
    }

    /// Accepts a joiner and sends the own information.
    ///
    /// - Throws: ``AgentError``.
    public func allow(_ id: ConnectionID, information: Bytes) throws(AgentError) {
        try tell { try engine.allow(id, information: information) }
    }

    /// Encrypts a message and puts it into the outbox. The message is stored on return. A second call with the same
    /// token has no effect, so that a caller may repeat it after a crash.
    ///
    /// - Parameter postQuantum: Turns the KEM on or off; nil keeps the setting.
    /// - Returns: True if the KEM protects the message.
    /// - Throws: ``AgentError``.
    @discardableResult
    public func send(
        _ body: Bytes, notifies: Bool, postQuantum: Bool? = nil, token: Bytes, to id: ConnectionID
    ) throws(AgentError) -> Bool {
        try tell { try engine.send(body, notifies: notifies, postQuantum: postQuantum, token: token, to: id) }
    }

    /// Encrypts a message for several connections, and puts it into their outboxes in one transaction. A second call with
    /// the same token has no effect on connections that have the message.
    ///
    /// - Returns: The failure of each connection, whose outbox is as before; nil for none.
    /// - Throws: ``AgentError/store(_:)``; no connection has the message then.
    public func send(
        _ body: Bytes, notifies: Bool, token: Bytes, to ids: [ConnectionID]
    ) throws(AgentError) -> [AgentError?] {
        try tell { try engine.send(body, notifies: notifies, token: token, to: ids) }
    }

    /// Removes the message with a token from the outbox, and the messages whose tokens begin with it. The other side
    /// notices the gap in the sequence.
    ///
    /// - Returns: True if the message will not be sent; false if it was sent or is being sent.
    /// - Throws: ``AgentError``.
    public func withdraw(_ token: Bytes, to id: ConnectionID) throws(AgentError) -> Bool {
        guard !outbox.isBusy(id) else { return false }
        return try tell { try engine.withdraw(token, to: id) }
    }

    /// Removes messages from the outboxes of several connections in one transaction, or none of them.
    ///
    /// - Returns: True if none of them will be sent; false if one was sent or is being sent, and all stay.
    /// - Throws: ``AgentError``.
    public func withdraw(_ messages: [(token: Bytes, id: ConnectionID)]) throws(AgentError) -> Bool {
        guard !messages.contains(where: { outbox.isBusy($0.id) }) else { return false }
        return try tell { try engine.withdraw(messages) }
    }

    /// Returns the hash that both sides compare; see ``Connection/securityHash``.
    ///
    /// - Throws: ``AgentError``.
    public func securityHash(of id: ConnectionID) throws(AgentError) -> Bytes? {
        let stored = try tell { try engine.store.connection(id) }
        guard let stored else { throw .unknownConnection }
        return stored.connection.securityHash
    }

    /// Deletes a connection after all queued messages were sent.
    ///
    /// - Throws: ``AgentError``.
    public func delete(_ id: ConnectionID) throws(AgentError) {
        try tell { try engine.delete(id) }
    }

    /// Returns the longest message of a connection in bytes.
    ///
    /// - Throws: ``AgentError``.
    public func largestMessage(of id: ConnectionID) throws(AgentError) -> Int {
        let stored = try tell { try engine.store.connection(id) }
        guard let stored else { throw .unknownConnection }
        return stored.connection.largestMessage
    }

    /// Returns true if a connection has tasks in the outbox.
    ///
    /// - Throws: ``AgentError/store(_:)``.
    public func hasTasks(_ id: ConnectionID) throws(AgentError) -> Bool {
        try tell { try engine.store.firstTaskID(of: id) != nil }
    }

    /// Returns true if messages leave room for the KEM, with the setting `isWanted`.
    ///
    /// - Throws: ``AgentError``.
    public func isPostQuantum(_ id: ConnectionID, ifWanted isWanted: Bool) throws(AgentError) -> Bool {
        let stored = try tell { try engine.store.connection(id) }
        guard let stored else { throw .unknownConnection }
        return stored.connection.leavesRoom(ifWanted: isWanted)
    }

    /// Returns the number of queued messages of the application.
    ///
    /// - Throws: ``AgentError/store(_:)``.
    public func waitingMessages() throws(AgentError) -> Int {
        try tell { try engine.store.waitingMessages() }
    }

    // MARK: - Events

    /// Delivers the events after `id` again, which the application did not take over before it ended.
    ///
    /// Unreadable events are set aside, see ``setAside(_:)``.
    ///
    /// - Returns: The ids and connections of the events set aside.
    /// - Throws: ``AgentError/store(_:)``.
    public func replayEvents(after id: Int64) throws(AgentError) -> [(Int64, ConnectionID)] {
        let (events, unreadable) = try tell { try engine.store.events(after: id) }
        for (id, _) in unreadable { try setAside(id) }
        deliver(events)
        return unreadable
    }

    /// Releases the memory of cached database pages.
    public func releaseMemory() {
        engine.store.database.releaseMemory()
    }

    /// Truncates the write-ahead log of the database if no process reads it. Returns true if the log is empty.
    ///
    /// - Throws: ``StoreError``.
    public func forgetLog() throws(StoreError) -> Bool {
        try engine.store.database.truncateLogIfFree()
    }

    /// Counts a failure of the application to handle an event.
    ///
    /// - Returns: The number of failures at the event; 0 if the event does not exist.
    /// - Throws: ``AgentError/store(_:)``.
    public func noteFailure(ofEvent id: Int64) throws(AgentError) -> Int {
        try tell { try engine.commit { _ in try engine.store.noteFailure(ofEvent: id) } }
    }

    /// Counts a crash of a former process while it read a message. After the second crash the message is acknowledged
    /// unread.
    ///
    /// - Parameter number: The number in ``crashNote``, negative for messages.
    /// - Throws: ``AgentError/store(_:)``.
    public func noteCrash(reading number: Int64) throws(AgentError) {
        try tell { try engine.noteCrash(reading: number) }
    }

    /// Returns the connection of a stored event, or nil if the event does not exist.
    ///
    /// - Throws: ``AgentError/store(_:)``.
    public func connectionID(ofEvent id: Int64) throws(AgentError) -> ConnectionID? {
        try tell { try engine.store.connectionID(ofEvent: id) }
    }

    /// Sets aside an event that the application cannot handle: it is kept, but not delivered again. Its message gets no
    /// receipt.
    ///
    /// - Throws: ``AgentError/store(_:)``.
    public func setAside(_ id: Int64) throws(AgentError) {
        engine.confirmed.remove(id)
        try tell { try engine.commit { _ in try engine.store.setAside(id, at: engine.now()) } }
    }

    /// Removes events that the application has stored, with the next transaction.
    public func forgetEvents(through id: Int64) {
        engine.forgottenThrough = id
    }

    /// Delivers events in order, including those that the application causes meanwhile.
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
    /// Requests a delivery receipt for the message of an event. The receipt is sent, together with others, when the
    /// application has stored the consequences of the event.
    public func confirm(_ event: AgentEvent) {
        guard case .connection(.msg) = event.content else { return }
        engine.confirmed.insert(event.id)
        receipts[event.connectionID, default: 0] += 1
    }

    /// Returns the events up to `id` that remained when the program ended, whose receipts may be requested again.
    ///
    /// - Throws: ``AgentError/store(_:)``.
    public func unforgottenEvents(through id: Int64) throws(AgentError) -> [AgentEvent] {
        try tell { try engine.store.events(through: id) }
    }

    /// The largest number of receipts collected before sending.
    private static let batch = 100

    /// Sends the due receipts of a connection if there are enough, or if `isLast` is true because no further message is
    /// expected.
    func sendReceipts(of id: ConnectionID, isLast: Bool) {
        guard activity != .resting, let count = receipts[id], isLast || count >= Agent.batch else { return }
        receipts[id] = nil
        do { try engine.sendReceipts(of: id) } catch { fail(error, at: id) }
    }

    /// Sends all due receipts.
    func sendAllReceipts() throws {
        for id in try engine.store.connectionsWithDueReceipts() {
            receipts[id] = nil
            do { try engine.sendReceipts(of: id) } catch { fail(error, at: id) }
        }
    }
}

/// Rotation and synchronisation of a connection.
extension Agent {
    /// Starts the rotation of the own queue to another server, if there is one (smp-agent.md 7.11).
    ///
    /// - Throws: ``AgentError``.
    public func switchQueue(of id: ConnectionID) throws(AgentError) {
        try tell { try engine.switchQueue(of: id) }
    }

    /// Aborts a rotation, which is possible until the other side has answered.
    ///
    /// - Throws: ``AgentError``.
    public func abortSwitch(of id: ConnectionID) throws(AgentError) {
        try tell { try engine.abortSwitch(of: id) }
    }

    /// Starts a ratchet synchronisation (smp-agent.md 7.12).
    ///
    /// - Parameter force: True to start even if the ratchets seem to be in sync or an earlier attempt is unanswered.
    /// - Throws: ``AgentError``.
    public func synchronize(_ id: ConnectionID, force: Bool) throws(AgentError) {
        try tell { try engine.synchronize(id, force: force) }
    }

    /// Returns the condition of a connection.
    ///
    /// - Throws: ``AgentError``.
    public func condition(of id: ConnectionID) throws(AgentError) -> ConnectionCondition {
        let stored = try tell { try engine.store.connection(id) }
        guard let stored else { throw .unknownConnection }
        return ConnectionCondition(stored.connection)
    }

    /// Exchanges the roles of an agreement in which both sides have the same one, when the queue is empty.
    func exchangeRoles(of id: ConnectionID) {
        guard activity != .resting, undecided.contains(id) else { return }
        do {
            if try engine.exchangeRoles(of: id) { undecided.remove(id) }
        } catch {
            fail(error, at: id)
        }
    }

    /// Expects a message that decides the roles of an agreement.
    func expectDecision(of id: ConnectionID) {
        undecided.insert(id)
        guard activity == .staying else { return }
        // A second later, because relays report whole seconds.
        _ = environment.after(UncertainAgreement.patience + .seconds(1)) { [weak self] in
            self?.exchangeRoles(of: id)
        }
    }
}
