public import AgentProtocol
import ByteCoding
public import SMPClient
import SMPProtocol
import Store

extension Agent {
    /// What the agent does by itself.
    public enum Activity: Sendable {
        /// Only what it is asked to.
        case resting
        /// Receives everything that waits and tries the outbox once; see ``Agent/isQuiet``.
        case draining
        /// Receives, and tries again what fails, until it is told to stop.
        case staying
    }

    /// Begins to receive and to work through the outbox.
    public func start(_ activity: Activity) throws(AgentError) {
        self.activity = activity
        outbox.persists = activity == .staying
        receiver.provesEmpty = activity == .draining
        guard activity != .resting else { return }
        try tell {
            try engine.removeExpired()
            try receiver.start()
            try outbox.wakeAll()
            try disposal.wake()
            try sendAllReceipts()
        }
        conditions.changed()
    }

    /// Finds out, while the agent stays, whether anything waits: all queues are asked again, and the whole outbox is tried.
    /// Call ``staysOn()`` when it is known.
    public func drain() throws(AgentError) {
        receiver.provesEmpty = true
        try tell {
            receiver.askAgain()
            try outbox.wakeAll()
        }
        conditions.changed()
    }

    /// Goes on as before ``drain()``.
    public func staysOn() {
        receiver.provesEmpty = activity == .draining
    }

    /// Looks again at what somebody waits for, because of something outside of the agent.
    public func reconsider() {
        conditions.changed()
    }

    /// Works through the outbox of one connection.
    public func deliver(_ id: ConnectionID) {
        delivering.insert(id)
        outbox.wake(id)
        conditions.changed()
    }

    /// Works through the whole outbox once, without receiving.
    public func deliverAll() throws(AgentError) {
        for id in try tell({ try engine.store.connectionsWithTasks() }) { deliver(id) }
    }

    /// Ends all sessions. The database stays open.
    public func stop() throws(AgentError) {
        disconnect()
        conditions.changed()
        try tell { try engine.forget() }
    }

    /// Ends all sessions and writes nothing: what waits for answers finds nobody.
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

    // MARK: - What is so

    /// Whether nothing more can be expected to happen soon: every queue that could be reached is empty, and every task was
    /// tried.
    public var isQuiet: Bool { hasTriedAll && receiver.isDrained }

    /// Whether every task was tried, and every queue that is to be deleted. An agent that stays need not know of its queues
    /// whether they are empty.
    public var hasTriedAll: Bool { outbox.isIdle && disposal.isIdle }

    /// The relays that could not be reached for some profiles, and what is in the way of their tasks.
    public func obstacles(of isIncluded: (ProfileID) -> Bool) -> [Obstacle] {
        let unreachable = receiver.obstacles(of: isIncluded)
        // One relay that is down stands in the way of everything there.
        return unreachable + Set(outbox.obstacles(of: isIncluded)).subtracting(unreachable)
    }

    /// The relays from which nothing could be received for some profiles.
    public func receivingObstacles(of isIncluded: (ProfileID) -> Bool) -> [Obstacle] {
        receiver.obstacles(of: isIncluded)
    }

    /// True if every queue of a relay that could be reached is empty.
    public var isDrained: Bool { receiver.isDrained }

    /// Why the next task of a connection is not done yet, if it was tried.
    public func obstacle(of id: ConnectionID) -> SessionError? { outbox.obstacle(of: id) }

    /// How many queues are known to be empty, and how many there are.
    public var progress: (empty: Int, total: Int) { receiver.progress }

    /// Calls `finish` once: with true when `condition` holds, with false when the deadline has passed or the agent failed.
    public func wait(_ deadline: Duration, until condition: @escaping () -> Bool, finish: @escaping (Bool) -> Void) {
        guard failure == nil else { return finish(false) }
        conditions.wait(deadline, until: condition, finish: finish)
    }

    // MARK: - What happens

    /// Does what a transaction asks for.
    func follow(_ outcome: AgentEngine.Outcome) {
        deliver(outcome.events)
        for id in Set(outcome.events.map(\.connectionID)) { sendReceipts(of: id, isLast: false) }
        for event in outcome.events where event.content == .connection(.rsync(.ok)) {
            // What was due while the ratchets were out of step.
            receipts[event.connectionID, default: 0] += 1
            sendReceipts(of: event.connectionID, isLast: true)
        }
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

    /// Tells that a task is held up. With it all that stands behind it is, which needs no warning of its own.
    func warn(_ task: StoredTask, _ error: SessionError) {
        var token: Bytes?
        if case .send(let message) = task.task, message.kind == .content {
            do { token = try engine.store.token(of: message.number, in: task.connectionID) } catch {
                return fail(error)
            }
        }
        onNotice(.mwarn(task.connectionID, token: token, error))
    }

    /// The way to a relay, made when it is first needed.
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

    /// Closes the session with a relay that has none of our queues left, once all its commands are answered.
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

    /// Goes on without a connection if it is only that its records cannot be read, and stops otherwise.
    func fail(_ error: any Error, at id: ConnectionID) {
        guard (error as? StoreError)?.isUnreadableValue == true else { return fail(error) }
        onNotice(.unreadable(id))
        conditions.changed()
    }

    /// Stops because of the database: nothing that happens could be recorded.
    func fail(_ error: any Error) {
        guard failure == nil else { return }
        failure = AgentError(error)
        disconnect()
        conditions.abandon()
    }
}
