import ByteCoding
import ChatCore
import JSONCoding
import Synchronization

/// One store as callers have it. All calls may come from any thread.
final class Controller: Sendable {
    /// A store and what its next opening needs.
    private enum State {
        case open(LibraryStore)
        case closed
        /// A thread opens or closes it now.
        case changing
    }

    private let request: StoreRequest
    private let events = EventQueue()
    private let state: Mutex<State>

    private init(_ request: StoreRequest) {
        self.request = request
        state = Mutex(.changing)
    }

    /// Opens a store, or creates it if it does not exist.
    static func open(_ request: StoreRequest) -> Result<Controller, StoreRefusal> {
        guard !LibraryProcess.isForked else {
            return .failure(StoreRefusal(request.folder, LibraryError.text(.forked)))
        }
        LibraryProcess.own()
        let kept = StoreRequest(
            prefix: request.prefix, key: request.keepsKey ? request.key : nil, keepsKey: request.keepsKey,
            confirmation: request.confirmation)
        let controller = Controller(kept)
        do throws(StoreRefusal) {
            try controller.start(request)
            return .success(controller)
        } catch {
            return .failure(error)
        }
    }

    private func start(_ request: StoreRequest) throws(StoreRefusal) {
        do throws(StoreRefusal) {
            let store = try LibraryStore.start(request, events)
            state.withLock { $0 = .open(store) }
        } catch {
            state.withLock { $0 = .closed }
            throw error
        }
    }

    // MARK: - Commands and events

    /// Runs a command, and returns its answer as JSON.
    func send(_ command: String) -> Bytes {
        guard case .open(let store) = state.withLock({ $0 }) else { return LibraryError.answer(.closed) }
        return store.answer(command)
    }

    /// Waits for an event, and returns it as JSON; nil if there was none.
    func receive(within timeout: Duration?) -> Bytes? {
        events.next(within: timeout)
    }

    // MARK: - Closing

    /// Closes the store. The answers of running commands say so.
    ///
    /// - Returns: The reason why the store was not closed in order, or nil.
    func close() -> String? {
        let former = state.withLock { state in
            defer { if case .open = state { state = .changing } }
            return state
        }
        switch former {
        case .closed: return nil
        case .changing: return "another thread opens or closes the store"
        case .open(let store):
            events.close()
            let problem = store.close()
            state.withLock { $0 = .closed }
            return problem
        }
    }

    /// Opens the store again.
    ///
    /// - Returns: The reason why the store is not open, or nil.
    func reopen() -> String? {
        let former = state.withLock { state in
            defer { if case .closed = state { state = .changing } }
            return state
        }
        switch former {
        case .open: return "the store is open"
        case .changing: return "another thread opens or closes the store"
        case .closed: break
        }
        events.open()
        do throws(StoreRefusal) {
            try start(request)
            return nil
        } catch {
            return error.result.json.line
        }
    }
}
