import Agent
import AgentProtocol
import ByteCoding
import SMPProtocol
import Store
import TestSupport

struct Crash: Error {}

/// A step of the replacement of a queue.
struct Switch: Hashable {
    let direction: QueueDirection
    let phase: SwitchPhase
}

/// A user of the agent: keeps what it hears, as an application's database would, and survives the crashes of its process.
final class TestPerson {
    let name: String
    static let address = ConnectionID(50)
    private let world: World
    private let path: String
    private(set) var environment: TestEnvironment
    private(set) var agent: Agent?

    // What the application keeps.
    private(set) var lastEvent: Int64 = 0
    var connection: ConnectionID?
    private(set) var isConnected = false
    private(set) var texts: [String] = []
    /// What whoever asked at the address said, and the last of them.
    private(set) var requests: [String] = []
    private(set) var waiting: ConnectionRequest?
    var acceptsRequests = true
    var postQuantum = PostQuantumSupport.off
    /// Where the person has its queues for answers.
    var server = FakeRelay.address
    private(set) var integrities: [MessageIntegrity] = []
    private(set) var sent: Set<String> = []
    /// What the other side says that it received.
    private(set) var confirmed: [String] = []
    var sendsReceipts = false
    /// The text with which the person deletes its connection.
    var lastWords: String?
    private(set) var switches: [Switch] = []
    private(set) var states: [RatchetSynchronization] = []
    /// How often the other side said that it has room again.
    private(set) var continued = 0
    private(set) var problems: [AgentEvent.Content] = []
    /// The records that the relay has behind the links of addresses.
    private(set) var published: [AddressRecord] = []
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
            servers: { [unowned self] _, _ in ConfiguredServer(address: server) },
            handler: { [unowned self] event in handle(event) })
        self.agent = agent
        agent.rotationServer = { _, used in
            ConfiguredServer(
                address: used.first == FakeRelay.address ? FakeRelay.otherAddress : FakeRelay.address)
        }
        agent.onNotice = { [unowned self] notice in notices.append(notice) }
        agent.checkpoint = { [unowned self] in
            if crashProbability > 0, Double.random(in: 0..<1, using: &world.random) < crashProbability { throw Crash() }
        }
        if sendsReceipts {
            for event in try agent.unforgottenEvents(through: lastEvent) { agent.confirm(event) }
        }
        agent.forgetEvents(through: lastEvent)
        _ = try agent.replayEvents(after: lastEvent)
    }

    /// Ends the process without warning and starts it again.
    func restart() throws {
        crashes += 1
        environment.kill()
        agent = nil
        try open(.readWrite)
    }

    /// Ends the process, puts another store in place of its own, and starts it again.
    func replaceStore(_ replace: (String) throws -> Void) throws {
        environment.kill()
        agent = nil
        try replace(path)
        // Events are counted from the beginning.
        lastEvent = 0
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
        case .connection(.req(let request, let information)):
            requests.append(String(decoding: information, as: UTF8.self))
            waiting = request
            guard acceptsRequests else { break }
            do {
                try accept(request)
            } catch {
                requests.removeLast()
                hasCrashed = true
                return environment.kill()
            }
        case .connection(.con): isConnected = true
        case .connection(.msg(let message)):
            texts.append(String(decoding: message.body, as: UTF8.self))
            integrities.append(message.integrity)
            if sendsReceipts { agent?.confirm(event) }
            if texts.last == lastWords {
                do { try agent?.delete(event.connectionID) } catch {
                    hasCrashed = true
                    return environment.kill()
                }
            }
        case .connection(.switching(let direction, let phase)):
            switches.append(Switch(direction: direction, phase: phase))
        case .connection(.rsync(let state)): states.append(state)
        case .connection(.qcont): continued += 1
        case .connection: break
        case .link(let record): published.append(record)
        case .rcvd(let receipts):
            for receipt in receipts where receipt.isIntact {
                confirmed.append(String(decoding: receipt.token, as: UTF8.self))
            }
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
        try inviteWithLinks().full
    }

    func inviteWithLinks(showing content: String = "") throws -> LinkPair {
        let id = ConnectionID(1)
        let links = try made { finish in
            agent?.invite(
                id, ProfileID(1), server: ConfiguredServer(address: FakeRelay.address), showing: Bytes(content.utf8),
                postQuantum: postQuantum, finish: finish)
        }
        connection = id
        return links
    }

    /// Makes an address.
    func createAddress(_ id: ConnectionID = TestPerson.address, showing content: String = "") throws -> LinkPair {
        try made { finish in
            agent?.createAddress(
                id, ProfileID(1), server: ConfiguredServer(address: FakeRelay.address), showing: Bytes(content.utf8),
                finish: finish)
        }
    }

    /// Creates an address whose link was prepared.
    func createAddress(_ new: NewLinkedQueue, showing record: AddressRecord) throws -> LinkPair {
        try made { finish in
            agent?.createAddress(
                TestPerson.address, ProfileID(1), new, server: ConfiguredServer(address: FakeRelay.address),
                showing: record, finish: finish)
        }
    }

    private func made(_ ask: (@escaping (Result<LinkPair, AgentError>) -> Void) -> Void) throws -> LinkPair {
        var result: Result<LinkPair, AgentError>?
        ask { result = $0 }
        world.run { result != nil }
        guard let links = try result?.get() else { throw Crash() }
        return links
    }

    /// What is behind a short link.
    func open(_ link: ShortLink) throws -> OpenedLink {
        var result: Result<OpenedLink, AgentError>?
        agent?.open(link, ProfileID(1)) { result = $0 }
        world.run { result != nil }
        guard let opened = try result?.get() else { throw Crash() }
        return opened
    }

    /// The record of a name.
    func resolve(_ name: String) throws -> NameRecord {
        var result: Result<NameRecord, AgentError>?
        agent?.resolve(try SimplexDomain(text: name), ProfileID(1), at: FakeRelay.address) { result = $0 }
        world.run(.seconds(600)) { result != nil }
        guard let record = try result?.get() else { throw Crash() }
        return record
    }

    func join(_ request: ConnectionRequest) throws {
        try join(.full(request))
    }

    func join(_ link: ConnectionLink) throws {
        let id = ConnectionID(1)
        try agent?.join(
            id, ProfileID(1), link, information: Bytes(name.utf8), replyServer: FakeRelay.address,
            postQuantum: postQuantum)
        connection = id
    }

    /// Says yes to whoever asks. The same id a second time changes nothing.
    func accept(_ request: ConnectionRequest) throws {
        let id = ConnectionID(2)
        try agent?.join(
            id, ProfileID(1), .full(request), information: Bytes(name.utf8), replyServer: FakeRelay.address,
            postQuantum: postQuantum)
        connection = id
    }

    /// Receives what waits and tries the outbox, as a one-shot command does.
    func fetch() throws {
        try agent?.start(.draining)
        world.run { agent?.isQuiet ?? true }
        try agent?.stop()
    }
}
