public import AgentProtocol
import ByteCoding
import SMPClient
import SMPProtocol
import Store

extension Agent {
    /// The mode of the agent.
    public enum Activity: Sendable {
        /// The agent performs requests only.
        case resting
        /// The agent receives all new messages and tries the outbox once; see ``Agent/isQuiet``.
        case draining
        /// The agent receives, and retries failed tasks, until it is stopped.
        case staying
    }

    /// Starts to receive and to process the outbox.
    ///
    /// - Throws: ``AgentError/store(_:)``.
    public func start(_ activity: Activity) throws(AgentError) {
        self.activity = activity
        outbox.persists = activity == .staying
        receiver.provesEmpty = activity == .draining
        guard activity != .resting else { return }
        try tell {
            try engine.removeExpired()
            for id in try engine.store.undecidedAgreements() { expectDecision(of: id) }
            try receiver.start()
            try outbox.wakeAll()
            try disposal.wake()
            try sendAllReceipts()
        }
        conditions.changed()
    }

    /// Checks during ``Activity/staying`` for waiting messages: queries all queues again and tries the whole outbox.
    /// Call ``staysOn()`` afterwards.
    ///
    /// - Throws: ``AgentError/store(_:)``.
    public func drain() throws(AgentError) {
        receiver.provesEmpty = true
        try tell {
            receiver.askAgain()
            try outbox.wakeAll()
        }
        conditions.changed()
    }

    /// Resumes after ``drain()``.
    public func staysOn() {
        receiver.provesEmpty = activity == .draining
    }

    /// Checks the conditions of ``wait(_:until:finish:)`` again, after a change outside of the agent.
    public func reconsider() {
        conditions.changed()
    }

    /// Processes the outbox of one connection.
    public func deliver(_ id: ConnectionID) {
        delivering.insert(id)
        outbox.wake(id)
        conditions.changed()
    }

    /// Processes the whole outbox once, without receiving.
    ///
    /// - Throws: ``AgentError/store(_:)``.
    public func deliverAll() throws(AgentError) {
        for id in try tell({ try engine.store.connectionsWithTasks() }) { deliver(id) }
    }

    /// Ends all sessions. The database stays open.
    ///
    /// - Throws: ``AgentError/store(_:)``.
    public func stop() throws(AgentError) {
        // What was answered is recorded, and nothing more is sent.
        (activity, delivering) = (.resting, [])
        outbox.finishAnswered()
        disconnect()
        conditions.changed()
        try tell { try engine.forget() }
    }

    /// Ends all sessions without writing to the database; outstanding responses are dropped.
    func disconnect() {
        activity = .resting
        delivering = []
        outbox.stop()
        receiver.stop()
        router.reset()
        disposal.stop()
        for link in links.values { link.close() }
        links = [:]
        left = []
    }

    // MARK: - State

    /// True if no progress is expected soon: all reachable queues are empty, and all tasks were tried.
    public var isQuiet: Bool { hasTriedAll && receiver.isDrained }

    /// True if all tasks and all deletions of queues were tried, without regard to the state of receive queues.
    public var hasTriedAll: Bool { outbox.isIdle && disposal.isIdle }

    /// Returns the unreachable relays of some profiles, and the obstacles of their tasks.
    public func obstacles(of isIncluded: (ProfileID) -> Bool) -> [Obstacle] {
        let unreachable = receiver.obstacles(of: isIncluded)
        // One unreachable relay blocks all tasks there.
        return unreachable + Set(outbox.obstacles(of: isIncluded)).subtracting(unreachable)
    }

    /// Returns the relays of some profiles from which receiving failed.
    public func receivingObstacles(of isIncluded: (ProfileID) -> Bool) -> [Obstacle] {
        receiver.obstacles(of: isIncluded)
    }

    /// True if all queues of reachable relays are empty.
    public var isDrained: Bool { receiver.isDrained }

    /// Returns the obstacle of the next task of a connection, if it was tried.
    public func obstacle(of id: ConnectionID) -> Obstacle? { outbox.obstacle(of: id) }

    /// Returns the id of the newest task that was ever in the outbox. Later tasks have greater ids.
    ///
    /// - Throws: ``AgentError/store(_:)``.
    public func newestTask() throws(AgentError) -> Int64 { try tell { try engine.store.newestTask() } }

    /// Returns the connections that have tasks in the outbox which are newer than one.
    ///
    /// - Throws: ``AgentError/store(_:)``.
    public func connections(withTasksAfter id: Int64) throws(AgentError) -> [ConnectionID] {
        try tell { try engine.store.connectionsWithTasks(after: id) }
    }

    /// The number of queues known to be empty, and the number of all queues.
    public var progress: (empty: Int, total: Int) { receiver.progress }

    /// Calls `finish` once: with true when `condition` holds, with false after the deadline or a failure of the agent.
    public func wait(_ deadline: Duration, until condition: @escaping () -> Bool, finish: @escaping (Bool) -> Void) {
        guard failure == nil else { return finish(false) }
        conditions.wait(deadline, until: condition, finish: finish)
    }

    // MARK: - Events

    /// Performs the actions of a transaction.
    func follow(_ outcome: AgentEngine.Outcome) {
        deliver(outcome.events)
        for id in Set(outcome.events.map(\.connectionID)) { sendReceipts(of: id, isLast: false) }
        for event in outcome.events where event.content == .connection(.rsync(.ok)) {
            // Messages that became due while the ratchets were out of sync.
            receipts[event.connectionID, default: 0] += 1
            sendReceipts(of: event.connectionID, isLast: true)
        }
        for id in outcome.undecided { expectDecision(of: id) }
        if activity != .resting {
            for id in outcome.changedQueues {
                do { try receiver.update(id) } catch { fail(error) }
            }
        }
        if !outcome.deleted.isEmpty { onNotice(.delConns(outcome.deleted)) }
        if outcome.hasDiscarded, activity != .resting {
            do { try disposal.wake() } catch { fail(error) }
        }
        func canSend(_ id: ConnectionID) -> Bool { activity != .resting || delivering.contains(id) }
        for id in outcome.busy where canSend(id) { outbox.wake(id) }
        for id in outcome.resumed where canSend(id) { outbox.resume(id) }
        for key in outcome.leftServers {
            left.insert(key)
            closeLeft(key)
        }
        conditions.changed()
    }

    /// Reports a delayed task. Tasks behind it are delayed too, without their own report.
    func warn(_ task: StoredTask, _ error: SessionError) {
        var token: Bytes?
        if case .send(let message) = task.task, message.kind == .content {
            do { token = try engine.store.token(of: message.number, in: task.connectionID) } catch {
                return fail(error)
            }
        }
        onNotice(.mwarn(task.connectionID, token: token, error))
    }

    /// Returns the link to a relay, created on first use.
    func link(_ key: LinkKey) -> RelayLink {
        if let link = links[key] { return link }
        let link = RelayLink(server: key.server, environment: environment) { [weak self] event in
            self?.handle(key, event)
        }
        link.onAnswer = { [weak self] in
            self?.closeLeft(key)
            self?.conditions.changed()
        }
        links[key] = link
        return link
    }

    private func handle(_ key: LinkKey, _ event: RelaySession.Event) {
        switch event {
        case .opened:
            pauses[key] = nil
            receiver.opened(key)
            if activity == .staying { outbox.wake(at: key.server) }
            disposal.opened()
        case .message(let entityID, let message): receiver.handle(key, entityID, message)
        case .closed(let error):
            receiver.closed(key, error)
            if activity == .staying, receiver.uses(key) { reopen(key) }
        }
        conditions.changed()
    }

    /// Closes the session with a relay without queues of ours, after all commands have responses.
    private func closeLeft(_ key: LinkKey) {
        guard left.contains(key) else { return }
        do {
            let isOwn = router.ownServers(key.profileID).contains { $0.address == key.server }
            if try isOwn || receiver.uses(key) || engine.store.hasQueues(of: key.profileID, at: key.server) {
                left.remove(key)
                return
            }
        } catch {
            return fail(error)
        }
        router.forget(key)
        guard links[key]?.isUnused != false else { return }
        left.remove(key)
        pauses[key] = nil
        links.removeValue(forKey: key)?.close()
    }

    private func reopen(_ key: LinkKey) {
        var pause = pauses[key] ?? .network
        // A link that was stopped meanwhile is not opened again.
        let link = links[key]
        _ = environment.after(pause.next()) { [weak link] in link?.open() }
        pauses[key] = pause
    }

    /// Continues without the connection if only its records are unreadable, and stops otherwise.
    func fail(_ error: any Error, at id: ConnectionID) {
        guard (error as? StoreError)?.isUnreadableValue == true else { return fail(error) }
        onNotice(.unreadable(id))
        conditions.changed()
    }

    /// Stops the agent because of the database: no event could be recorded.
    func fail(_ error: any Error) {
        guard failure == nil else { return }
        failure = AgentError(error)
        disconnect()
        conditions.abandon()
    }
}
