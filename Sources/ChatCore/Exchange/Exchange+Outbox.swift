import Agent
import AgentProtocol
import ChatProtocol
import Synchronization

extension LocalCore {
    /// Tries everything in the outbox once, without receiving.
    func flush(timeout: Duration) async throws -> FetchReport {
        let agent = try agent
        let before = context.counters
        try agent.deliverAll()
        let hasTriedAll = await agent.wait(timeout) { agent.hasTriedAll }
        let report = try report(agent, since: before, isDrained: hasTriedAll)
        if stays == 0 { try agent.stop() }
        return report
    }

    /// Sends what is queued for a chat.
    func deliver(to chat: ChatTarget, timeout: Duration) async throws -> DeliveryReport {
        let agent = try agent
        let chat = try lookup.chat(chat), profile = try lookup.profile(chat.profileID), contact = chat.asContact
        guard let connection = chat.contact?.connection, try agent.contains(connection.id) else {
            return DeliveryReport(profile, contact, isComplete: true, obstacle: nil)
        }
        agent.deliver(connection.id)
        _ = await agent.wait(timeout) {
            agent.obstacle(of: connection.id) != nil || (try? agent.hasTasks(connection.id)) != true
        }
        let isComplete = try !agent.hasTasks(connection.id)
        let obstacle = isComplete ? nil : agent.obstacle(of: connection.id).map(RelayProblem.init)
        return DeliveryReport(profile, contact, isComplete: isComplete, obstacle: obstacle)
    }

    /// Receives, and sends what is in the outbox, until time is up or the task is cancelled.
    func receive(timeout: Duration?) async throws -> FetchReport {
        let agent = try agent, before = context.counters
        try stay(agent)
        let deadline = timeout.map { ContinuousClock.now + $0 }
        let cancellation = CancellationMark()
        // In steps: a timer cannot be set for as long as somebody may want.
        func step() -> Duration { min(deadline.map { $0 - .now } ?? .seconds(3600), .seconds(3600)) }
        await withTaskCancellationHandler {
            while agent.failure == nil, context.failure == nil, step() > .zero, !cancellation.isRequested {
                _ = await agent.wait(step()) { [context] in
                    context.failure != nil || cancellation.isRequested
                }
            }
        } onCancel: {
            cancellation.request()
            reconsider()
        }
        // Nobody is to believe that something is still received.
        if agent.failure != nil { stays -= 1 }
        let report = try report(agent, since: before, isDrained: true)
        try leave(agent)
        return report
    }

    /// Keeps the sessions with the relays until ``leave(_:)``. Several commands may do so side by side.
    func stay(_ agent: any CoreAgent) throws {
        if stays == 0 { try agent.start(.staying) }
        stays += 1
    }

    func leave(_ agent: any CoreAgent) throws {
        stays -= 1
        if stays == 0 { try agent.stop() }
    }

    /// What happened since the counters had a value.
    ///
    /// - Throws: What made the agent stop, if it did: time was not what was missing.
    func report(_ agent: any CoreAgent, since before: FetchReport, isDrained: Bool) throws -> FetchReport {
        if let failure = agent.failure { throw failure }
        var report = context.counters.since(before)
        // SECURITY: what is in the way of a hidden profile is nobody's affair without its password.
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

/// Whether a task was asked to end, for those who look from outside of it.
private final class CancellationMark: Sendable {
    private let mark = Mutex(false)

    var isRequested: Bool { mark.withLock { $0 } }

    func request() { mark.withLock { $0 = true } }
}
