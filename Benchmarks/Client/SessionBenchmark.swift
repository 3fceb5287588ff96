import Agent
import AgentProtocol
import ByteCoding
import SMPClient
import SMPProtocol
import Store
import SystemIO

/// Two agents with open sessions to one relay: everything that a message takes, on disk at both ends.
struct SessionBenchmark {
    private static let count = 500
    private static let rounds = 5
    private static let timeLimit: Duration = .seconds(60)

    private let server: ConfiguredServer

    init(_ server: ConfiguredServer) {
        self.server = server
    }

    /// Connects two agents and lets them send.
    func run() throws {
        let folder = try Files.createTemporaryFolder(in: "/tmp", prefix: "tacit-bench-")
        defer { try? Files.removeTree(folder) }
        let loop = try EventLoop()
        let alice = try BenchAgent("\(folder)/alice.db", loop, server)
        let bob = try BenchAgent("\(folder)/bob.db", loop, server)
        try connect(alice, bob, loop)
        for _ in 0..<SessionBenchmark.rounds {
            try measure("open session, one way", [(alice, bob)], loop)
            try measure("open session, both ways", [(alice, bob), (bob, alice)], loop)
        }
        try alice.agent.stop()
        try bob.agent.stop()
    }

    private func connect(_ alice: BenchAgent, _ bob: BenchAgent, _ loop: EventLoop) throws {
        for side in [alice, bob] { try side.agent.start(.staying) }
        var link: ConnectionRequest?
        alice.agent.invite(
            BenchAgent.connection, BenchAgent.profile, server: server, showing: [], postQuantum: .on
        ) {
            link = try? $0.get().full
        }
        try wait(loop) { link != nil }
        guard let link else { return }
        try bob.agent.join(
            BenchAgent.connection, BenchAgent.profile, .full(link), information: [], replyServer: server.address,
            postQuantum: .on)
        try wait(loop) { alice.isConnected && bob.isConnected }
    }

    private func measure(_ name: String, _ directions: [(BenchAgent, BenchAgent)], _ loop: EventLoop) throws {
        let start = ContinuousClock.now
        let before = directions.map { $0.1.received }
        for _ in 0..<SessionBenchmark.count {
            for (sender, _) in directions { try sender.send() }
        }
        try wait(loop) {
            zip(directions, before).allSatisfy { $0.1.received == $1 + SessionBenchmark.count }
        }
        Rate.print(name, SessionBenchmark.count * directions.count, since: start, "messages/s")
    }

    private func wait(_ loop: EventLoop, until condition: () -> Bool) throws {
        var isLate = false
        let timer = loop.after(SessionBenchmark.timeLimit) { isLate = true }
        defer { timer.cancel() }
        loop.run { isLate || condition() }
        if isLate { stop("the messages did not arrive") }
    }
}

/// An agent with one connection, whose application accepts everything and keeps nothing.
private final class BenchAgent {
    static let connection = ConnectionID(1)
    static let profile = ProfileID(1)

    private(set) var received = 0
    private(set) var isConnected = false
    private var sent: UInt64 = 0
    private var running: Agent?

    var agent: Agent {
        guard let running else { stop("the agent did not start") }
        return running
    }

    init(_ path: String, _ loop: EventLoop, _ server: ConfiguredServer) throws {
        running = try Agent(
            path, .create, environment: LoopEnvironment(loop: loop, parameters: SessionParameters()),
            servers: { _, _ in server }, handler: { [unowned self] in handle($0) })
    }

    func send() throws {
        sent += 1
        var token = ByteWriter()
        token.int64(Int64(sent))
        try agent.send(
            Bytes(repeating: 0x61, count: 1000), notifies: true, token: token.bytes, to: BenchAgent.connection)
    }

    private func handle(_ event: AgentEvent) {
        switch event.content {
        case .connection(.conf):
            do { try agent.allow(event.connectionID, information: []) } catch { stop("\(error)") }
        case .connection(.con): isConnected = true
        case .connection(.msg): received += 1
        case .connection, .sent, .rcvd, .link: break
        case .merr, .err, .unreadable: stop("\(event.content)")
        }
        agent.forgetEvents(through: event.id)
    }
}
