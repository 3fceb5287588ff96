import AgentProtocol
import ByteCoding
import SMPProtocol

/// The result of a task.
enum TaskResult {
    case done
    /// The relay created the queue for the other side's response.
    case created(ReceiveQueue)
    /// The records of a short link.
    case linked(senderID: EntityID, LinkBlobs)
    /// The relay rejected the task permanently.
    case refused(ProtocolError)
    /// The task exceeded its time limit.
    case expired(isFull: Bool)
    /// The command cannot be created.
    case unsendable
}

extension AgentEngine {
    /// Records the results of tasks of different connections: removes them from the outbox and performs their consequences
    /// in one transaction.
    func finish(_ results: [(task: StoredTask, result: TaskResult)]) throws {
        try commit { outcome in
            for (task, result) in results { try finish(task, result, in: &outcome) }
        }
    }

    private func finish(_ task: StoredTask, _ result: TaskResult, in outcome: inout Outcome) throws {
        // The connection or task was removed while the relay worked.
        guard try store.firstTaskID(of: task.connectionID) == task.id else { return }
        if case .send(let message) = task.task, message.kind == .content, case .done = result {
            return try finish(task, message, in: &outcome)
        }
        guard var stored = try store.connection(task.connectionID) else { return }
        try store.removeTask(task.id)
        switch (task.task, result) {
        case (.deleteReceiveQueue, _):
            try store.remove(stored.id)
            outcome.deleted.append(stored.id)
            outcome.leftServers += stored.connection.servers.map {
                LinkKey(profileID: stored.profileID, server: $0)
            }
        case (.createReplyQueue, .created(let queue)):
            try begin(&stored, in: &outcome) { try $0.created(queue) }
        case (.createRequestQueue(let target), .created(let queue)):
            try begin(&stored, in: &outcome) { try $0.created(queue, for: target) }
        case (.openLink(let link), .linked(let senderID, let blobs)):
            do {
                try open(link, blobs, senderID: senderID, &stored, in: &outcome)
            } catch {
                try fail(&stored, try ConnectionProblem(opening: error), in: &outcome)
            }
        case (.sendRequest, .done):
            try step(&stored, in: &outcome) { $0.requested() }
        // The response proves that an earlier attempt succeeded.
        case (.sendRequest, _) where stored.connection.status != .new: break
        case (.setLink(let record), .done):
            try store.setPublished(stored.id)
            // The owner of a channel waits for it before members are told of a relay.
            if case .address(_, let address) = record, !address.isDirect {
                outcome.events.append(try store.append(.link(address), of: stored.id, stored.profileID))
            }
        case (.setLink, .refused), (.setLink, .unsendable): try store.removeUnpublishedLink(of: stored.id)
        // The content behind the link stays; the application may retry.
        case (.setLink, _), (.deleteLink, _): break
        case (.send(let message), .done): try step(&stored, in: &outcome) { $0.delivered(message.kind) }
        case (.send(let message), _) where message.kind == .content:
            try report(DeliveryProblem(result), number: message.number, of: stored, in: &outcome)
        case (.send(let message), _) where message.kind.isControl:
            var isExpired = false
            if case .expired = result { isExpired = true }
            try step(&stored, in: &outcome) { $0.undelivered(message.kind, isExpired: isExpired) }
        case (.createNextQueue, .created(let queue)):
            try step(&stored, in: &outcome) { $0.createdNext(queue) }
        case (.secureNextQueue, .done): try step(&stored, in: &outcome) { $0.securedNext() }
        case (.createNextQueue, _), (.secureNextQueue, _):
            try step(&stored, in: &outcome) { $0.refusedNext() }
        // The relay confirmed without a result.
        case (.openLink, .done), (.createReplyQueue, .done), (.createRequestQueue, .done):
            try fail(&stored, .invalidAnswer, in: &outcome)
        case (_, .done): break
        default:
            try fail(&stored, ConnectionProblem(result, of: task.task), in: &outcome)
        }
        // Receipts that became due meanwhile had to wait for these.
        if case .send(let message) = task.task, message.kind == .receipts {
            try sendReceipts(of: task.connectionID, in: &outcome)
        }
        // The connection's next task can run now.
        outcome.busy.append(stored.id)
    }

    /// Records that the relay has a message of the application, which does not change the connection.
    private func finish(_ task: StoredTask, _ message: OutgoingMessage, in outcome: inout Outcome) throws {
        let id = task.connectionID
        try store.removeTask(task.id)
        if let token = try store.token(of: message.number, in: id), let profileID = try store.profile(of: id) {
            outcome.events.append(try store.append(.sent(token: token), of: id, profileID))
        }
        outcome.busy.append(id)
    }

    /// Continues with a queue for the other side's response.
    private func begin(
        _ stored: inout StoredConnection, in outcome: inout Outcome,
        _ take: (inout Connection) throws -> ConnectionStep
    ) throws {
        do {
            try step(&stored, in: &outcome, take)
            outcome.changedQueues.append(stored.id)
        } catch is Connection.Failure {
            try fail(&stored, .invalidAnswer, in: &outcome)
        }
    }

    /// Ends a connection that cannot be made, with its queued tasks.
    private func fail(_ stored: inout StoredConnection, _ problem: ConnectionProblem, in outcome: inout Outcome) throws
    {
        guard stored.connection.status != .deleted else { return }
        stored.connection.fail()
        try store.save(stored)
        for number in try store.removeTasks(of: stored.id) {
            try report(.refused, number: number, of: stored, in: &outcome)
        }
        try tell(.err(problem), of: stored, in: &outcome)
        outcome.changedQueues.append(stored.id)
    }

    private func report(
        _ problem: DeliveryProblem, number: Int64, of stored: StoredConnection, in outcome: inout Outcome
    ) throws {
        guard let token = try store.token(of: number, in: stored.id) else { return }
        try tell(.merr(token: token, problem), of: stored, in: &outcome)
    }
}

extension DeliveryProblem {
    fileprivate init(_ result: TaskResult) {
        switch result {
        case .refused(.blocked): self = .blocked
        case .refused(.authorization): self = .refused
        case .expired(let isFull): self = isFull ? .full : .expired
        case .refused, .unsendable, .done, .created, .linked: self = .unsendable
        }
    }
}

extension ConnectionProblem {
    fileprivate init(_ result: TaskResult, of task: ConnectionTask) {
        switch (task, result) {
        case (_, .expired): self = .expired
        case (_, .refused(.blocked)): self = .blocked
        case (.createReplyQueue, _), (.createRequestQueue, _): self = .queueRefused
        case (.secureReceiveQueue, _): self = .queueGone
        case (_, .refused): self = .linkUsed
        default: self = .invalidAnswer
        }
    }
}
