import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import SMPClient
import SMPProtocol
import Store

@testable import ChatCore

/// An agent without relays: it takes everything, remembers it, and fails when a test wants it to.
class FakeAgent: CoreAgent {
    /// A message that was handed over.
    struct Sent {
        /// The first of its payload.
        let message: ChatMessage
        /// All of its payload.
        let messages: [ChatMessage]
        let token: Bytes
        let connection: ConnectionID
    }

    /// A payload that was handed over.
    struct Payload: Hashable {
        let body: Bytes
        let token: Bytes
        let connection: ConnectionID
    }

    /// A moment at which the process ends.
    struct Crash {
        /// The number of the call at which it ends, from 1.
        var calls: Int
        /// Whether the agent has done what it was asked then.
        let isDone: Bool
    }

    /// A connection that was begun.
    struct Joined {
        let connection: ConnectionID
        let information: Bytes
    }

    // MARK: - What a test decides

    /// The connections that it has.
    var connections: Set<ConnectionID> = []
    /// What it throws when a message is handed over.
    var sendError: AgentError?
    /// The connections whose ratchets do not fit.
    var outOfStep: Set<ConnectionID> = []
    /// What it throws when a connection is begun.
    var joinError: AgentError?
    /// The answer of the relay that makes a link.
    var link: Result<LinkPair, AgentError> = .failure(.unknownConnection)
    /// What is behind the links of others, by their keys.
    var openedLinks: [ShortLinkKey: OpenedLink] = [:]
    /// The records of names.
    var names: [String: NameRecord] = [:]
    /// What relays answer instead, each once.
    var nameErrors: [SessionError] = []
    /// Why the other links cannot be opened.
    var openError = AgentError.relay(Workbench.otherServer, .refused(.authorization))
    var obstacle: SessionError?
    /// The connections whose relays take their time.
    var busy: Set<ConnectionID> = []
    /// Tokens of messages that are with the relay: they cannot be withdrawn.
    var taken: Set<Bytes> = []
    /// How many messages are withdrawn before it fails; nil: it does not.
    var withdrawals: Int?
    /// Where the process ends among the calls that change the outbox; nil: it does not.
    var crash: Crash?
    /// Called when a command waits, before the condition is checked.
    var onWait: () -> Void = {}
    /// Called when a connection is begun.
    var onJoin: (Joined) -> Void = { _ in }
    var failure: AgentError?
    /// The events that it hands over again.
    var unrecorded: [AgentEvent] = []
    var handler: (AgentEvent) -> Void = { _ in }

    // MARK: - What was asked of it

    private(set) var sent: [Sent] = []
    private(set) var payloads: [Payload] = []
    private(set) var joined: [Joined] = []
    private(set) var allowed: [ConnectionID] = []
    private(set) var deleted: [ConnectionID] = []
    private(set) var shown: [ConnectionID] = []
    /// The names that relays were asked for.
    private(set) var resolved: [String] = []
    /// The links that were opened.
    private(set) var opened: [ShortLinkKey] = []
    /// The records that were put behind the links of addresses.
    private(set) var linkRecords: [AddressRecord] = []
    /// The payloads that were handed over, also those that are no messages.
    var bodies: [Bytes] { payloads.map(\.body) }
    private(set) var confirmed: [Int64] = []
    private(set) var setAsideEvents: [Int64] = []
    private(set) var forgottenThrough: Int64 = 0
    private(set) var failures: [Int64: Int] = [:]
    /// `start` and `stop`, in their order.
    private(set) var activities: [String] = []

    func waitingMessages() throws(AgentError) -> Int { payloads.count }

    // MARK: - Connections

    func contains(_ id: ConnectionID) throws(AgentError) -> Bool { connections.contains(id) }
    func canSend(to id: ConnectionID) throws(AgentError) -> Bool { connections.contains(id) }

    func condition(of id: ConnectionID) throws(AgentError) -> ConnectionCondition { throw .unknownConnection }

    func securityHash(of id: ConnectionID) throws(AgentError) -> Bytes? { Bytes(repeating: 7, count: 32) }

    func join(
        _ id: ConnectionID, _ profileID: ProfileID, _ link: ConnectionLink, information: Bytes,
        replyServer: ServerAddress, postQuantum: PostQuantumSupport
    ) throws(AgentError) {
        if let joinError { throw joinError }
        guard connections.insert(id).inserted else { return }
        let begun = Joined(connection: id, information: information)
        joined.append(begun)
        onJoin(begun)
    }

    func allow(_ id: ConnectionID, information: Bytes) throws(AgentError) { allowed.append(id) }
    func switchQueue(of id: ConnectionID) throws(AgentError) {}
    func abortSwitch(of id: ConnectionID) throws(AgentError) {}
    func synchronize(_ id: ConnectionID, force: Bool) throws(AgentError) {}

    func delete(_ id: ConnectionID) throws(AgentError) {
        connections.remove(id)
        deleted.append(id)
    }

    // MARK: - Links

    func invite(
        _ id: ConnectionID, _ profileID: ProfileID, server: ConfiguredServer, showing content: Bytes,
        postQuantum: PostQuantumSupport, finish: @escaping (Result<LinkPair, AgentError>) -> Void
    ) {
        if case .success = link { connections.insert(id) }
        finish(link)
    }

    func createAddress(
        _ id: ConnectionID, _ profileID: ProfileID, server: ConfiguredServer, showing content: Bytes,
        clientText: String?, identity: AddressIdentity?,
        finish: @escaping (Result<LinkPair, AgentError>) -> Void
    ) {
        if case .success = link { connections.insert(id) }
        finish(link)
    }

    func links(of id: ConnectionID) throws(AgentError) -> LinkPair? { try? link.get() }
    func addLink(to id: ConnectionID, showing content: Bytes) throws(AgentError) { shown.append(id) }
    func show(_ content: Bytes, behindLinkOf id: ConnectionID) throws(AgentError) { shown.append(id) }

    func sign(_ bytes: Bytes, withLinkKeyOf id: ConnectionID) throws(AgentError) -> Bytes? { nil }

    func open(
        _ link: ShortLink, _ profileID: ProfileID, finish: @escaping (Result<OpenedLink, AgentError>) -> Void
    ) {
        opened.append(link.key)
        finish(openedLinks[link.key].map { .success($0) } ?? .failure(openError))
    }

    func resolve(
        _ domain: SimplexDomain, _ profileID: ProfileID, at server: ServerAddress,
        finish: @escaping (Result<NameRecord, AgentError>) -> Void
    ) {
        resolved.append(domain.description)
        guard nameErrors.isEmpty else { return finish(.failure(.relay(server, nameErrors.removeFirst()))) }
        finish(names[domain.description].map { .success($0) } ?? .failure(.relay(server, .refused(.name(.notFound)))))
    }

    func createAddress(
        _ id: ConnectionID, _ profileID: ProfileID, _ new: NewLinkedQueue, server: ConfiguredServer,
        showing record: AddressRecord, finish: @escaping (Result<LinkPair, AgentError>) -> Void
    ) {
        connections.insert(id)
        linkRecords.append(record)
        finish(.success(LinkPair(full: new.request, short: new.link(.contact))))
    }

    func show(_ record: AddressRecord, behindLinkOf id: ConnectionID) throws(AgentError) { linkRecords.append(record) }

    // MARK: - Messages

    func send(
        _ body: Bytes, notifies: Bool, postQuantum: Bool?, token: Bytes, to id: ConnectionID
    ) throws(AgentError) -> Bool {
        if let sendError { throw sendError }
        guard connections.contains(id) else { throw .unknownConnection }
        guard !outOfStep.contains(id) else { throw .connection(.outOfStep) }
        return try step { () throws(AgentError) in try take(body, token, id) }
    }

    private func take(_ body: Bytes, _ token: Bytes, _ id: ConnectionID) throws(AgentError) -> Bool {
        guard !payloads.contains(where: { $0.token == token && $0.connection == id }) else { return false }
        payloads.append(Payload(body: body, token: token, connection: id))
        if body.first == UInt8(ascii: "F") { return false }
        let messages = ChatPayload.elements(of: body).compactMap { element in
            if case .success(.message(let message)) = element.content { message } else { nil as ChatMessage? }
        }
        guard let message = messages.first else { return false }
        sent.append(Sent(message: message, messages: messages, token: token, connection: id))
        return false
    }

    func send(
        _ body: Bytes, notifies: Bool, token: Bytes, to ids: [ConnectionID]
    ) throws(AgentError) -> [AgentError?] {
        var failures: [AgentError?] = []
        for id in ids {
            do throws(AgentError) {
                _ = try send(body, notifies: notifies, postQuantum: nil, token: token, to: id)
                failures.append(nil)
            } catch .store(let error) {
                throw .store(error)
            } catch {
                failures.append(error)
            }
        }
        return failures
    }

    func withdraw(_ token: Bytes, to id: ConnectionID) throws(AgentError) -> Bool {
        if let withdrawals {
            guard withdrawals > 0 else { throw .store(StoreError(.disk)) }
            self.withdrawals = withdrawals - 1
        }
        return try step { () throws(AgentError) in
            guard !taken.contains(token) else { return false }
            sent.removeAll { $0.connection == id && $0.token.starts(with: token) }
            payloads.removeAll { $0.connection == id && $0.token.starts(with: token) }
            return true
        }
    }

    /// One call that changes the outbox. The process may end before it or after it.
    private func step<Value>(_ body: () throws(AgentError) -> Value) throws(AgentError) -> Value {
        guard let crash else { return try body() }
        self.crash?.calls -= 1
        guard crash.calls == 1 else { return try body() }
        if crash.isDone { _ = try body() }
        throw .store(StoreError(.disk))
    }

    func withdraw(_ messages: [(token: Bytes, id: ConnectionID)]) throws(AgentError) -> Bool {
        for (token, id) in messages where try !withdraw(token, to: id) { return false }
        return true
    }
    func isPostQuantum(_ id: ConnectionID, ifWanted isWanted: Bool) throws(AgentError) -> Bool { false }

    // MARK: - Events

    func replayEvents(after id: Int64) throws(AgentError) -> [(Int64, ConnectionID)] {
        for event in unrecorded where event.id > id { handler(event) }
        return []
    }

    func unforgottenEvents(through id: Int64) throws(AgentError) -> [AgentEvent] {
        unrecorded.filter { $0.id <= id }
    }

    func forgetEvents(through id: Int64) { forgottenThrough = id }
    func confirm(_ event: AgentEvent) { confirmed.append(event.id) }

    func connectionID(ofEvent id: Int64) throws(AgentError) -> ConnectionID? {
        unrecorded.first { $0.id == id }?.connectionID
    }

    func noteFailure(ofEvent id: Int64) throws(AgentError) -> Int {
        failures[id, default: 0] += 1
        return failures[id] ?? 0
    }

    func noteCrash(reading number: Int64) throws(AgentError) { failures[number, default: 0] += 1 }
    func setAside(_ id: Int64) throws(AgentError) { setAsideEvents.append(id) }
    func releaseMemory() {}
    func forgetLog() throws(StoreError) -> Bool { true }

    // MARK: - Relays

    var isQuiet: Bool { true }
    var isDrained: Bool { obstacle == nil }
    var hasTriedAll: Bool { true }

    func start(_ activity: Agent.Activity) throws(AgentError) { activities.append("start \(activity)") }
    func drain() throws(AgentError) { activities.append("drain") }
    func staysOn() { activities.append("stay on") }
    func stop() throws(AgentError) { activities.append("stop") }
    func deliver(_ id: ConnectionID) {}
    func deliverAll() throws(AgentError) { activities.append("deliver all") }
    func hasTasks(_ id: ConnectionID) throws(AgentError) -> Bool { obstacle != nil || busy.contains(id) }
    func newestTask() throws(AgentError) -> Int64 { 0 }
    func connections(withTasksAfter id: Int64) throws(AgentError) -> [ConnectionID] {
        obstacle != nil ? [] : Array(busy)
    }
    func obstacle(of id: ConnectionID) -> Obstacle? {
        obstacle.map { Obstacle(server: Workbench.server, error: $0) }
    }
    func obstacles(of isIncluded: (ProfileID) -> Bool) -> [Obstacle] { [] }
    func receivingObstacles(of isIncluded: (ProfileID) -> Bool) -> [Obstacle] { [] }
    func reconsider() {}

    func wait(_ deadline: Duration, until condition: @escaping () -> Bool, finish: @escaping (Bool) -> Void) {
        onWait()
        finish(condition())
    }
}
