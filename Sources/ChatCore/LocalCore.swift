public import Agent
import AgentProtocol
import ByteCoding
import PageCipher
import SMPClient
import SMPProtocol
import Store
public import SystemIO

/// The state of one store and what may be done with it.
public actor LocalCore {
    /// What a core may do with its store.
    public enum Access: Sendable {
        /// Sees a snapshot, and commands that change something fail.
        case reading
        case writing
        /// Like `writing`; there must be no store yet.
        case creating
    }

    let loop: EventLoop
    let store: ChatStore
    let environment: LoopEnvironment
    let folder: StoreFolder
    /// The machine that the store is on.
    let machine: MachineID?
    /// True if the store was copied from another machine by hand, and nobody has confirmed that only this copy goes on.
    public private(set) var isCopy = false
    private let onEvent: @Sendable (any ChatEvent) -> Void
    let hooks: ChatHooks
    /// Only of a core that may write.
    private(set) var writableAgent: Agent?
    /// The last event of the agent that is in the database.
    var lastEvent: Int64 = 0
    /// Names the event that is being handled, or the message that is being read, if that ends the process.
    let crashNote: CrashNote
    /// Why nothing more is recorded: the database failed.
    var failure: ChatError?
    /// Why connections failed while this core is open.
    var problems: [ConnectionID: ConnectionProblem] = [:]
    /// How many events were handled since the databases freed their pages.
    var handledEvents = 0
    /// What is counted while this core is open.
    var counters = FetchReport()
    /// How many commands keep the sessions with the relays until they end.
    var stays = 0
    /// Takes back the timer for the entry that disappears next.
    var cancelExpiry: (() -> Void)?
    /// True if a log still has what was removed, because somebody was reading.
    var hasStaleLog = false
    /// Takes back the timer for the call that nobody waits for next.
    var cancelMissedCall: (() -> Void)?

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - key: What opens an encrypted store, or encrypts a new one; nil for a plain one.
    ///   - network: What the user decided about connections.
    ///   - machine: What tells the machine from others; nil if nothing does.
    ///   - onEvent: Called on the loop's thread, when an event is on disk.
    ///   - hooks: The programs that are to be told of events, and asked before something is sent.
    public init(
        _ folder: StoreFolder, _ access: Access, key: OpenedKey? = nil, loop: EventLoop,
        network: NetworkSettings = NetworkSettings(), machine: MachineID? = .current,
        onEvent: @escaping @Sendable (any ChatEvent) -> Void = { _ in },
        hooks: ChatHooks = .none
    ) async throws(ChatError) {
        self.loop = loop
        self.folder = folder
        self.machine = machine
        self.hooks = hooks
        self.onEvent = onEvent
        crashNote = CrashNote(folder.crashNote)
        environment = LoopEnvironment(loop: loop, parameters: SessionParameters(), network: network)
        do {
            if access == .creating { try NewStore.create(in: folder, key) } else { try folder.checkNotEmpty() }
            store = try ChatStore(folder.chatDatabase, access == .reading ? .readOnly : .readWrite, key?.key)
        } catch {
            throw ChatError(error)
        }
        if access != .reading { try start(key) }
    }

    /// Opens the agent and mends what a crash may have left undone.
    private func start(_ key: OpenedKey?) throws(ChatError) {
        do {
            if let mark = try store.freezingExport() { throw ChatError.frozen(mark) }
            isCopy = try store.settle(in: folder, on: machine)
            lastEvent = try store.lastAgentEvent()
            // The first versions made the databases one after the other, and a crash may have come between.
            let isUnfinished = try !Files.exists(folder.agentDatabase) && !store.hasConnections()
            let agent = try Agent(
                folder.agentDatabase, isUnfinished ? .create : .readWrite, key: key?.key, slots: key?.slots,
                environment: environment,
                servers: { [unowned self] id, other in
                    assumeIsolated { core in core.attempt { try core.chooseReplyServer(for: id, besides: other) } ?? nil
                    }
                },
                ownServers: { [unowned self] id in
                    assumeIsolated { core in core.attempt { try core.usedServers(of: id) } ?? [] }
                },
                handler: { [unowned self] event in assumeIsolated { $0.handle(event) } })
            agent.rotationServer = { [unowned self] id, used in
                assumeIsolated { core in core.attempt { try core.rotationServer(of: id, used: used) } ?? nil }
            }
            agent.onNotice = { [unowned self] notice in assumeIsolated { $0.handle(notice) } }
            agent.crashNote = crashNote
            writableAgent = agent
            try settleCalls()
            try repeatReceipts()
            try noteCrash(agent)
            for (id, connectionID) in try agent.replayEvents(after: lastEvent) {
                try tellSetAside(id, connectionID)
            }
            try repeatWishes()
            try removeExpired()
        } catch {
            throw ChatError(error)
        }
    }

    /// Ends all sessions. Nothing that was answered is lost without it.
    public func close() throws(ChatError) {
        do { try writableAgent?.stop() } catch { throw ChatError(error) }
        writableAgent = nil
        cancelExpiry?()
        cancelMissedCall?()
    }

    /// The agent of a core that may write.
    var agent: Agent {
        get throws(ChatError) {
            guard let writableAgent else { throw .readOnly }
            return writableAgent
        }
    }

    var now: Timestamp { environment.now }

    /// Has commands look again whether they were cancelled.
    nonisolated func reconsider() {
        loop.post { [weak self] in self?.assumeIsolated { $0.writableAgent?.reconsider() } }
    }

    func tell(_ event: any ChatEvent) {
        // SECURITY: who hides a profile does not want others to see on the screen that something came for it.
        if event.owner?.isHidden == true { return }
        onEvent(event)
    }

    /// What a step gives that the rest can do without; nil if it fails. A failing disk stops everything.
    @discardableResult
    func attempt<Value>(_ step: () throws -> Value) -> Value? {
        do { return try step() } catch {
            switch ChatError(error) {
            case .database(.diskFull), .database(.disk), .database(.cannotOpen):
                failure = failure ?? ChatError(error)
            default: break
            }
            return nil
        }
    }

    // MARK: - Commands

    /// Carries out a command.
    public func execute<Command: ChatCommand>(_ command: Command) async throws(ChatError) -> Command.Response {
        do {
            if let failure { throw failure }
            if Command.access == .write { _ = try agent }
            if let reason = try await hooks.objection(to: try await command.utterances(on: self)) {
                throw ChatError.vetoed(reason)
            }
            let response = try await command.perform(on: self)
            if let failure { throw failure }
            return response
        } catch {
            throw ChatError(error)
        }
    }
}
