import Agent
import AgentProtocol
import ByteCoding
import SMPClient
import SMPProtocol
import Store
import SystemIO

/// Gives the first group of a store members that are connected with it over a relay: another agent has their side of the
/// connections.
struct TeamFilling {
    private static let members = 199
    private static let timeLimit: Duration = .seconds(600)
    private static let profile = ProfileID(1)

    private let server: ConfiguredServer
    private let store: String
    private let members: String

    /// - Parameters:
    ///   - store: The folder of the store, which must not be encrypted.
    ///   - members: The path of the database of the other side, which is made.
    init(store: String, members: String, _ server: ConfiguredServer) {
        self.store = store
        self.members = members
        self.server = server
    }

    func run() throws {
        let loop = try EventLoop()
        let chat = try Database("\(store)/simplex_v1_chat.db", .readWrite, durability: .process)
        let own = try TeamAgent("\(store)/simplex_v1_agent.db", .readWrite, loop, server)
        let theirs = try TeamAgent(members, .create, loop, server)
        for side in [own, theirs] { try side.agent.start(.staying) }
        let time: Int64 = 1_700_000_000_000
        for number in 1...TeamFilling.members {
            let connection = ConnectionID(try chat.transaction { try add(number, to: chat, at: time) })
            var link: ConnectionRequest?
            own.agent.invite(connection, TeamFilling.profile, server: server, showing: [], postQuantum: .off) {
                link = try? $0.get().full
            }
            try wait(loop) { link != nil }
            guard let link else { return }
            try theirs.agent.join(
                ConnectionID(Int64(number)), TeamFilling.profile, .full(link), information: [],
                replyServer: server.address, postQuantum: .off)
        }
        try wait(loop) {
            own.connected == TeamFilling.members && theirs.connected == TeamFilling.members
        }
        try chat.run("UPDATE state SET last_agent_event = ?", own.lastEvent)
        for side in [own, theirs] { try side.agent.stop() }
    }

    /// Returns the number of the connection.
    private func add(_ number: Int, to chat: Database, at time: Int64) throws -> Int64 {
        let name = "member \(number)"
        try chat.run("INSERT INTO names (profile_id, name) VALUES (1, ?)", name)
        try chat.run(
            """
            INSERT INTO group_members (group_id, member_id, role, category, status, name, profile, is_invited_by_user,
                versions, created_at, updated_at)
            VALUES (1, ?, 'member', 'invitee', 'connected', ?, ?, 1, '1-16', ?, ?)
            """, Bytes(name.utf8), name, #"{"displayName":"\#(name)","fullName":""}"#, time, time)
        let member = chat.lastInsertedID
        try chat.run(
            """
            INSERT INTO connections (profile_id, member_id, status, is_initiated, created_at, updated_at)
            VALUES (1, ?, 'ready', 1, ?, ?)
            """, member, time, time)
        return chat.lastInsertedID
    }

    private func wait(_ loop: EventLoop, until condition: () -> Bool) throws {
        var isLate = false
        let timer = loop.after(TeamFilling.timeLimit) { isLate = true }
        defer { timer.cancel() }
        loop.run { isLate || condition() }
        if isLate { stop("the members were not connected") }
    }
}

/// An agent whose application lets everybody in and keeps nothing.
private final class TeamAgent {
    private(set) var connected = 0
    private(set) var lastEvent: Int64 = 0
    private var running: Agent?

    var agent: Agent {
        guard let running else { stop("the agent did not start") }
        return running
    }

    init(_ path: String, _ access: Database.Access, _ loop: EventLoop, _ server: ConfiguredServer) throws {
        running = try Agent(
            path, access, environment: LoopEnvironment(loop: loop, parameters: SessionParameters()),
            durability: .process, servers: { _, _ in server }, handler: { [unowned self] in handle($0) })
    }

    private func handle(_ event: AgentEvent) {
        switch event.content {
        case .connection(.conf):
            do { try agent.allow(event.connectionID, information: []) } catch { stop("\(error)") }
        case .connection(.con): connected += 1
        case .connection, .sent, .rcvd, .link: break
        case .merr, .err, .unreadable: stop("\(event.content)")
        }
        lastEvent = event.id
        agent.forgetEvents(through: event.id)
    }
}
