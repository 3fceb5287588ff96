import AgentProtocol
import ByteCoding
import SMPProtocol

/// How an attempt at a task ended.
enum TaskResult {
    case done
    /// A reply queue was made.
    case created(ReceiveQueue)
    /// The relay will never do it.
    case refused(ProtocolError)
    /// Too much time has passed.
    case expired(isFull: Bool)
    /// The command cannot be made.
    case unsendable
}

extension AgentEngine {
    /// Records how a task ended: it leaves the outbox together with everything that follows from its end.
    func finish(_ task: StoredTask, _ result: TaskResult) throws {
        try commit { outcome in
            // The connection, or the task, was removed while the relay worked.
            guard var stored = try store.connection(task.connectionID),
                try store.firstTask(of: task.connectionID)?.id == task.id
            else { return }
            try store.removeTask(task.id)
            switch (task.task, result) {
            case (.deleteReceiveQueue, _): try store.remove(stored.id)
            case (.createReplyQueue, .created(let queue)):
                do {
                    let step = try stored.connection.created(queue)
                    try save(stored, after: step, in: &outcome)
                    outcome.changedQueues.append(stored.id)
                } catch is Connection.Failure {
                    try fail(&stored, .invalidAnswer, in: &outcome)
                }
            case (.send(let message), .done):
                let step = stored.connection.delivered(message.kind)
                try save(stored, after: step, in: &outcome)
                if message.kind == .content, let token = try store.token(of: message.number, in: stored.id) {
                    outcome.events.append(try store.append(.sent(token: token), of: stored.id, stored.profileID))
                }
            case (.send(let message), _) where message.kind == .content:
                try report(DeliveryProblem(result), number: message.number, of: stored, in: &outcome)
            case (.send(let message), _) where message.kind.isControl: break
            case (.createNextQueue, .created(let queue)):
                let step = stored.connection.createdNext(queue)
                try save(stored, after: step, in: &outcome)
            case (.secureNextQueue, .done):
                let step = stored.connection.securedNext()
                try save(stored, after: step, in: &outcome)
            case (.createNextQueue, _), (.secureNextQueue, _):
                let step = stored.connection.refusedNext()
                try save(stored, after: step, in: &outcome)
            case (_, .done): break
            default:
                try fail(&stored, ConnectionProblem(result, of: task.task), in: &outcome)
            }
            // A connection that goes on has its next task now.
            outcome.busy.append(stored.id)
        }
    }

    /// Ends a connection that cannot be made any more, and with it all that waited for it.
    private func fail(_ stored: inout StoredConnection, _ problem: ConnectionProblem, in outcome: inout Outcome) throws
    {
        guard stored.connection.status != .deleted else { return }
        stored.connection.fail()
        try store.save(stored)
        for number in try store.removeTasks(of: stored.id) {
            try report(.refused, number: number, of: stored, in: &outcome)
        }
        outcome.events.append(try store.append(.err(problem), of: stored.id, stored.profileID))
        outcome.changedQueues.append(stored.id)
    }

    private func report(
        _ problem: DeliveryProblem, number: Int64, of stored: StoredConnection, in outcome: inout Outcome
    ) throws {
        guard let token = try store.token(of: number, in: stored.id) else { return }
        outcome.events.append(try store.append(.merr(token: token, problem), of: stored.id, stored.profileID))
    }
}

extension DeliveryProblem {
    fileprivate init(_ result: TaskResult) {
        switch result {
        case .refused(.blocked): self = .blocked
        case .refused(.authorization): self = .refused
        case .expired(let isFull): self = isFull ? .full : .expired
        case .refused, .unsendable, .done, .created: self = .unsendable
        }
    }
}

extension ConnectionProblem {
    fileprivate init(_ result: TaskResult, of task: ConnectionTask) {
        switch (task, result) {
        case (_, .expired): self = .expired
        case (_, .refused(.blocked)): self = .blocked
        case (.createReplyQueue, _): self = .queueRefused
        case (.secureReceiveQueue, _): self = .queueGone
        case (_, .refused): self = .linkUsed
        default: self = .invalidAnswer
        }
    }
}
