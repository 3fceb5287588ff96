import AgentProtocol
import ByteCoding
import SMPClient
import SMPProtocol

/// The processing of the outbox: the tasks of a connection in order, different connections concurrently.
final class OutboxRunner {
    /// The tasks of one connection.
    private struct Lane {
        enum State {
            /// A command waits for its response.
            case busy
            /// An attempt failed with this obstacle.
            case held(Obstacle, cancelTimer: (() -> Void)?)
        }

        let profileID: ProfileID
        var state: State
        var networkPause = Backoff.network
        var fullPause = Backoff.full
        /// True if the other side reported a free queue while the command was being sent.
        var isInvited = false
    }

    /// The time limits of a task, by its obstacle.
    private static let networkLimit = Duration.seconds(2 * 24 * 3600)
    private static let fullLimit = Duration.seconds(7 * 24 * 3600)

    private let engine: AgentEngine
    private let environment: any AgentEnvironment
    private let send: (ProfileID, TaskCommand, @escaping (SenderRouter.Outcome) -> Void) -> Void
    private var lanes: [ConnectionID: Lane] = [:]
    /// Results that are recorded together soon. Their lanes are busy until then.
    private var results: [(task: StoredTask, result: TaskResult)] = []
    /// The most results of one transaction.
    private static let mostResults = 64
    /// True if failed tasks are retried automatically.
    var persists = false
    /// Chooses the server for a new queue of a profile, given the server of the other side's queue.
    var queueServer: (ProfileID, ServerAddress?) -> ConfiguredServer? = { _, _ in nil }
    /// Chooses the server for a queue that replaces another: an unused one, if possible.
    var rotationServer: (ProfileID, [ServerAddress]) -> ConfiguredServer? = { _, _ in nil }
    /// Called after a failed attempt at a task that will be retried.
    var onWarning: (StoredTask, SessionError) -> Void = { _, _ in }
    /// Called when the database fails for a connection.
    var onFailure: (any Error, ConnectionID) -> Void = { _, _ in }

    init(
        engine: AgentEngine, environment: any AgentEnvironment,
        send: @escaping (ProfileID, TaskCommand, @escaping (SenderRouter.Outcome) -> Void) -> Void
    ) {
        self.engine = engine
        self.environment = environment
        self.send = send
    }

    /// True if no command waits for a response.
    var isIdle: Bool {
        !lanes.values.contains { if case .busy = $0.state { true } else { false } }
    }

    /// Returns true if a command of the connection waits for its response.
    func isBusy(_ id: ConnectionID) -> Bool {
        if case .busy? = lanes[id]?.state { true } else { false }
    }

    /// Returns the error of the connection's next task, if an attempt failed.
    func obstacle(of id: ConnectionID) -> Obstacle? {
        if case .held(let obstacle, _)? = lanes[id]?.state { obstacle } else { nil }
    }

    /// Returns the obstacles of the tasks of some profiles.
    func obstacles(of isIncluded: (ProfileID) -> Bool) -> [Obstacle] {
        lanes.values.compactMap { lane in
            guard case .held(let obstacle, _) = lane.state, isIncluded(lane.profileID) else { return nil }
            return obstacle
        }
    }

    /// Tries all waiting tasks.
    func wakeAll() throws {
        for id in try engine.store.connectionsWithTasks() { wake(id) }
    }

    /// Retries the tasks that wait for a relay, which is reachable now.
    func wake(at server: ServerAddress) {
        for (id, lane) in lanes {
            guard case .held(let obstacle, _) = lane.state else { continue }
            if KnownRelay(server, defaultPort: SMP.defaultPort).isMeant(by: obstacle.server) { wake(id) }
        }
    }

    /// Resumes the tasks of a connection, even after a failed attempt.
    func wake(_ id: ConnectionID) {
        switch lanes[id]?.state {
        case .busy: return
        case .held(_, let cancelTimer): cancelTimer?()
        case nil: break
        }
        do { try attempt(id) } catch { fail(error, id) }
    }

    /// Resumes the tasks of a connection whose other side reported a free queue.
    ///
    /// The report may arrive before the last acknowledgement has reached the relay, and it is sent only once. So
    /// rejections do not cause a long pause.
    func resume(_ id: ConnectionID) {
        lanes[id]?.fullPause = .invited
        if case .busy = lanes[id]?.state { lanes[id]?.isInvited = true }
        wake(id)
    }

    /// Stops the retries.
    func stop() {
        results = []
        for case .held(_, let cancelTimer?) in lanes.values.map(\.state) { cancelTimer() }
        lanes = [:]
    }

    // MARK: - Attempts

    private func attempt(_ id: ConnectionID) throws {
        guard let task = try engine.store.firstTask(of: id), let stored = try engine.store.connection(id) else {
            lanes[id] = nil
            return
        }
        let means = try engine.means(for: task.task, of: stored) { [unowned self] in
            server(for: task.task, of: stored)
        }
        let command: TaskCommand?
        do throws(Connection.Failure) {
            command = try TaskCommand(task.task, of: stored.connection, means)
        } catch {
            return try finish(task, .unsendable)
        }
        guard let command else { return try finish(task, .done) }
        lanes[id, default: Lane(profileID: stored.profileID, state: .busy)].state = .busy
        send(stored.profileID, command) { [weak self] outcome in
            guard let self, lanes[id] != nil else { return }
            do { try end(task, command, outcome) } catch { fail(error, id) }
        }
    }

    /// Fails one connection; the others continue if possible.
    private func fail(_ error: any Error, _ id: ConnectionID) {
        lanes[id] = nil
        onFailure(error, id)
    }

    private func end(_ task: StoredTask, _ command: TaskCommand, _ outcome: SenderRouter.Outcome) throws {
        switch outcome {
        case .answered(let answer):
            if let result = command.result(of: answer) {
                finishSoon(task, result)
            } else {
                try hold(task, Obstacle(server: command.server, error: answer.problem))
            }
        case .undelivered(let obstacle): try hold(task, obstacle)
        }
    }

    private func server(for task: ConnectionTask, of stored: StoredConnection) -> ConfiguredServer? {
        guard case .createNextQueue = task else {
            return queueServer(stored.profileID, stored.connection.sendQueue?.server)
        }
        let used = [stored.connection.receiveQueue?.server, stored.connection.sendQueue?.server].compactMap { $0 }
        return rotationServer(stored.profileID, used) ?? queueServer(stored.profileID, nil)
    }

    /// Records the result. The engine wakes the lane again for the next task.
    private func finish(_ task: StoredTask, _ result: TaskResult) throws {
        lanes[task.connectionID] = nil
        try engine.finish([(task, result)])
    }

    /// Records the result with those that come right behind it: relays answer many commands at once, and each transaction
    /// waits for the disk.
    private func finishSoon(_ task: StoredTask, _ result: TaskResult) {
        results.append((task, result))
        if results.count >= OutboxRunner.mostResults { return finishAnswered() }
        if results.count == 1 { finishWhenQuiet(1) }
    }

    /// Records the results when a turn has brought no other.
    private func finishWhenQuiet(_ count: Int) {
        _ = environment.after(.zero) { [weak self] in
            guard let self, !results.isEmpty else { return }
            if results.count == count { finishAnswered() } else { finishWhenQuiet(results.count) }
        }
    }

    /// Records the results that were answered.
    func finishAnswered() {
        let answered = results.filter { isBusy($0.task.connectionID) }
        results = []
        guard !answered.isEmpty else { return }
        let busy = lanes
        for (task, _) in answered { lanes[task.connectionID] = nil }
        do {
            try engine.finish(answered)
        } catch {
            guard answered.count > 1 else { return fail(error, answered[0].task.connectionID) }
            // One connection does not stop the others.
            lanes = busy
            for (task, result) in answered {
                do { try finish(task, result) } catch { fail(error, task.connectionID) }
            }
        }
    }

    private func hold(_ task: StoredTask, _ obstacle: Obstacle) throws {
        let isFull = obstacle.error == .refused(.quota)
        let age = Duration.milliseconds(environment.now.milliseconds.subtractingSaturated(task.createdAt.milliseconds))
        guard task.task.isAboutOwnLink || age < (isFull ? OutboxRunner.fullLimit : OutboxRunner.networkLimit) else {
            return try finish(task, .expired(isFull: isFull))
        }
        let id = task.connectionID
        // No retry after a stop.
        guard var lane = lanes[id] else { return }
        if isFull, lane.isInvited {
            // The rejected command was sent before the other side reported a free queue.
            lanes[id]?.isInvited = false
            return try attempt(id)
        }
        let pause = isFull ? lane.fullPause.next() : lane.networkPause.next()
        let cancelTimer = persists ? environment.after(pause) { [weak self] in self?.wake(id) } : nil
        lane.state = .held(obstacle, cancelTimer: cancelTimer)
        lanes[id] = lane
        onWarning(task, obstacle.error)
    }
}

extension RelaySession.Answer {
    /// The error of a response that did not end the task.
    fileprivate var problem: SessionError {
        if case .failure(let error) = self { error } else { .unexpectedAnswer }
    }
}

extension ConnectionTask {
    /// True if the task concerns published data, which is retried without a time limit.
    fileprivate var isAboutOwnLink: Bool {
        switch self {
        case .setLink, .deleteLink: true
        default: false
        }
    }
}
