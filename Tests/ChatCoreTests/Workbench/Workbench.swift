import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import SMPProtocol
import Store
import SystemIO
import TestSupport

@testable import ChatCore

/// A store in a temporary folder, a fake agent and a clock, for collaborators that are tested alone. It has one profile, alice.
final class Workbench {
    let folder: TemporaryFolder
    let environment = StillEnvironment()
    let agent = FakeAgent()
    let store: ChatStore
    let context: CoreContext
    private let told = Told()
    private var lastEvent: Int64 = 0

    static let server = ServerAddress(
        hosts: [.ipv4("127.0.0.1")], port: 5223, fingerprint: Bytes(repeating: 1, count: 32))
    static let otherServer = ServerAddress(
        hosts: [.ipv4("127.0.0.2")], port: 5223, fingerprint: Bytes(repeating: 2, count: 32))

    private static let emptyStore = Result {
        let folder = try TemporaryFolder(), path = folder.path + "/chat.db"
        _ = try ChatStore(path, .create)
        return try Files.read(path, limit: 1 << 26)
    }

    /// Writes a chat database without rows. It is a copy, because its schema takes longer to make than most tests.
    static func createEmptyStore(_ path: String) throws { try Files.create(path, emptyStore.get()) }

    private final class Told {
        var events: [any ChatEvent] = []
    }

    init(hooks: ChatHooks = .none) throws {
        folder = try TemporaryFolder()
        let path = folder.path + "/chat.db"
        try Workbench.createEmptyStore(path)
        store = try ChatStore(path, .readWrite)
        // No test ends the system, which keeps the writes of a process.
        try store.database.execute(script: "PRAGMA synchronous=OFF")
        context = CoreContext(store, environment: environment, hooks: hooks) { [told] in told.events.append($0) }
        context.connectedAgent = agent
        let id = try store.transaction {
            let id = try store.insertProfile(Profile(displayName: "alice"), at: now)
            try store.activate(id)
            try store.insert(ProfileServer(ConfiguredServer(address: Workbench.server)), of: id)
            return id
        }
        precondition(id == ProfileID(1), "the first profile has the first number")
    }

    var now: Timestamp { environment.now }

    /// What was told since the last look.
    func events() -> [any ChatEvent] {
        defer { told.events = [] }
        return told.events
    }

    /// The names of what was told since the last look.
    func eventTypes() -> [String] { events().map { type(of: $0).type } }

    // MARK: - Collaborators

    func servers() -> Servers { Servers(context) }
    func expiry() -> Expiry { Expiry(context) }
    func files() -> ChatFiles { chatFiles }
    private lazy var chatFiles = ChatFiles(context, servers: servers())
    func conversations() -> Conversations { sharedConversations }
    private lazy var sharedConversations = Conversations(context, expiry: expiry(), files: files())
    func connector() -> Connector { Connector(context, servers: servers(), conversations: conversations()) }
    func groups() -> Groups {
        Groups(context, servers: servers(), expiry: expiry(), conversations: conversations(), connector: connector())
    }
    func calls() -> Calls { Calls(context, conversations: conversations()) }
    private(set) lazy var relayTests = ChatRelayTests(context, connector: connector())
    func profiles() -> Profiles { Profiles(context, servers: servers(), connector: connector()) }

    func inbox() -> Inbox {
        Inbox(
            context, expiry: expiry(), conversations: conversations(), connector: connector(), groups: groups(),
            calls: calls(), files: files(), relayTests: relayTests,
            crashNote: CrashNote(folder.path + "/crash"))
    }

    // MARK: - What is there

    func profile() throws -> OwnProfile { try context.lookup.owner(ProfileID(1)) }

    /// Hides the profile. It is no longer active.
    func hideProfile() throws {
        let password = try ProfilePassword("secret", random: environment.random)
        try store.transaction {
            let other = try store.insertProfile(Profile(displayName: "other"), at: now)
            try store.activate(other)
            try store.setPassword(password, of: ProfileID(1))
        }
    }

    /// A contact that can be written to.
    @discardableResult
    func contact(_ name: String = "bob", status: ContactConnection.Status = .ready) throws -> Contact {
        let id = try store.transaction {
            let id = try store.insertContact(Profile(displayName: name), named: name, of: ProfileID(1), at: now)
            let connection = try connection(status)
            try store.update(connection, contact: id)
            try store.update(connection, version: AgreedChatVersion(peer: ChatVersion.supported))
            return id
        }
        return try context.lookup.contact(id)
    }

    /// A connection without a contact, which the agent has.
    func connection(
        _ status: ContactConnection.Status, link: String? = nil, as incognito: Profile? = nil
    ) throws -> ConnectionID {
        let id = try store.insertConnection(
            of: ProfileID(1), as: incognito, status: status, isInitiated: status == .new, link: link,
            requestedName: nil,
            at: now)
        agent.connections.insert(id)
        return id
    }

    func items(_ contact: Contact) throws -> [ChatItem] {
        try store.items(in: .direct(contact.id), .last(1000))
    }

    func texts(_ contact: Contact) throws -> [String] { try items(contact).map(\.content.plainText) }

    /// A link to the address of another person.
    func link(_ number: UInt8 = 9) -> ConnectionRequest {
        let key = X25519.PrivateKey(random: SeededRandom(seed: UInt64(number))).publicKey
        let location = QueueLocation(
            server: Workbench.otherServer, senderID: EntityID(Bytes(repeating: number, count: 24)), dhKey: key,
            mode: .contact)
        return .contact(
            ConnectionQueues(
                versions: VersionRange(2, 7), queues: [QueueAddress(versions: VersionRange(1, 4), location: location)]))
    }

    // MARK: - What the agent delivers

    func event(_ connection: ConnectionID, _ content: AgentEvent.Content) -> AgentEvent {
        lastEvent += 1
        return AgentEvent(id: lastEvent, connectionID: connection, profileID: ProfileID(1), content: content)
    }

    /// A message of a contact.
    func message(
        _ event: ChatMessage.Event, _ id: UInt8? = nil, from contact: Contact, integrity: MessageIntegrity = .ok
    ) -> AgentEvent {
        let body = ChatMessage(id: id.map(Workbench.sharedID), event: event).encoded
        let message = ReceivedMessage(
            number: 1, hash: [], relayTime: now, integrity: integrity, isPostQuantum: false, body: body)
        return self.event(contact.connection?.id ?? ConnectionID(0), .connection(.msg(message)))
    }

    func text(_ text: String, _ id: UInt8? = nil, from contact: Contact) -> AgentEvent {
        message(.message(MessageContainer(MessageContent(text))), id, from: contact)
    }

    static func sharedID(_ number: UInt8) -> SharedMessageID {
        SharedMessageID(Bytes(repeating: number, count: 12))
    }

    /// The information of a handshake.
    static func information(_ event: ChatMessage.Event) -> Bytes { ChatMessage(event: event).encoded }
}
