import Store

/// Calls of hooks: written in the transaction with what they tell of, and made by whoever opened the core.
extension LocalCore {
    /// How a call ended.
    public enum HookOutcome: Hashable, Sendable {
        case done
        /// It may be made again.
        case failed(String)
        /// Its hook is there no more.
        case void
    }

    /// All calls that wait, or were given up, oldest first.
    public func hookRuns() throws(ChatError) -> [HookRun] {
        do { return try store.hookRuns() } catch { throw ChatError(error) }
    }

    /// Takes down how a call ended, and returns the next one.
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
                _ = try agent
                try store.transaction {
                    switch outcome {
                    case .done, .void: try store.removeHookRun(id)
                    case .failed(let problem): try store.fail(id, problem)
                    }
                }
            }
            return try store.nextHookRun(afterOneOf: chatID, besides: ids)
        } catch {
            throw ChatError(error)
        }
    }

    /// Writes down which hooks are to be told of events, inside of the transaction with the events.
    func noteHooks(_ events: [any ChatEvent]) throws {
        // SECURITY: a hook would say that there is something, and what it says.
        for event in events where event.owner?.isHidden != true {
            for call in hooks.calls(for: event) { try store.insert(call, at: now) }
        }
    }

    /// Tells of something that no transaction belongs to.
    func tellNoted(_ event: any ChatEvent) {
        do { try store.transaction { try noteHooks([event]) } } catch { failure = ChatError(error) }
        tell(event)
    }
}
