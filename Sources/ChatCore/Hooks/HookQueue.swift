import AgentProtocol
import ByteCoding
import Store

/// The calls of hooks. They are written in the transaction of their events, and made by the process that opened the core.
final class HookQueue {
    private let store: ChatStore
    private let hooks: ChatHooks

    init(_ store: ChatStore, _ hooks: ChatHooks) {
        self.store = store
        self.hooks = hooks
    }

    /// Writes the calls for events. Must be called within the transaction of the events.
    func note(_ events: [any ChatEvent], at time: Timestamp) throws {
        // SECURITY: a hook would say that there is something, and what it says.
        for event in events where event.owner?.isHidden != true {
            for call in hooks.calls(for: event) { try store.insert(call, at: time) }
        }
    }

    /// Throws if a hook objects to texts that are about to be sent.
    func check(_ utterances: [Utterance]) async throws {
        if let reason = try await hooks.objection(to: utterances) { throw ChatError.vetoed(reason) }
    }

    /// All calls that wait, or were given up, oldest first.
    func runs() throws -> [HookRun] {
        try store.hookRuns()
    }

    /// Records the outcome of a call.
    func settle(_ id: HookRun.ID, _ outcome: LocalCore.HookOutcome) throws {
        try store.transaction {
            switch outcome {
            case .done, .void: try store.removeHookRun(id)
            case .failed(let problem): try store.fail(id, problem)
            }
        }
    }

    /// The next call that may be made.
    ///
    /// - Parameters:
    ///   - chatID: The chat of the last call, empty for none: chats take turns, so that the many calls of one do not hold up
    ///     those of others. Nil for the oldest call.
    ///   - ids: Calls that are not to be made now.
    func next(afterOneOf chatID: String?, besides ids: Set<HookRun.ID>) throws -> HookRun? {
        try store.nextHookRun(afterOneOf: chatID, besides: ids)
    }
}

extension LocalCore {
    /// The outcome of a call.
    public enum HookOutcome: Hashable, Sendable {
        case done
        /// It may be made again.
        case failed(String)
        /// Its hook no longer exists.
        case void
    }

    /// All calls that wait, or were given up, oldest first.
    public func hookRuns() throws(ChatError) -> [HookRun] {
        do { return try context.hooks.runs() } catch { throw ChatError(error) }
    }

    /// Records the outcome of a call, and returns the next one.
    ///
    /// - Parameters:
    ///   - chatID: The chat of the call that was made last, empty for none: chats take turns, so that the many calls of one
    ///     do not hold up those of others. Nil for the oldest call.
    ///   - ids: Calls that are not to be made now.
    public func nextHookRun(
        after settled: (id: HookRun.ID, outcome: HookOutcome)?, turnBehind chatID: String? = nil,
        besides ids: Set<HookRun.ID>
    ) throws(ChatError) -> HookRun? {
        do {
            if let (id, outcome) = settled {
                _ = try context.agent
                try context.hooks.settle(id, outcome)
            }
            return try context.hooks.next(afterOneOf: chatID, besides: ids)
        } catch {
            throw ChatError(error)
        }
    }
}
