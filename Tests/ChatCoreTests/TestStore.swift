import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Relay
import SMPProtocol
import Store
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import ChatCore

/// A relay and stores on one event loop, over real sockets on loopback.
final class TestHouse {
    let loop: EventLoop
    let folder: TemporaryFolder
    private let relayFolder: String
    private var server: RelayServer?
    private(set) var address: ServerAddress

    init() throws {
        loop = try EventLoop()
        folder = try TemporaryFolder()
        relayFolder = folder.path + "/relay"
        var settings = RelaySettings(hosts: [.ipv4("127.0.0.1")], port: 0)
        settings.listen = .ipv4("127.0.0.1")
        settings.proxyPrivate = true
        settings.proxySeconds = 2
        _ = try RelayFolder.create(at: relayFolder, settings: settings)
        let server = try RelayServer(RelayFolder(opening: relayFolder), on: loop)
        self.server = server
        address = server.address
    }

    /// The relay is not there any more. Its port stays taken by nobody.
    func stopRelay() {
        server?.stop()
        server = nil
    }

    /// The relay comes back where it was, with what it had stored.
    func startRelay(
        clock: @escaping () -> Timestamp = { Timestamp(milliseconds: SystemClock.milliseconds()) }
    ) throws {
        let port = address.port ?? SMP.defaultPort
        let settings = try String(decoding: Files.read(relayFolder + "/relay.conf", limit: 65536), as: UTF8.self)
        try Files.replace(
            relayFolder + "/relay.conf", Bytes(settings.replacing("port = 0", with: "port = \(port)").utf8))
        server = try RelayServer(RelayFolder(opening: relayFolder), on: loop, clock: clock)
    }

    /// The relay starts again, with a clock that is fast.
    func restartRelay(ahead: Duration) throws {
        stopRelay()
        try startRelay { Timestamp(milliseconds: SystemClock.milliseconds()) + ahead }
    }

    /// The relay loses everything that it had stored, while it is stopped.
    func forgetQueues() throws {
        for name in ["relay.db", "relay.db-wal", "relay.db-shm"] { try? Files.remove(relayFolder + "/\(name)") }
    }

    /// A new store with one profile that uses the relay.
    func person(_ name: String) throws -> TestStore {
        let store = TestStore(loop, StoreFolder(folder.path + "/\(name)"))
        try store.folder.create()
        try store.open(.creating)
        _ = try store.execute(CreateProfile(Profile(displayName: name)))
        _ = try store.execute(SetServers(ProfileID(1), [ConfiguredServer(address: address)]))
        return store
    }

    /// Two people who are connected, each having fetched while the other was away.
    func friends() throws -> (TestStore, TestStore) {
        let alice = try person("alice"), bob = try person("bob")
        try bob.join(try alice.invite())
        for store in [bob, alice, bob] { _ = try store.fetch() }
        return (alice, bob)
    }
}

/// A store that is used as one-shot commands use it.
final class TestStore {
    let folder: StoreFolder
    private let loop: EventLoop
    private var core: LocalCore?
    private let seen = EventLog()
    /// What the user decided about connections, for the next time that the store is opened.
    var network: [NetworkSettings.Setting: String]

    init(_ loop: EventLoop, _ folder: StoreFolder, network: [NetworkSettings.Setting: String] = [:]) {
        self.loop = loop
        self.folder = folder
        self.network = network
    }

    /// What happened since the last look.
    func events() -> [any ChatEvent] {
        let events = seen.take()
        for event in events { #expect(PublishedTypes.official.problem(with: event.json) == nil) }
        return events
    }

    func open(_ access: LocalCore.Access) throws {
        let loop = loop, folder = folder, seen = seen, network = try NetworkSettings(network)
        core = try loop.run {
            try await LocalCore(folder, access, loop: loop, network: network) { seen.append($0) }
        }
    }

    /// Closes the store as a process does that ends well.
    func close() {
        if let core { try? loop.run { try await core.close() } }
        core = nil
    }

    /// Ends the process without warning and starts it again.
    func reopen(_ access: LocalCore.Access = .writing) throws {
        core = nil
        try open(access)
    }

    func execute<Command: ChatCommand>(_ command: Command) throws -> Command.Response {
        guard let core else { throw ChatError.readOnly }
        let response = try loop.run { try await core.execute(command) }
        // A session beside another process gets the same.
        #expect(try response.isReadFromItsJSON(), "\(Command.self)")
        #expect(PublishedTypes.official.problem(with: response.json) == nil)
        return response
    }

    func invite(name: String? = nil) throws -> String {
        try inviteWithLinks(name: name).preferred
    }

    func inviteWithLinks(name: String? = nil) throws -> LinkText {
        try execute(Invite(nil, name: name)).link
    }

    @discardableResult
    func join(_ link: String, name: String? = nil) throws -> ContactConnection {
        try #require(try execute(Connect(nil, link: link, name: name, isQueued: true)).connection)
    }

    func fetch() throws -> FetchReport {
        let report = try execute(FetchMessages(timeout: .seconds(20)))
        try checkSummaries()
        return report
    }

    /// Checks that lists of chats show what the chats have.
    func checkSummaries() throws {
        #expect(try execute(SummarizeChats()).chats == ChatSummary.list(try execute(ListChats()).chats))
    }

    /// How many rows tables of the chat database have.
    func counts(_ tables: [String]) throws -> [Int] {
        let database = try Database(folder.path + "/simplex_v1_chat.db", .readOnly)
        return try tables.map { table in
            try database.first("SELECT count(*) FROM \(table)") { row throws(StoreError) in try row.int() } ?? 0
        }
    }

    @discardableResult
    func send(_ text: String, to name: String) throws -> ChatItem {
        let sent = try execute(SendMessages(.name(name), [ComposedMessage(MessageContent(text))]))
        guard case .newItems(_, let items) = sent, let item = items.first?.item else { throw ChatError.internal }
        return item
    }

    /// Tells a contact something that this program never says by itself.
    func say(_ event: ChatMessage.Event, as messageID: SharedMessageID? = nil, to id: ContactID) throws {
        guard let core else { throw ChatError.readOnly }
        try loop.run { try await core.say(event, as: messageID, to: id) }
    }

    func contacts() throws -> [Contact] {
        try execute(ListContacts()).contacts
    }

    func items(_ name: String) throws -> [ChatItem] {
        try execute(ReadChat(.name(name), .last(1000))).items
    }

    func texts(_ name: String, _ direction: ChatItem.Direction = .received) throws -> [String] {
        try items(name).filter { $0.direction == direction }.map(\.content.plainText)
    }
}

extension ChatResponse {
    /// True if another process that gets the line has the same value.
    func isReadFromItsJSON() throws -> Bool {
        guard let object = try JSONValue(decoding: json.encoded).object else { return false }
        return try Self(json: object) == self
    }
}

extension LocalCore {
    fileprivate func say(_ event: ChatMessage.Event, as messageID: SharedMessageID?, to id: ContactID) throws {
        try conversations.say(event, as: messageID, to: id)
    }
}

/// Events in the order in which they came.
private final class EventLog: Sendable {
    private let events = Mutex<[any ChatEvent]>([])

    func append(_ event: any ChatEvent) {
        events.withLock { $0.append(event) }
    }

    func take() -> [any ChatEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
