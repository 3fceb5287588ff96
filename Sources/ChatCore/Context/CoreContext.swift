import Agent
import AgentProtocol
import ByteCoding
import Store

/// The things that all collaborators of a core share: store, agent, time, random numbers, and events.
final class CoreContext {
    let store: ChatStore
    let lookup: Lookup
    let environment: any AgentEnvironment
    let hooks: HookQueue
    /// Nil in a core that only reads, and in one that was closed.
    var connectedAgent: (any CoreAgent)?
    /// Why nothing more is recorded: the database failed.
    var failure: ChatError?
    /// The events and messages that are counted while the core is open.
    var counters = FetchReport()
    /// The folders for files, as long as the core is open.
    var fileFolders = FileFolders()
    private let onEvent: (any ChatEvent) -> Void

    /// - Parameter onEvent: Called when an event is on disk.
    init(
        _ store: ChatStore, environment: any AgentEnvironment, hooks: ChatHooks = .none,
        onEvent: @escaping (any ChatEvent) -> Void
    ) {
        self.store = store
        self.environment = environment
        self.onEvent = onEvent
        lookup = Lookup(store)
        self.hooks = HookQueue(store, hooks)
    }

    var now: Timestamp { environment.now }

    /// The agent of a core that may write.
    ///
    /// - Throws: ``ChatError/readOnly`` if there is none.
    var agent: any CoreAgent {
        get throws(ChatError) {
            guard let connectedAgent else { throw .readOnly }
            return connectedAgent
        }
    }

    // MARK: - Events

    func tell(_ event: any ChatEvent) {
        // SECURITY: who hides a profile does not want others to see on the screen that something came for it.
        if event.owner?.isHidden == true { return }
        onEvent(event)
    }

    /// Tells an event that has no transaction, with the calls of its hooks in a transaction of their own.
    func tellWithHooks(_ event: any ChatEvent) {
        do { try store.transaction { try hooks.note([event], at: now) } } catch { failure = ChatError(error) }
        tell(event)
    }

    /// Runs one transaction with everything that follows from an event of the agent: what `body` writes, the calls of hooks, and
    /// the number of the event.
    func commit(_ event: AgentEvent, _ body: () throws -> [any ChatEvent]) throws -> [any ChatEvent] {
        try store.transaction {
            let consequences = try body()
            try hooks.note(consequences, at: now)
            try store.setLastAgentEvent(event.id)
            return consequences
        }
    }

    // MARK: - Failures

    /// Returns true if an error says that the storage failed: another event or another step would fail too. Returns false if it may
    /// come from what was read or written.
    static func isStorageFailure(_ error: any Error) -> Bool {
        let cause: StoreError
        switch error {
        case let error as StoreError: cause = error
        case AgentError.store(let error): cause = error
        case ChatError.database: return true
        default: return false
        }
        switch cause.code {
        case .constraint, .misuse: return false
        case .damaged: return !cause.isUnreadableValue
        case .cannotOpen, .busy, .diskFull, .disk, .notADatabase, .wrongKey, .keyMissing, .olderSchema, .newerSchema,
            .otherSchema, .outOfMemory:
            return true
        }
    }

    /// Returns the result of a step that the rest can do without; nil if it fails. A failure of the storage stops everything.
    @discardableResult
    func attempt<Value>(_ step: () throws -> Value) -> Value? {
        do { return try step() } catch {
            if CoreContext.isStorageFailure(error) { failure = failure ?? ChatError(error) }
            return nil
        }
    }

    /// Calls `action` after a delay, unless the core has failed by then. An error of `action` is a failure of the core.
    ///
    /// - Returns: Cancels the timer.
    func after(_ delay: Duration, _ action: @escaping () throws -> Void) -> () -> Void {
        environment.after(delay) { [weak self] in
            guard let self, failure == nil else { return }
            do { try action() } catch { failure = ChatError(error) }
        }
    }
}
