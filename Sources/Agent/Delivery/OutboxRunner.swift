import AgentProtocol
import ByteCoding
import SMPClient
import SMPProtocol

/// Works through the outbox: the tasks of one connection one after the other, different connections side by side.
final class OutboxRunner {
    /// The tasks of one connection.
    private struct Lane {
        enum State {
            /// A command waits for its answer.
            case busy
            /// An attempt failed for this reason.
            case held(Obstacle, cancelTimer: (() -> Void)?)
        }

        let profileID: ProfileID
        var state: State
        var networkPause = Backoff.network
        var fullPause = Backoff.full
        /// Whether the other side said, while the command was on its way, that its queue has room again.
        var isInvited = false
    }

    /// How long a task is tried before it is given up, by what is in its way.
    private static let networkLimit = Duration.seconds(2 * 24 * 3600)
    private static let fullLimit = Duration.seconds(7 * 24 * 3600)

    private let engine: AgentEngine
    private let environment: any AgentEnvironment
    private let send: (ProfileID, TaskCommand, @escaping (SenderRouter.Outcome) -> Void) -> Void
    private var lanes: [ConnectionID: Lane] = [:]
    /// Whether failed tasks are tried again by themselves.
    var persists = false
    /// The server for a new queue of a profile, given where the other side has its queue.
    var queueServer: (ProfileID, ServerAddress?) -> ConfiguredServer? = { _, _ in nil }
    /// The server for a queue that replaces another: not one of those in use, if there is a choice.
    var rotationServer: (ProfileID, [ServerAddress]) -> ConfiguredServer? = { _, _ in nil }
    /// Called after an attempt at a task failed that will be repeated.
    var onWarning: (StoredTask, SessionError) -> Void = { _, _ in }
    /// Called when the database fails at a connection.
    var onFailure: (any Error, ConnectionID) -> Void = { _, _ in }

    init(
        engine: AgentEngine, environment: any AgentEnvironment,
        send: @escaping (ProfileID, TaskCommand, @escaping (SenderRouter.Outcome) -> Void) -> Void
    ) {
        self.engine = engine
        self.environment = environment
        self.send = send
    }

    /// Whether no command waits for an answer.
    var isIdle: Bool {
        !lanes.values.contains { if case .busy = $0.state { true } else { false } }
    }

    /// Whether a command of a connection waits for its answer.
    func isBusy(_ id: ConnectionID) -> Bool {
        if case .busy? = lanes[id]?.state { true } else { false }
    }

    /// Why a connection's next task is not done yet, if an attempt failed.
    func obstacle(of id: ConnectionID) -> SessionError? {
        if case .held(let obstacle, _)? = lanes[id]?.state { obstacle.error } else { nil }
    }

    /// What is in the way of the tasks of some profiles.
    func obstacles(of isIncluded: (ProfileID) -> Bool) -> [Obstacle] {
        lanes.values.compactMap { lane in
            guard case .held(let obstacle, _) = lane.state, isIncluded(lane.profileID) else { return nil }
            return obstacle
        }
    }

    /// Tries everything that waits.
    func wakeAll() throws {
        for id in try engine.store.connectionsWithTasks() { wake(id) }
    }

    /// Tries again what waits because of a relay, which can be reached by now.
    func wake(at server: ServerAddress) {
        for (id, lane) in lanes {
            if case .held(let obstacle, _) = lane.state, obstacle.server == server { wake(id) }
        }
    }

    /// Goes on with the tasks of a connection, also if an attempt failed before.
    func wake(_ id: ConnectionID) {
        switch lanes[id]?.state {
        case .busy: return
        case .held(_, let cancelTimer): cancelTimer?()
        case nil: break
        }
        do { try attempt(id) } catch { fail(error, id) }
    }

    /// Goes on with the tasks of a connection whose other side said that its queue has room again.
    ///
    /// That may come before its last acknowledgement has reached the relay, and it is said only once: refusals are no reason for
    /// a long pause then.
    func resume(_ id: ConnectionID) {
        lanes[id]?.fullPause = .invited
        if case .busy = lanes[id]?.state { lanes[id]?.isInvited = true }
        wake(id)
    }

    /// Stops repeating.
    func stop() {
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

    /// The other connections go on, if that is possible.
    private func fail(_ error: any Error, _ id: ConnectionID) {
        lanes[id] = nil
        onFailure(error, id)
    }

    private func end(_ task: StoredTask, _ command: TaskCommand, _ outcome: SenderRouter.Outcome) throws {
        switch outcome {
        case .answered(let answer):
            if let result = command.result(of: answer) {
                try finish(task, result)
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

    /// The engine wakes the lane again for the next task.
    private func finish(_ task: StoredTask, _ result: TaskResult) throws {
        lanes[task.connectionID] = nil
        try engine.finish(task, result)
    }

    private func hold(_ task: StoredTask, _ obstacle: Obstacle) throws {
        let isFull = obstacle.error == .refused(.quota)
        let age = Duration.milliseconds(environment.now.milliseconds.subtractingSaturated(task.createdAt.milliseconds))
        guard task.task.isAboutOwnLink || age < (isFull ? OutboxRunner.fullLimit : OutboxRunner.networkLimit) else {
            return try finish(task, .expired(isFull: isFull))
        }
        let id = task.connectionID
        // Whoever stopped meanwhile tries nothing again.
        guard var lane = lanes[id] else { return }
        if isFull, lane.isInvited {
            // What was refused had left before the other side spoke.
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
    /// Why an answer that ended nothing did not.
    fileprivate var problem: SessionError {
        if case .failure(let error) = self { error } else { .unexpectedAnswer }
    }
}

extension ConnectionTask {
    /// Whether it is about what strangers see, which is as wrong after a week as it was before.
    fileprivate var isAboutOwnLink: Bool {
        switch self {
        case .setLink, .deleteLink: true
        default: false
        }
    }
}
