import Agent
import AgentProtocol
import ByteCoding
import SMPClient
import SMPProtocol
import Store

/// The parts of an ``Agent`` that collaborators use, by subject. Tests replace it.
typealias CoreAgent = ConnectionAgent & LinkAgent & MessageAgent & EventAgent & RelayAgent

/// Connections: how they are, and what happens to them.
protocol ConnectionAgent: AnyObject {
    func contains(_ id: ConnectionID) throws(AgentError) -> Bool
    func canSend(to id: ConnectionID) throws(AgentError) -> Bool
    func condition(of id: ConnectionID) throws(AgentError) -> ConnectionCondition
    func securityHash(of id: ConnectionID) throws(AgentError) -> Bytes?
    func join(
        _ id: ConnectionID, _ profileID: ProfileID, _ link: ConnectionLink, information: Bytes,
        replyServer: ServerAddress, postQuantum: PostQuantumSupport
    ) throws(AgentError)
    func allow(_ id: ConnectionID, information: Bytes) throws(AgentError)
    func switchQueue(of id: ConnectionID) throws(AgentError)
    func abortSwitch(of id: ConnectionID) throws(AgentError)
    func synchronize(_ id: ConnectionID, force: Bool) throws(AgentError)
    func delete(_ id: ConnectionID) throws(AgentError)
}

/// Links to connections, and what is behind them.
protocol LinkAgent: AnyObject {
    func invite(
        _ id: ConnectionID, _ profileID: ProfileID, server: ConfiguredServer, showing content: Bytes,
        postQuantum: PostQuantumSupport, finish: @escaping (Result<LinkPair, AgentError>) -> Void)
    func createAddress(
        _ id: ConnectionID, _ profileID: ProfileID, server: ConfiguredServer, showing content: Bytes,
        clientText: String?, identity: AddressIdentity?,
        finish: @escaping (Result<LinkPair, AgentError>) -> Void)
    func createAddress(
        _ id: ConnectionID, _ profileID: ProfileID, _ new: NewLinkedQueue, server: ConfiguredServer,
        showing record: AddressRecord, finish: @escaping (Result<LinkPair, AgentError>) -> Void)
    func show(_ record: AddressRecord, behindLinkOf id: ConnectionID) throws(AgentError)
    func links(of id: ConnectionID) throws(AgentError) -> LinkPair?
    func addLink(to id: ConnectionID, showing content: Bytes) throws(AgentError)
    func show(_ content: Bytes, behindLinkOf id: ConnectionID) throws(AgentError)
    func sign(_ bytes: Bytes, withLinkKeyOf id: ConnectionID) throws(AgentError) -> Bytes?
    func open(
        _ link: ShortLink, _ profileID: ProfileID, finish: @escaping (Result<OpenedLink, AgentError>) -> Void)
    func resolve(
        _ domain: SimplexDomain, _ profileID: ProfileID, at server: ServerAddress,
        finish: @escaping (Result<NameRecord, AgentError>) -> Void)
}

/// Messages that are sent.
protocol MessageAgent: AnyObject {
    /// Returns whether the KEM protects what is sent now.
    @discardableResult
    func send(
        _ body: Bytes, notifies: Bool, postQuantum: Bool?, token: Bytes, to id: ConnectionID
    ) throws(AgentError) -> Bool
    /// Sends one message to several connections. Returns the failure of each; nil for none.
    func send(
        _ body: Bytes, notifies: Bool, token: Bytes, to ids: [ConnectionID]
    ) throws(AgentError) -> [AgentError?]
    func withdraw(_ token: Bytes, to id: ConnectionID) throws(AgentError) -> Bool
    /// Withdraws all of some messages, or none.
    func withdraw(_ messages: [(token: Bytes, id: ConnectionID)]) throws(AgentError) -> Bool
    func isPostQuantum(_ id: ConnectionID, ifWanted isWanted: Bool) throws(AgentError) -> Bool
    /// The number of messages that wait for their relays.
    func waitingMessages() throws(AgentError) -> Int
}

/// Events that the agent keeps until they are recorded.
protocol EventAgent: AnyObject {
    func replayEvents(after id: Int64) throws(AgentError) -> [(Int64, ConnectionID)]
    func unforgottenEvents(through id: Int64) throws(AgentError) -> [AgentEvent]
    func forgetEvents(through id: Int64)
    /// Asks for a receipt for the message of an event.
    func confirm(_ event: AgentEvent)
    func connectionID(ofEvent id: Int64) throws(AgentError) -> ConnectionID?
    func noteFailure(ofEvent id: Int64) throws(AgentError) -> Int
    func noteCrash(reading number: Int64) throws(AgentError)
    func setAside(_ id: Int64) throws(AgentError)
    func releaseMemory()
    func forgetLog() throws(StoreError) -> Bool
}

/// Sessions with relays, and what stands in their way.
protocol RelayAgent: AnyObject {
    var failure: AgentError? { get }
    var isQuiet: Bool { get }
    var isDrained: Bool { get }
    var hasTriedAll: Bool { get }
    func start(_ activity: Agent.Activity) throws(AgentError)
    func drain() throws(AgentError)
    func staysOn()
    func stop() throws(AgentError)
    func deliver(_ id: ConnectionID)
    func deliverAll() throws(AgentError)
    func hasTasks(_ id: ConnectionID) throws(AgentError) -> Bool
    func newestTask() throws(AgentError) -> Int64
    func connections(withTasksAfter id: Int64) throws(AgentError) -> [ConnectionID]
    func obstacle(of id: ConnectionID) -> Obstacle?
    func obstacles(of isIncluded: (ProfileID) -> Bool) -> [Obstacle]
    func receivingObstacles(of isIncluded: (ProfileID) -> Bool) -> [Obstacle]
    func reconsider()
    func wait(_ deadline: Duration, until condition: @escaping () -> Bool, finish: @escaping (Bool) -> Void)
}

extension LinkAgent {
    /// Creates an address whose link has a new key and no id.
    func createAddress(
        _ id: ConnectionID, _ profileID: ProfileID, server: ConfiguredServer, showing content: Bytes,
        clientText: String?, finish: @escaping (Result<LinkPair, AgentError>) -> Void
    ) {
        createAddress(
            id, profileID, server: server, showing: content, clientText: clientText, identity: nil, finish: finish)
    }
}

extension MessageAgent {
    /// Sends a message that leaves the KEM as it is.
    func send(_ body: Bytes, notifies: Bool, token: Bytes, to id: ConnectionID) throws(AgentError) {
        try send(body, notifies: notifies, postQuantum: nil, token: token, to: id)
    }
}

extension RelayAgent {
    /// Waits until a condition holds, or a time has passed. Returns false if it does not hold.
    func wait(_ timeout: Duration, until condition: @escaping () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            wait(timeout, until: condition) { continuation.resume(returning: $0) }
        }
    }

    /// Works through the outbox of a connection, as far as its relay lets it.
    func settle(_ id: ConnectionID, timeout: Duration) async {
        deliver(id)
        _ = await wait(timeout) { [self] in obstacle(of: id) != nil || (try? hasTasks(id)) != true }
    }
}

extension Agent: ConnectionAgent, LinkAgent, MessageAgent, EventAgent, RelayAgent {}
