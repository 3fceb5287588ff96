import Agent
import AgentProtocol
import ChatProtocol
import SMPClient
import SMPProtocol
import Synchronization

/// Sessions with the relays while commands need them: receiving, sending what is queued, and waiting for it.
final class Exchange: Collaborator {
    let context: CoreContext
    private let inbox: Inbox
    private let connector: Connector
    private let files: ChatFiles
    /// Has the agent check its conditions again. Called on any thread, when a command was cancelled.
    var onCancel: @Sendable () -> Void = {}
    /// The number of commands that keep the sessions with the relays until they end.
    private var stays = 0
    /// Whether a program has started the chat, which is one of the stays.
    private(set) var isStarted = false
    /// Whether a program has stopped the chat: then nothing is received, whoever stays.
    private var isStopped = false
    /// The same, for a program that is in the background.
    private var isSuspended = false

    init(_ context: CoreContext, inbox: Inbox, connector: Connector, files: ChatFiles) {
        self.context = context
        self.inbox = inbox
        self.connector = connector
        self.files = files
    }

    /// Receives all messages that the relays hold, and tries the outbox once. With `idle`, continues until no message has arrived
    /// for this time.
    func fetch(timeout: Duration, idle: Duration) async throws -> FetchReport {
        let agent = try agent, before = context.counters, isStaying = isReceiving
        if isStaying { try agent.drain() } else { try start(agent, .draining) }
        let deadline = ContinuousClock.now + timeout
        var isQuiet = false
        var wasIdle = false
        while !wasIdle {
            isQuiet = await agent.wait(deadline - .now) { [inbox, files] in
                agent.isQuiet && inbox.groups.madeLinks.isEmpty && files.isIdle
            }
            let seen = inbox.lastEvent
            // What was sent meanwhile may be answered at once.
            let wait = isQuiet ? min(idle, deadline - .now) : .zero
            wasIdle = wait <= .zero ? true : await !agent.wait(wait) { [inbox] in inbox.lastEvent != seen }
        }
        // A message that arrives at this moment is no reason to say that something is missing.
        let report = try report(agent, since: before, isDrained: isQuiet || agent.isDrained)
        // Other commands may have begun or ended to stay meanwhile.
        if isReceiving { agent.staysOn() } else { try stop(agent) }
        return report
    }

    /// Sends the messages in the outbox of a chat, up to and including one message.
    func wait(for id: ChatItemID, timeout: Duration) async throws -> WaitedItem {
        let chat = try lookup.chat(try lookup.item(id).chat)
        var obstacle: RelayProblem?
        let deadline = ContinuousClock.now + timeout
        if try lookup.item(id).status.isAtSomeRecipientsOnly {
            obstacle = try await deliver(to: chat, timeout: timeout) { [store] in
                (try? store.item(id))?.status.isWithAllRelays != false
            }.obstacle
        }
        let item = try lookup.item(id)
        // The relay of one recipient does not keep the file from the others.
        let isBegun = obstacle == nil || !item.status.isUnsent
        if isBegun, let file = item.file, file.transport == .xftp {
            _ = try await wait(for: file.id, timeout: deadline - .now)
            if let problem = try await deliverDescriptions(of: id, in: chat, timeout: timeout) { obstacle = problem }
        }
        return WaitedItem(
            try lookup.profile(chat.profileID), LocatedItem(chat: chat, item: try lookup.item(id)), obstacle: obstacle)
    }

    /// Sends an own entry, and receives until the contact says that it has it.
    ///
    /// - Parameter timeout: For an entry with a file the longest time without progress.
    func waitForDelivery(of id: ChatItemID, timeout: Duration) async throws -> WaitedItem {
        let agent = try agent
        let chat = try lookup.chat(try lookup.item(id).chat)
        let isAwaited = try lookup.item(id).status.isOnItsWay
        if isAwaited {
            try stay(agent)
            func isOver() -> Bool {
                guard let item = try? store.item(id) else { return true }
                return !item.status.isOnItsWay && item.file?.state.isUnderWay != true
            }
            func progress() -> Int64? { (try? store.item(id))?.file?.state.progress?.done }
            var hasProgress = true
            while !isOver(), hasProgress {
                let before = progress()
                hasProgress = await agent.wait(timeout) { isOver() || progress() != before }
            }
        }
        var obstacle: RelayProblem?
        if try lookup.item(id).status.isUnsent {
            // Of many recipients, each has another one.
            if !ConversationPolicy(chat).hasManyRecipients {
                obstacle = try ways(to: chat).lazy.compactMap { agent.obstacle(of: $0) }.first.map(RelayProblem.init)
            }
        } else if let problem = try await deliverDescriptions(of: id, in: chat, timeout: timeout) {
            // The recipients that have the message can receive its file, although others do not have it.
            obstacle = problem
        }
        if isAwaited { try leave(agent) }
        return WaitedItem(
            try lookup.profile(chat.profileID), LocatedItem(chat: chat, item: try lookup.item(id)), obstacle: obstacle)
    }

    /// Sends each recipient the description of a file that file relays have. For a single one the file is complete only then.
    ///
    /// - Returns: What prevents it.
    private func deliverDescriptions(
        of id: ChatItemID, in chat: Chat, timeout: Duration
    ) async throws -> RelayProblem? {
        guard ConversationPolicy(chat).hasManyRecipients, try lookup.item(id).file?.state == .sentComplete else {
            return nil
        }
        return try await deliver(to: chat, timeout: timeout).obstacle
    }

    /// Sends what a connection waits for, and receives until both sides can send if that is asked for.
    func wait(
        for id: ConnectionID, _ stage: ConnectionStage, timeout: Duration
    ) async throws -> WaitedConnection {
        let agent = try agent
        let profile = try lookup.profile(try lookup.connection(id).profileID)
        let isAwaited = try !lookup.connection(id).status.hasReached(stage)
        if isAwaited {
            switch stage {
            case .joined: agent.deliver(id)
            case .ready: try stay(agent)
            }
            _ = await agent.wait(timeout) { [store] in
                guard let connection = try? store.connection(id) else { return true }
                return connection.status.hasReached(stage) || (stage == .joined && agent.obstacle(of: id) != nil)
            }
        }
        let connection = try lookup.connection(id)
        let obstacle = connection.status.hasReached(stage) ? nil : agent.obstacle(of: id).map(RelayProblem.init)
        if isAwaited, stage == .ready { try leave(agent) }
        return WaitedConnection(
            profile, connection, try connection.contactID.map { try lookup.contact($0) }, obstacle: obstacle,
            problem: connection.status == .failed ? connector.problems[id] : nil)
    }

    /// Waits until a relay has the first message of this side on a connection. Without network it does not wait.
    ///
    /// - Throws: The reason why no relay has it. An unreachable relay is tried again by the next fetch.
    func confirm(_ id: ConnectionID) async throws {
        guard !context.environment.network.route.isOffline else { return }
        let waited = try await wait(for: id, .joined, timeout: context.environment.requestDeadline)
        let connection = waited.connection
        if connection.status == .failed {
            guard let problem = connector.problems[id], let relay = problem.relayProblem else {
                throw connector.problems[id] == .incompatible ? ChatError.incompatibleLink : ChatError.badLink
            }
            guard let server = connection.linkServer else { throw ChatError.badLink }
            throw ChatError.relay(RelayObstacle(server: server, problem: relay))
        }
        guard !connection.status.hasReached(.joined) else { return }
        if let obstacle = try agent.obstacle(of: id) { throw ChatError.relay(RelayObstacle(obstacle)) }
        guard let server = connection.linkServer else { throw ChatError.internal }
        throw ChatError.relay(RelayObstacle(server: server, problem: .timedOut))
    }

    /// Waits until a relay has the first message to a contact. Returns the contact as it is then.
    func confirm(_ contact: Contact) async throws -> Contact {
        guard let id = contact.connection?.id else { return contact }
        try await confirm(id)
        return try lookup.contact(contact.id)
    }

    /// Waits until a relay has the first message to the host of a group. Returns the group as it is then.
    func confirm(_ group: Group) async throws -> Group {
        guard let id = try inbox.groups.host(of: group)?.connection?.id else { return group }
        try await confirm(id)
        return try lookup.group(group.id)
    }

    /// Waits until relays have the requests to join a channel. Those that cannot be reached get the request later.
    func confirm(_ relays: [RelayConnection]) async throws -> [RelayConnection] {
        var confirmed: [RelayConnection] = []
        for relay in relays {
            let member = try lookup.member(relay.member.id)
            guard relay.problem == nil, let id = member.connection?.id else {
                confirmed.append(relay)
                continue
            }
            do {
                try await confirm(id)
                confirmed.append(RelayConnection(member: try lookup.member(member.id), problem: nil))
            } catch let error as ChatError {
                confirmed.append(RelayConnection(member: member, problem: error))
            }
        }
        guard confirmed.contains(where: { $0.problem == nil }) else {
            throw confirmed.lazy.compactMap(\.problem).first ?? ChatError.internal
        }
        return confirmed
    }

    /// Returns the mark of the newest entries of the outbox.
    func outboxMark() throws -> OutboxMark {
        OutboxMark(task: try agent.newestTask(), file: try store.newestFile())
    }

    /// Sends the entries of the outbox that are newer than a mark, without receiving. Waits for their files too, unless the
    /// files are transferred anyway.
    ///
    /// - Parameter timeout: The longest time without progress.
    func flush(after mark: OutboxMark, timeout: Duration) async throws -> FetchReport {
        let agent = try agent, before = context.counters
        var tried: Set<ConnectionID> = []
        func left() -> [ConnectionID] { (try? agent.connections(withTasksAfter: mark.task)) ?? [] }
        func unsentFiles() -> [StoredFile] {
            ((try? store.openFiles()) ?? []).filter { $0.isSent && $0.file.id.number > mark.file }
        }
        func progress() -> Int64 { unsentFiles().reduce(0) { $0 + ($1.file.state.progress?.done ?? 0) } }
        func isOver() -> Bool {
            let isTried = left().allSatisfy { tried.contains($0) && agent.obstacle(of: $0) != nil }
            return isTried
                && (isReceiving || unsentFiles().allSatisfy { $0.isWaiting || files.delayed.contains($0.file.id) })
        }
        if !context.environment.network.route.isOffline {
            if !isReceiving, !unsentFiles().isEmpty { try files.run() }
            var hasProgress = true
            while hasProgress, !isOver() {
                for id in left() where tried.insert(id).inserted { agent.deliver(id) }
                let done = progress(), count = left().count
                hasProgress = await agent.wait(timeout) {
                    isOver() || progress() != done || left().count != count || !tried.isSuperset(of: left())
                }
            }
        }
        var report = context.counters.since(before)
        let rest = left()
        report.obstacles = Set(rest.compactMap { agent.obstacle(of: $0) }).map { RelayObstacle($0) }
        report.waiting = rest.count + (isReceiving ? 0 : unsentFiles().count)
        report.isComplete = report.waiting == 0
        if !isReceiving { try stop(agent) }
        return report
    }

    /// Tries everything in the outbox once, without receiving.
    func flush(timeout: Duration) async throws -> FetchReport {
        let agent = try agent
        let before = context.counters
        try agent.deliverAll()
        try files.run()
        let hasTriedAll = await agent.wait(timeout) { [inbox, files] in
            agent.hasTriedAll && inbox.groups.madeLinks.isEmpty && files.isIdle
        }
        let report = try report(agent, since: before, isDrained: hasTriedAll)
        if !isReceiving { try stop(agent) }
        return report
    }

    /// The connections on which what is queued for a chat is sent.
    private func ways(to chat: Chat) throws -> [ConnectionID] {
        let agent = try agent
        return try inbox.conversations.connections(of: chat).filter { try agent.contains($0) }
    }

    /// Sends what is queued for a chat, until that is done, each connection has an obstacle, or nothing more is wanted.
    ///
    /// - Returns: True if all is sent, and what prevents the rest.
    private func deliver(
        to chat: Chat, timeout: Duration, until isEnough: @escaping () -> Bool = { false }
    ) async throws -> (isComplete: Bool, obstacle: RelayProblem?) {
        let agent = try agent, connections = try ways(to: chat)
        for id in connections { agent.deliver(id) }
        _ = await agent.wait(timeout) {
            // Without a task nothing is being sent: the connection has to be made or repaired first.
            isEnough() || connections.allSatisfy { agent.obstacle(of: $0) != nil || (try? agent.hasTasks($0)) != true }
        }
        let waiting = try connections.filter { try agent.hasTasks($0) }
        guard !waiting.isEmpty, !isEnough() else { return (waiting.isEmpty, nil) }
        let obstacle = waiting.lazy.compactMap { agent.obstacle(of: $0) }.first.map(RelayProblem.init)
        return (false, obstacle ?? (ConversationPolicy(chat).hasManyRecipients ? .timedOut : nil))
    }

    /// Sends what is queued for a chat.
    func deliver(to chat: ChatTarget, timeout: Duration) async throws -> DeliveryReport {
        let chat = try lookup.chat(chat)
        let (isComplete, obstacle) = try await deliver(to: chat, timeout: timeout)
        return DeliveryReport(
            try lookup.profile(chat.profileID), chat, isComplete: isComplete, obstacle: obstacle)
    }

    /// Receives, and sends what is in the outbox, until time is up or the task is cancelled.
    func receive(timeout: Duration?) async throws -> FetchReport {
        let agent = try agent, before = context.counters
        try stay(agent)
        let deadline = timeout.map { ContinuousClock.now + $0 }
        let cancellation = CancellationMark(), onCancel = onCancel
        // In steps: a timer cannot be set for as long as a command may ask.
        func step() -> Duration { min(deadline.map { $0 - .now } ?? .seconds(3600), .seconds(3600)) }
        await withTaskCancellationHandler {
            while agent.failure == nil, context.failure == nil, step() > .zero, !cancellation.isRequested {
                _ = await agent.wait(step()) { [context] in
                    context.failure != nil || cancellation.isRequested
                }
            }
        } onCancel: {
            cancellation.request()
            onCancel()
        }
        // An agent that failed receives nothing.
        if agent.failure != nil { stays -= 1 }
        let report = try report(agent, since: before, isDrained: true)
        try leave(agent)
        return report
    }

    /// Receives while `body` waits for something that a relay delivers.
    func receiving<Value>(_ body: () async throws -> Value) async throws -> Value {
        let agent = try agent
        try stay(agent)
        do {
            let value = try await body()
            try leave(agent)
            return value
        } catch {
            try leave(agent)
            throw error
        }
    }

    // MARK: - Files

    /// Transfers a file until it is complete, has failed or was cancelled.
    ///
    /// - Parameter timeout: The longest time without progress.
    /// - Returns: False if time is up before that.
    func wait(for id: ChatFileID, timeout: Duration) async throws -> Bool {
        let agent = try agent, record = try files.file(id)
        // A full disk or relay stays full until a person makes room, so it is reported at once.
        func isUnderWay() -> Bool {
            guard context.failure == nil, let state = (try? store.file(id))?.file.state, state.isUnderWay else {
                return false
            }
            return !(files.delayed.contains(id) && state.problem?.needsRoom == true)
        }
        files.retry(record)
        guard isUnderWay(), !context.environment.network.route.isOffline else { return !isUnderWay() }
        // Its description may have to come, or its recipients to be told of it.
        if record.itemID == nil { try files.run() } else { try stay(agent) }
        defer { if record.itemID == nil, !isReceiving { files.pause() } }
        func progress() -> Int64? { (try? store.file(id))?.file.state.progress?.done }
        var isOver = false, hasProgress = true
        while !isOver, hasProgress {
            let before = progress()
            hasProgress = await agent.wait(timeout) { !isUnderWay() || progress() != before }
            isOver = !isUnderWay()
        }
        // Relays delete what they know to be received: a link works once.
        if record.itemID == nil, isOver { await settle(within: Exchange.settlingTime) }
        if record.itemID != nil { try leave(agent) }
        return isOver
    }

    /// How long a command waits until relays know of a received file.
    private static let settlingTime = Duration.seconds(5)

    /// Waits until relays know which files were received, and which are to be deleted.
    func settle(within timeout: Duration) async {
        guard let agent = try? agent else { return }
        let deadline = ContinuousClock.now + timeout
        while files.transfers?.isSettling == true, ContinuousClock.now < deadline {
            // Not every answer of a relay is an event.
            if await agent.wait(.milliseconds(50), until: { [files] in files.transfers?.isSettling != true }) { return }
        }
    }

    // MARK: - Sessions

    private func start(_ agent: any CoreAgent, _ activity: Agent.Activity) throws {
        try inbox.forgetUnreachableRelays()
        try agent.start(activity)
        try files.run()
    }

    private func stop(_ agent: any CoreAgent) throws {
        try agent.stop()
        files.pause()
    }

    /// Whether the sessions with the relays are kept.
    var isReceiving: Bool { stays > 0 && !isHeld }

    private var isHeld: Bool { isStopped || isSuspended }

    /// True from the first command that keeps the sessions, or ``start()``, until ``stop()``.
    var isRunning: Bool { stays > 0 && !isStopped }

    /// Keeps the sessions with the relays until ``leave(_:)``. Several commands may do so side by side.
    private func stay(_ agent: any CoreAgent) throws {
        if stays == 0, !isHeld { try start(agent, .staying) }
        stays += 1
    }

    private func leave(_ agent: any CoreAgent) throws {
        stays -= 1
        if stays == 0, !isHeld { try stop(agent) }
    }

    /// Keeps the sessions with the relays until ``stop()``.
    ///
    /// - Returns: False if the chat was started already.
    func start() throws -> Bool {
        guard !isStarted else { return false }
        let agent = try agent, wasReceiving = isReceiving
        isStopped = false
        isStarted = true
        stays += 1
        if isReceiving, !wasReceiving { try start(agent, .staying) }
        return true
    }

    /// Ends the sessions with the relays until ``start()``, whoever wants to keep them.
    func stop() throws {
        let agent = try agent, wasReceiving = isReceiving
        if isStarted { stays -= 1 }
        isStarted = false
        isStopped = true
        if wasReceiving { try stop(agent) }
    }

    /// Ends the sessions with the relays until ``activate()``.
    func suspend() throws {
        let agent = try agent, wasReceiving = isReceiving
        isSuspended = true
        if wasReceiving { try stop(agent) }
    }

    /// Opens the sessions with the relays again after ``suspend()``.
    func activate() throws {
        let agent = try agent, wasReceiving = isReceiving
        isSuspended = false
        if isReceiving, !wasReceiving { try start(agent, .staying) }
    }

    /// Opens the sessions with the relays anew.
    func reconnect() throws {
        let agent = try agent
        guard isReceiving else { return }
        try stop(agent)
        try start(agent, .staying)
    }

    /// Asks the relays again for what waits.
    func resubscribe() throws {
        let agent = try agent
        guard isReceiving else { return }
        try agent.drain()
        agent.staysOn()
    }

    /// The report of what was counted since the counters had a value.
    ///
    /// - Throws: The failure of the agent, if it failed.
    private func report(_ agent: any CoreAgent, since before: FetchReport, isDrained: Bool) throws -> FetchReport {
        if let failure = agent.failure { throw failure }
        var report = context.counters.since(before)
        // SECURITY: the obstacles of a hidden profile are told only with its password.
        let profiles = Set(try lookup.visibleProfiles().map(\.id))
        let receiving = Set(agent.receivingObstacles(of: profiles.contains))
        report.obstacles = agent.obstacles(of: profiles.contains).map {
            RelayObstacle($0, isForReceiving: receiving.contains($0))
        }
        report.isComplete = isDrained && receiving.isEmpty
        report.waiting = try store.outboxCounts(of: profiles).waiting
        return report
    }
}

extension ChatItem.Status {
    /// True if a receipt may still come, in a group from one of its members.
    fileprivate var isOnItsWay: Bool {
        switch self {
        case .sendSent, .sendUnconfirmed, .sendSentPartly, .sendReceivedPartly: true
        default: isUnsent
        }
    }
}

extension ContactConnection.Status {
    /// Returns true if a stage is reached, or cannot be reached.
    fileprivate func hasReached(_ stage: ConnectionStage) -> Bool {
        switch self {
        case .ready, .failed, .deleted: true
        case .new, .prepared: false
        case .joined, .requested, .accepted, .sendReady: stage == .joined
        }
    }
}

extension ConnectionProblem {
    /// The answer of a relay that caused it; nil if the link or the other side did.
    fileprivate var relayProblem: RelayProblem? {
        switch self {
        case .linkUsed, .queueRefused, .queueGone: .authorization
        case .blocked: .blocked(reason: nil)
        case .expired: .timedOut
        case .invalidAnswer: .unexpected
        case .badLink, .incompatible: nil
        }
    }
}

extension ContactConnection {
    /// The relay that the link of the connection names.
    fileprivate var linkServer: ServerAddress? {
        guard let text = shortLink ?? link, let link = try? ConnectionLink(text: text) else { return nil }
        switch link.complete {
        case .short(let short): return short.server
        case .full(.invitation(let queues, _)), .full(.contact(let queues)): return queues.queues.first?.location.server
        }
    }
}

/// A mark that a task was cancelled, for code outside of the task.
private final class CancellationMark: Sendable {
    private let mark = Mutex(false)

    var isRequested: Bool { mark.withLock { $0 } }

    func request() { mark.withLock { $0 = true } }
}

extension ChatItem.Status {
    /// True if relays of recipients may still be without it.
    fileprivate var isAtSomeRecipientsOnly: Bool { isUnsent || self == .sendSentPartly }

    /// True if the relays of all recipients have it. After a receipt of some recipients that is not known.
    fileprivate var isWithAllRelays: Bool {
        if case .sendReceivedPartly = self { false } else { !isAtSomeRecipientsOnly }
    }
}
