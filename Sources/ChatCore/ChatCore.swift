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
                    assumeIsolated { try? $0.chooseReplyServer(for: id, besides: other) }
                },
                ownServers: { [unowned self] id in assumeIsolated { (try? $0.usedServers(of: id)) ?? [] } },
                handler: { [unowned self] event in assumeIsolated { $0.handle(event) } })
            agent.rotationServer = { [unowned self] id, used in
                assumeIsolated { try? $0.rotationServer(of: id, used: used) }
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

    // MARK: - Commands

    /// Carries out a command.
    public func execute(_ command: CoreCommand) async throws(ChatError) -> CoreResponse {
        do {
            if let failure { throw failure }
            let response = try await answer(command)
            if let failure { throw failure }
            return response
        } catch {
            throw ChatError(error)
        }
    }

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

    private func answer(_ command: CoreCommand) async throws -> CoreResponse {
        switch command {
        case .showActiveProfile: .activeProfile(try await ShowActiveProfile().perform(on: self).profile)
        case .listProfiles: .profiles(try await ListProfiles().perform(on: self).profiles)
        case .createProfile(let profile): .activeProfile(try await CreateProfile(profile).perform(on: self).profile)
        case .activateProfile(let id): .activeProfile(try await ActivateProfile(id).perform(on: self).profile)
        case .updateProfile(let id, let presented):
            CoreResponse(try await UpdateProfile(id, presented).perform(on: self))
        case .describeProfile(let name, let text):
            CoreResponse(try await DescribeProfile(name: name, about: text).perform(on: self))
        case .listServers(let id): CoreResponse(try await ListServers(id).perform(on: self))
        case .setServers(let id, let servers):
            .commandOK(try await SetServers(id, servers).perform(on: self).profile)
        case .updateServers(let id, let changes):
            .commandOK(try await UpdateServers(id, changes).perform(on: self).profile)
        case .testServer(let id, let server): CoreResponse(try await TestServer(id, server).perform(on: self))
        case .listOperators: .operators(try store.operators())
        case .updateOperators(let operators):
            .operators(try await UpdateOperators(operators).perform(on: self).operators)
        case .showConditions: .conditions(.current, try store.operators())
        case .acceptConditions(let tags): .operators(try await AcceptConditions(tags).perform(on: self).operators)
        case .invite(let id, let name, let isIncognito):
            CoreResponse(try await invite(try profile(id), name: name, isIncognito: isIncognito))
        case .connect(let id, let link, let name, let isIncognito):
            CoreResponse(try connect(try profile(id), link: link, name: name, isIncognito: isIncognito))
        case .planConnection(let id, let link):
            .connectionPlan(try profile(id), try await plan(try profile(id), link: link))
        case .listInvitations(let id):
            .invitations(try profile(id), try await ListInvitations(id).perform(on: self).connections)
        case .deleteConnection(let id): CoreResponse(try await DeleteConnection(id).perform(on: self))
        case .createAddress(let id):
            .addressCreated(try profile(id), try await CreateAddress(id).perform(on: self).address)
        case .showAddress(let id): .address(try profile(id), try await ShowAddress(id).perform(on: self).address)
        case .addShortLink(let id): .address(try profile(id), try await AddShortLink(id).perform(on: self).address)
        case .rotateAddress(let id):
            .addressCreated(try profile(id), try await RotateAddress(id).perform(on: self).address)
        case .deleteAddress(let id): .addressDeleted(try await DeleteAddress(id).perform(on: self).profile)
        case .setAddress(let id, let settings):
            .addressUpdated(try profile(id), try await SetAddress(id, settings).perform(on: self).address)
        case .listRequests(let id): .requests(try profile(id), try await ListRequests(id).perform(on: self).requests)
        case .accept(let target, let isIncognito):
            CoreResponse(try await AcceptRequest(target, isIncognito: isIncognito).perform(on: self))
        case .reject(let target): CoreResponse(try await RejectRequest(target).perform(on: self))
        case .listContacts(let id): try listContacts(try profile(id))
        case .showContact(let id, let name): try showContact(id, name: name)
        case .showNotes(let id): try showNotes(try profile(id))
        case .openNotes(let id): try openNotes(try profile(id))
        case .listChats(let id, let includesPending, let count):
            try listChats(try profile(id), includesPending: includesPending, count: count)
        case .showChat(let chat, let range): try showChat(chat, range)
        case .listItems(let id, let range): try listItems(try profile(id), range)
        case .setPostQuantum(let chat, let isWanted): try setQuantumResistance(of: chat, isWanted)
        case .markRead(let chat): try markRead(chat)
        case .markItemsRead(let chat, let ids): try markRead(ids, in: chat)
        case .send(let chat, let messages, let key): try send(messages, once: key, to: chat)
        case .forward(let to, let from, let ids): try forward(ids, from: from, to: to)
        case .editItem(let chat, let id, let content): try edit(id, content, in: chat)
        case .deleteItems(let chat, let ids, let mode): try delete(ids, mode, in: chat)
        case .react(let chat, let id, let reaction, let isAdded):
            try react(reaction, isAdded: isAdded, to: id, in: chat)
        case .showItem(let id): try showItem(id)
        case .findItems(let id, let query): try findItems(try profile(id), query)
        case .listCursors(let id): try listCursors(try profile(id))
        case .moveCursor(let id, let name, let contact, let move):
            try moveCursor(name, of: try profile(id), in: contact, move)
        case .deleteCursor(let id, let name): try deleteCursor(name, of: try profile(id))
        case .setRetention(let id, let chat, let retention):
            try setRetention(retention, of: try profile(id), in: chat)
        case .showRetention(let id): .retention(try profile(id))
        case .setExpiry(let chat, let seconds): try setExpiry(seconds, of: chat)
        case .purge(let id, let contact, let time, let isDry):
            try purge(try profile(id), in: contact, before: time, isDry: isDry)
        case .listOutbox(let id): try listOutbox(try profile(id))
        case .flush(let timeout): try await flush(timeout: timeout)
        case .dropItem(let id): try drop(id)
        case .renameContact(let chat, let name): try rename(chat, name)
        case .setMuted(let chat, let isMuted): try setMuted(chat, isMuted)
        case .setBlocked(let chat, let isBlocked): try setBlocked(chat, isBlocked)
        case .deleteContact(let chat, let mode, let notifies): try await delete(chat, mode, notifies: notifies)
        case .showCode(let chat): try securityCode(chat)
        case .verify(let chat, let code): try verify(chat, code)
        case .muteProfile(let id, let isMuted):
            .profilePrivacy(try await MuteProfile(id, isMuted).perform(on: self).profile)
        case .hideProfile(let id, let password):
            .profilePrivacy(try await HideProfile(id, password: password).perform(on: self).profile)
        case .unhideProfile(let id, let password):
            .profilePrivacy(try await UnhideProfile(id, password: password).perform(on: self).profile)
        case .openProfile(let name, let password):
            .profiles(try await OpenProfile(name: name, password: password).perform(on: self).profiles)
        case .deleteProfile(let id): .commandOK(try await DeleteProfile(id).perform(on: self).profile)
        case .receive(let timeout): try await receive(timeout: timeout)
        case .deliver(let chat, let timeout): try await deliver(to: chat, timeout: timeout)
        case .fetch(let timeout, let idle): try await fetch(timeout: timeout, idle: idle)
        case .waitForItem(let id, let timeout): try await wait(for: id, timeout: timeout)
        case .waitForConnection(let id, let stage, let timeout): try await wait(for: id, stage, timeout: timeout)
        case .waitForDelivery(let id, let timeout): try await waitForDelivery(of: id, timeout: timeout)
        case .setReceipts(let id, let isOn, let clears): try setReceipts(isOn, of: id, clearsContacts: clears)
        case .setAllReceipts(let isOn): try setAllReceipts(isOn)
        case .setContactReceipts(let chat, let isOn): try setReceipts(isOn, of: chat)
        case .switchQueue(let chat): try switchQueue(chat)
        case .abortSwitch(let chat): try abortSwitch(chat)
        case .synchronize(let chat, let force): try synchronize(chat, force: force)
        case .session(let command): try session(command)
        case .call(let command): try call(command)
        case .status(let id): try status(id)
        case .version: .version(.current)
        }
    }
}

// The answers of typed commands, for the old ones that are still dispatched here.
extension CoreResponse {
    fileprivate init(_ update: ProfileUpdate) {
        switch update {
        case .updated(let former, let profile, let told):
            self = .profileUpdated(from: former, to: profile, told: told)
        case .unchanged(let profile): self = .profileUnchanged(profile)
        }
    }

    fileprivate init(_ list: ServerList) { self = .servers(list.profile, list.groups) }

    fileprivate init(_ result: ServerTestResult) { self = .serverTested(result.profile, result.server, result.failure) }

    fileprivate init(_ made: Invitation) { self = .invitation(made.profile, made.link, made.connection) }

    fileprivate init(_ started: StartedConnection) {
        self =
            started.isInvitation
            ? .sentConfirmation(started.profile, started.connection)
            : .sentInvitation(started.profile, started.connection)
    }

    fileprivate init(_ deleted: DeletedConnection) { self = .connectionDeleted(deleted.profile, deleted.connection) }

    fileprivate init(_ accepted: AcceptedRequest) { self = .acceptingRequest(accepted.profile, accepted.contact) }

    fileprivate init(_ rejected: RejectedRequest) { self = .requestRejected(rejected.profile, rejected.request) }
}
