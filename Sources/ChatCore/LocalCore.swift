public import Agent
import AgentProtocol
import ByteCoding
import PageCipher
import SMPClient
import SMPProtocol
import Store
public import SystemIO
import XFTPClient

/// One store, opened in this process.
///
/// The actor opens and closes the store, and runs commands one after the other on its event loop. Its collaborators do the work,
/// each with a subject of its own; see ``Collaborator`` for their order. Commands call them as `core.conversations`, `core.connector` and
/// so on.
public actor LocalCore {
    /// The access of a core to its store.
    public enum Access: Sendable {
        /// Sees a snapshot, and commands that change something fail.
        case reading
        case writing
        /// Like `writing`; there must be no store yet.
        case creating
    }

    let context: CoreContext
    let servers: Servers
    let expiry: Expiry
    let cursors: Cursors
    let conversations: Conversations
    let connector: Connector
    let groups: Groups
    let calls: Calls
    let relayTests: ChatRelayTests
    let files: ChatFiles
    let profiles: Profiles
    let inbox: Inbox
    let exchange: Exchange
    let folder: StoreFolder
    /// The machine that the store is on.
    let machine: MachineID?
    /// True if the store was copied from another machine by hand, and the user has not confirmed that only this copy is used.
    public private(set) var isCopy = false
    let loop: EventLoop
    /// What opens the store, for an archive of it.
    let key: OpenedKey?
    /// True once other databases stand in the place of those that are open here.
    var isReplaced = false
    private let environment: LoopEnvironment

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - key: The key of an encrypted store; nil for a plain one.
    ///   - network: The network settings of the user.
    ///   - machine: The identifier of the machine; nil if it has none.
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
        self.key = key
        environment = LoopEnvironment(loop: loop, parameters: SessionParameters(), network: network)
        do {
            if access == .creating { try NewStore.create(in: folder, key) } else { try folder.checkNotEmpty() }
            let store = try ChatStore(folder.chatDatabase, access == .reading ? .readOnly : .readWrite, key?.key)
            context = CoreContext(store, environment: environment, hooks: hooks, onEvent: onEvent)
            servers = Servers(context)
            expiry = Expiry(context)
            files = ChatFiles(context, servers: servers)
            files.ownFolder = folder.files
            conversations = Conversations(context, expiry: expiry, files: files)
            connector = Connector(context, servers: servers, conversations: conversations)
            groups = Groups(
                context, servers: servers, expiry: expiry, conversations: conversations, connector: connector)
            calls = Calls(context, conversations: conversations)
            relayTests = ChatRelayTests(context, connector: connector)
            profiles = Profiles(context, servers: servers, connector: connector)
            inbox = Inbox(
                context, expiry: expiry, conversations: conversations, connector: connector, groups: groups,
                calls: calls, files: files, relayTests: relayTests,
                crashNote: CrashNote(folder.crashNote))
            exchange = Exchange(context, inbox: inbox, connector: connector, files: files)
            cursors = Cursors(context)
            expiry.whenRemoved = { [unowned files] in try files.removeOrphans(isActive: false) }
        } catch {
            throw ChatError(error)
        }
        exchange.onCancel = { [weak self] in self?.reconsider() }
        if access != .reading { try start(key) }
    }

    /// Opens the agent, and finishes what a crash interrupted.
    private func start(_ key: OpenedKey?) throws(ChatError) {
        do {
            if let mark = try store.freezingExport() { throw ChatError.frozen(mark) }
            isCopy = try store.settle(in: folder, on: machine)
            try inbox.open()
            // The first versions made the databases one after the other, and a crash may have come between.
            let isUnfinished = try !Files.exists(folder.agentDatabase) && !store.hasConnections()
            let agent = try Agent(
                folder.agentDatabase, isUnfinished ? .create : .readWrite, key: key?.key, slots: key?.slots,
                environment: environment,
                servers: { [unowned context, unowned servers] id, other in
                    context.attempt { try servers.replyServer(for: id, besides: other) } ?? nil
                },
                ownServers: { [unowned context, unowned servers] id in
                    context.attempt { try servers.used(by: id) } ?? []
                },
                handler: { [unowned inbox] event in inbox.handle(event) })
            agent.rotationServer = { [unowned context, unowned servers] id, used in
                context.attempt { try servers.rotationServer(for: id, used: used) } ?? nil
            }
            agent.isPreset = PresetServers.all.contains
            agent.sendsReceipts = { [unowned conversations] id in
                // A fault of the disk is noted, and a receipt is not worth a wrong answer.
                conversations.context.attempt { try conversations.sendsReceipts(id) } ?? false
            }
            agent.onNotice = { [unowned inbox] notice in inbox.handle(notice) }
            agent.crashNote = inbox.crashNote
            context.connectedAgent = agent
            prepareTransfers(of: agent)
            try calls.settleOver()
            try conversations.repeatReceipts(through: inbox.lastEvent)
            try inbox.replay()
            try groups.retryPending()
            try connector.retryPendingRequests()
            try conversations.retryPendingMessages()
            try profiles.settleActive()
            try connector.tellChangedProfiles()
            try expiry.removeExpired()
        } catch {
            throw ChatError(error)
        }
    }

    /// Has the files transferred by an agent, once something uses the network.
    private func prepareTransfers(of agent: Agent) {
        files.makeTransfers = { [unowned agent, unowned files, unowned servers, loop, folder] in
            let transfers = agent.makeFileTransfers(
                in: folder.transfers, loop: loop,
                servers: { id, others in
                    servers.context.attempt { try servers.fileServer(for: ProfileID(id), besides: others) } ?? nil
                },
                handler: { [unowned files] in files.handle($0) })
            transfers.sharesLinks = files.sharesLinks
            transfers.leavesChunks = { [unowned files] id in
                files.context.attempt { try files.isPassedOn(id) } ?? false
            }
            return transfers
        }
    }

    /// Ends all sessions. Without it nothing is lost that was answered.
    public func close() throws(ChatError) {
        files.pause()
        do { try context.connectedAgent?.stop() } catch { throw ChatError(error) }
        context.connectedAgent = nil
        expiry.cancel()
        calls.cancel()
    }

    /// Makes commands check again if they were cancelled.
    private nonisolated func reconsider() {
        loop.post { [weak self] in self?.assumeIsolated { $0.context.connectedAgent?.reconsider() } }
    }

    /// Sets how long commands wait for a relay that they ask at once. For the only command of a process.
    public func limitRequests(to deadline: Duration) {
        environment.requestDeadline = deadline
    }

    /// Sets which files are accepted without asking as long as this core is open; nil for the setting of the store.
    public func setFileAcceptance(_ acceptance: FileAcceptance?) {
        files.acceptance = acceptance
    }

    // MARK: - Commands

    /// Runs a command.
    public func execute<Command: ChatCommand>(_ command: Command) async throws(ChatError) -> Command.Response {
        do {
            if isReplaced { throw ChatError.storeChanged }
            if let failure = context.failure { throw failure }
            if Command.access == .write { _ = try agent }
            try await context.hooks.check(try await command.utterances(on: self))
            let response = try await command.perform(on: self)
            if Command.access == .write, !isReplaced { try files.removeOrphans() }
            if let failure = context.failure { throw failure }
            return response
        } catch {
            // What a command read last may belong to the store that was replaced meanwhile.
            throw isReplaced ? ChatError.storeChanged : ChatError(error)
        }
    }
}

/// Shortcuts for commands.
extension LocalCore {
    var store: ChatStore { context.store }
    var lookup: Lookup { context.lookup }
    var now: Timestamp { context.now }

    /// The agent of a core that may write.
    var agent: any CoreAgent {
        get throws(ChatError) { try context.agent }
    }

    func tell(_ event: any ChatEvent) {
        context.tell(event)
    }
}

extension LocalCore {
    /// Writes an archive of the store on a thread of its own.
    func exportArchive(to path: String) async throws {
        let folder = folder, key = key, machine = machine
        try await aside {
            let draft = try ArchiveDraft(path)
            _ = try StoreExport.run(
                folder, key: key, freezes: false,
                to: StoreExport.Destination(write: draft.write, publish: draft.publish, progress: { _, _ in }),
                machine: machine)
        }
    }
}

/// The file of an archive, which gets its name when it is complete.
final class ArchiveDraft {
    private var draft: DraftFile?

    init(_ path: String) throws(SystemError) {
        draft = try DraftFile(for: path)
    }

    func write(_ bytes: Bytes) throws {
        try draft?.write(bytes)
    }

    func publish() throws {
        guard let whole = draft.take() else { return }
        try whole.publish(replaces: false)
    }
}
