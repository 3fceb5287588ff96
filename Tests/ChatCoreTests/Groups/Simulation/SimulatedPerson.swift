import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import SMPClient
import SMPProtocol
import Store
import SystemIO
import TestSupport

@testable import ChatCore

/// Time and chance of a process of the simulation.
final class SimulatedEnvironment: AgentEnvironment {
    private struct Timer {
        let number: Int
        let time: Timestamp
        let action: () -> Void
    }

    private let relays: SimulatedRelays
    private var timers: [Timer] = []
    private var lastNumber = 0

    init(_ relays: SimulatedRelays) {
        self.relays = relays
    }

    var now: Timestamp { relays.now }
    var random: any RandomSource { relays.random }

    func after(_ delay: Duration, _ action: @escaping () -> Void) -> () -> Void {
        lastNumber += 1
        let number = lastNumber
        timers.append(Timer(number: number, time: now + delay, action: action))
        return { [weak self] in self?.timers.removeAll { $0.number == number } }
    }

    /// Calls what is due.
    func runTimers() {
        while let next = timers.min(by: { ($0.time, $0.number) < ($1.time, $1.number) }), next.time <= now {
            timers.removeAll { $0.number == next.number }
            next.action()
        }
    }

    func atEndOfTurn(_ action: @escaping () -> Void) { _ = after(.zero, action) }

    func connect(to server: ServerAddress, handler: @escaping (RelaySession.Event) -> Void) -> any RelayChannel {
        preconditionFailure("the agent of the simulation has no sessions")
    }
}

/// Somebody with a store, whose processes begin and end.
final class SimulatedPerson {
    let number: Int
    let name: String
    private let relays: SimulatedRelays
    private let folder: String
    private let records = SimulatedRecords()
    private var life = 0
    private(set) var agent: SimulatedAgent
    private(set) var environment: SimulatedEnvironment
    private(set) var store: ChatStore
    private(set) var context: CoreContext
    private(set) var groups: Groups
    private(set) var inbox: Inbox
    var isOnline = true
    /// How likely the process ends at a call of the agent, in percent.
    var mortality = 0.0 { didSet { agent.mortality = mortality } }
    private(set) var deaths = 0

    init(_ number: Int, _ relays: SimulatedRelays, in folder: String) throws {
        self.number = number
        self.relays = relays
        self.folder = folder
        name = "p\(number)"
        let path = "\(folder)/\(name)-0.db"
        try Workbench.createEmptyStore(path)
        store = try SimulatedPerson.store(path, .readWrite)
        agent = SimulatedAgent(number, relays, records)
        environment = SimulatedEnvironment(relays)
        (context, groups, inbox) = SimulatedPerson.collaborators(store, environment, agent, path)
        agent.handler = { [unowned inbox] event in inbox.handle(event) }
        let name = name
        try store.transaction {
            let id = try store.insertProfile(Profile(displayName: name), at: relays.now)
            try store.activate(id)
            try store.insert(ProfileServer(ConfiguredServer(address: Workbench.server)), of: id)
        }
        prepareForDeath()
    }

    private static func store(_ path: String, _ access: Database.Access) throws -> ChatStore {
        let store = try ChatStore(path, access)
        // A process that ends leaves its writes to the system.
        try store.database.execute(script: "PRAGMA synchronous=OFF")
        return store
    }

    private static func collaborators(
        _ store: ChatStore, _ environment: SimulatedEnvironment, _ agent: SimulatedAgent, _ path: String
    ) -> (CoreContext, Groups, Inbox) {
        let context = CoreContext(store, environment: environment) { _ in }
        context.connectedAgent = agent
        let servers = Servers(context), expiry = Expiry(context), files = ChatFiles(context, servers: servers)
        let conversations = Conversations(context, expiry: expiry, files: files)
        let connector = Connector(context, servers: servers, conversations: conversations)
        let groups = Groups(
            context, servers: servers, expiry: expiry, conversations: conversations, connector: connector)
        let inbox = Inbox(
            context, expiry: expiry, conversations: conversations, connector: connector, groups: groups,
            calls: Calls(context, conversations: conversations), files: files,
            relayTests: ChatRelayTests(context, connector: connector), crashNote: CrashNote(path + ".crash"))
        return (context, groups, inbox)
    }

    // MARK: - Lives

    private func path(_ life: Int) -> String { "\(folder)/\(name)-\(life).db" }

    /// What is on disk when the process ends is what the next one finds.
    private func prepareForDeath() {
        agent.onDeath = { [unowned self] in
            for suffix in ["", "-wal"] {
                guard let bytes = try? Files.read(path(life) + suffix, limit: 1 << 26) else { continue }
                try? Files.create(path(life + 1) + suffix, bytes)
            }
        }
    }

    /// Begins again after the process ended, as a core does that opens its store.
    func recover() throws {
        guard agent.isDead else {
            if let failure = context.failure { throw failure }
            return
        }
        deaths += 1
        life += 1
        store = try SimulatedPerson.store(path(life), .readWrite)
        for suffix in ["", "-wal", "-shm"] { try? Files.remove(path(life - 1) + suffix) }
        agent = SimulatedAgent(number, relays, records)
        environment = SimulatedEnvironment(relays)
        (context, groups, inbox) = SimulatedPerson.collaborators(store, environment, agent, path(life))
        agent.handler = { [unowned inbox] event in inbox.handle(event) }
        try inbox.open()
        try inbox.replay()
        try groups.retryPending()
        try groups.connector.retryPendingRequests()
        if let failure = context.failure { throw failure }
        agent.mortality = mortality
        prepareForDeath()
    }

    // MARK: - The group

    var group: Group? { get throws { try store.groups(of: ProfileID(1)).last } }

    /// Makes the group known with all that were in it from the beginning. Returns the connections with the others.
    func found(
        _ profile: GroupProfile, with people: [SimulatedPerson], roles: [GroupRole], of host: SimulatedPerson
    ) throws -> [Int: ConnectionID] {
        let now = relays.now
        return try store.transaction {
            let id = try store.insertGroup(profile, named: profile.displayName, of: ProfileID(1), at: now)
            var connections: [Int: ConnectionID] = [:]
            for other in people {
                let isUser = other === self
                if !isUser { try store.take(other.name, in: ProfileID(1)) }
                let category: GroupMember.Category =
                    isUser ? .user : self === host ? .invitee : other === host ? .host : .pre
                let member = try store.insertMember(
                    ChatStore.NewMember(
                        groupID: id, memberID: other.memberID, role: roles[other.number], category: category,
                        status: isUser && self === host ? .creator : .connected, name: other.name,
                        profile: Profile(displayName: other.name).forMembers(), contactID: nil, inviter: .unknown,
                        versions: ChatVersion.supported), at: now)
                if isUser {
                    try store.setMembership(member, of: id)
                    try store.setProfileSent(id, at: now)
                    continue
                }
                let connection = try store.insertConnection(
                    of: ProfileID(1), as: nil, status: .ready, isInitiated: false, link: nil, requestedName: nil,
                    at: now)
                try store.update(connection, member: member)
                try store.update(
                    connection, QuantumResistance(isWanted: false, protectsSent: false, protectsReceived: false))
                connections[other.number] = connection
            }
            return connections
        }
    }

    /// The id of somebody who was in the group from the beginning.
    var memberID: MemberID {
        guard let id = MemberID(Bytes("member \(1000 + number)".utf8)) else { preconditionFailure("a member id") }
        return id
    }

    func items(_ group: Group) throws -> [ChatItem] {
        try store.allItems(in: .group(group.id), .last(10_000)).filter {
            $0.content.isMessage && $0.sharedID != nil
        }
    }
}
