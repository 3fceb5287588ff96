import Agent
import AgentProtocol
import SMPClient

extension LocalCore {
    /// Receives what waits at the relays and tries the outbox. With a patience of `idle`, stays until nothing has come for
    /// that long.
    func fetch(timeout: Duration, idle: Duration) async throws -> FetchReport {
        let agent = try agent, before = context.counters, isStaying = stays > 0
        if isStaying { try agent.drain() } else { try agent.start(.draining) }
        let deadline = ContinuousClock.now + timeout
        var isQuiet = false
        var wasIdle = false
        while !wasIdle {
            isQuiet = await agent.wait(deadline - .now) { agent.isQuiet }
            let seen = inbox.lastEvent
            // What was sent meanwhile may be answered at once.
            let patience = isQuiet ? min(idle, deadline - .now) : .zero
            wasIdle = patience <= .zero ? true : await !agent.wait(patience) { [inbox] in inbox.lastEvent != seen }
        }
        let report = try report(agent, since: before, isDrained: agent.isDrained)
        // Whoever stayed may have left meanwhile, or others may have begun to stay.
        if stays > 0 { agent.staysOn() } else { try agent.stop() }
        return report
    }

    /// Sends what waits up to and including an own entry.
    func wait(for id: ChatItemID, timeout: Duration) async throws -> WaitedItem {
        let agent = try agent
        let chat = try lookup.chat(try lookup.item(id).chat)
        var obstacle: RelayProblem?
        if try lookup.item(id).status.isUnsent, let connection = chat.contact?.connection {
            agent.deliver(connection.id)
            _ = await agent.wait(timeout) { [store] in
                agent.obstacle(of: connection.id) != nil || (try? store.item(id))?.status.isUnsent != true
            }
            obstacle =
                try lookup.item(id).status.isUnsent ? agent.obstacle(of: connection.id).map(RelayProblem.init) : nil
        }
        return WaitedItem(
            try lookup.profile(chat.profileID), LocatedItem(chat: chat, item: try lookup.item(id)), obstacle: obstacle)
    }

    /// Sends an own entry, and receives until the contact says that it has it.
    func waitForDelivery(of id: ChatItemID, timeout: Duration) async throws -> WaitedItem {
        let agent = try agent
        let chat = try lookup.chat(try lookup.item(id).chat)
        let isAwaited = try lookup.item(id).status.isOnItsWay
        if isAwaited {
            try stay(agent)
            _ = await agent.wait(timeout) { [store] in (try? store.item(id))?.status.isOnItsWay != true }
        }
        let isWaiting = try lookup.item(id).status.isUnsent
        let obstacle = isWaiting ? chat.contact?.connection.flatMap { agent.obstacle(of: $0.id) } : nil
        if isAwaited { try leave(agent) }
        return WaitedItem(
            try lookup.profile(chat.profileID), LocatedItem(chat: chat, item: try lookup.item(id)),
            obstacle: obstacle.map(RelayProblem.init))
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

}

extension ChatItem.Status {
    /// Whether a receipt may still come.
    fileprivate var isOnItsWay: Bool { isUnsent || self == .sendSent || self == .sendUnconfirmed }
}

extension ContactConnection.Status {
    /// Whether nothing more is to be awaited for a stage.
    fileprivate func hasReached(_ stage: ConnectionStage) -> Bool {
        switch self {
        case .ready, .failed, .deleted: true
        case .new, .prepared: false
        case .joined, .requested, .accepted, .sendReady: stage == .joined
        }
    }
}
