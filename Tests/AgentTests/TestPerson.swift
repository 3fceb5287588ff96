import Agent
import AgentProtocol
import ByteCoding
import SMPProtocol
import Store
import TestSupport

struct Crash: Error {}

/// A user of the agent: keeps what it hears, as an application's database would, and survives the crashes of its process.
final class TestPerson {
    let name: String
    private let world: World
    private let path: String
    private(set) var environment: TestEnvironment
    private(set) var agent: Agent?

    // What the application keeps.
    private(set) var lastEvent: Int64 = 0
    var connection: ConnectionID?
    private(set) var isConnected = false
    private(set) var texts: [String] = []
    private(set) var integrities: [MessageIntegrity] = []
    private(set) var sent: Set<String> = []
    private(set) var problems: [AgentEvent.Content] = []
    private(set) var notices: [AgentNotice] = []

    /// How likely a crash is at each border of a transaction.
    var crashProbability = 0.0
    private(set) var crashes = 0
    /// Whether the process ended while it handled an event.
    private var hasCrashed = false

    init(_ name: String, _ world: World, _ folder: borrowing TemporaryFolder) throws {
        self.name = name
        self.world = world
        path = folder.path + "/\(name).db"
        environment = TestEnvironment(world)
        try open(.create)
    }

    /// Starts the process: what was not handled before is handled now.
    private func open(_ access: Database.Access) throws {
        hasCrashed = false
        environment = TestEnvironment(world)
        let agent = try Agent(
            path, access, environment: environment, durability: .process,
            servers: { _, _ in ConfiguredServer(address: FakeRelay.address) },
            handler: { [unowned self] event in handle(event) })
        self.agent = agent
        agent.onNotice = { [unowned self] notice in notices.append(notice) }
        agent.checkpoint = { [unowned self] in
            if crashProbability > 0, Double.random(in: 0..<1, using: &world.random) < crashProbability { throw Crash() }
        }
        try agent.replayEvents(after: lastEvent)
    }

    /// Ends the process without warning and starts it again.
    func restart() throws {
        crashes += 1
        environment.kill()
        agent = nil
        try open(.readWrite)
    }

    /// Starts the process again if it has crashed.
    func recover(_ activity: Agent.Activity) throws {
        guard hasCrashed || agent?.failure != nil else { return }
        let probability = crashProbability
        crashProbability = 0
        try restart()
        try agent?.start(activity)
        crashProbability = probability
    }

    private func handle(_ event: AgentEvent) {
        guard !hasCrashed, event.id > lastEvent else { return }
        switch event.content {
        case .connection(.conf):
            do {
                try agent?.allow(event.connectionID, information: Bytes(name.utf8))
            } catch AgentError.connection(.notReady) {
                // It was done before the process ended.
            } catch {
                hasCrashed = true
                return environment.kill()
            }
        case .connection(.con): isConnected = true
        case .connection(.msg(let message)):
            texts.append(String(decoding: message.body, as: UTF8.self))
            integrities.append(message.integrity)
        case .connection: break
        case .sent(let token): sent.insert(String(decoding: token, as: UTF8.self))
        case .merr, .err, .unreadable: problems.append(event.content)
        }
        lastEvent = event.id
        agent?.forgetEvents(through: event.id)
    }

    /// Sends a text that is its own token.
    func send(_ text: String) throws {
        guard let agent, let connection else { return }
        try agent.send(Bytes(text.utf8), notifies: true, token: Bytes(text.utf8), to: connection)
    }

    /// Makes an invitation.
    func invite() throws -> ConnectionRequest {
        var result: Result<ConnectionRequest, AgentError>?
        let id = ConnectionID(1)
        agent?.invite(id, ProfileID(1), server: ConfiguredServer(address: FakeRelay.address)) { result = $0 }
        world.run { result != nil }
        guard let request = try result?.get() else { throw Crash() }
        connection = id
        return request
    }

    func join(_ request: ConnectionRequest) throws {
        let id = ConnectionID(1)
        try agent?.join(
            id, ProfileID(1), request, information: Bytes(name.utf8), replyServer: FakeRelay.address)
        connection = id
    }

    /// Receives what waits and tries the outbox, as a one-shot command does.
    func fetch() throws {
        try agent?.start(.draining)
        world.run { agent?.isQuiet ?? true }
        try agent?.stop()
    }
}
