import ByteCoding
import ChatCore
import Host
import JSONCoding
import Synchronization
import SystemIO

/// The open store of a controller, with the thread on which its commands run and its messages arrive.
final class LibraryStore: Sendable {
    private let thread: LoopThread
    private let session: APISession
    private let store: Mutex<OpenStore?>
    private let lock: Mutex<Held<StoreLock>?>

    private init(_ thread: LoopThread, _ store: OpenStore, _ paths: APIFilePaths, _ lock: Held<StoreLock>?) {
        self.thread = thread
        session = APISession(store, paths: paths)
        self.store = Mutex(store)
        self.lock = Mutex(lock)
    }

    /// Opens a store. Blocks for the disk, and while a passphrase is worked out.
    static func start(_ request: StoreRequest, _ events: EventQueue) throws(StoreRefusal) -> LibraryStore {
        let claimed = try request.claim()
        do {
            let thread = try LoopThread.take()
            do {
                let paths = APIFilePaths(claimed.folder)
                let store = try open(claimed.folder, claimed.key, isNew: claimed.isNew, on: thread.loop, events, paths)
                return LibraryStore(thread, store, paths, claimed.lock)
            } catch {
                thread.release()
                throw error
            }
        } catch {
            throw StoreRefusal(request.folder, error)
        }
    }

    private static func open(
        _ folder: StoreFolder, _ key: OpenedKey?, isNew: Bool, on loop: EventLoop, _ queue: EventQueue,
        _ paths: APIFilePaths
    ) throws -> OpenStore {
        let opened = try BlockingResult<Result<OpenStore, ChatError>>()
        let events = Listeners<any ChatEvent>(), network = try NetworkSettings([:])
        _ = events.listen { event in queue.put(LibraryError.result(paths.apply(to: event.json))) }
        _ = Task(executorPreference: loop) {
            do throws(ChatError) {
                let core = try await LocalCore(
                    folder, isNew ? .creating : .writing, key: key, loop: loop, network: network, onEvent: events.tell)
                // The callers of the library have no onboarding screens.
                if isNew { _ = try await core.execute(AdvanceOnboarding(to: .complete)) }
                let process = HostProcess(command: StoreRequest.command)
                opened.deliver(
                    .success(OpenStore(core, folder, loop, events, process, network: network, key: key, lock: nil)))
            } catch {
                opened.deliver(.failure(error))
            }
        }
        return try opened.wait().get()
    }

    // MARK: - Commands

    /// Runs a command, waits for its end, and returns its answer.
    func answer(_ text: String) -> Bytes {
        do throws(SystemError) {
            return switch try session.answer(text) {
            case .result(let result): LibraryError.result(result)
            case .error(let error): LibraryError.failure(error.fields)
            case .ended: LibraryError.answer(.closed)
            }
        } catch {
            return LibraryError.answer(.system("\(error)"))
        }
    }

    // MARK: - Closing

    /// How long running commands may take to end.
    private static let grace = Duration.seconds(2)

    /// Ends running commands and all sessions, and releases the lock.
    ///
    /// - Returns: The reason why the store was not closed in order, or nil.
    func close() -> String? {
        guard let closed = try? BlockingResult<String?>() else { return "no descriptor is free" }
        _ = Task(executorPreference: thread.loop) { [self] in
            await session.settle(within: LibraryStore.grace)
            session.end()
            let problem = await end()
            // The core has ended with its last reference, on its own thread, before others may open the store.
            lock.withLock { $0 = nil }
            thread.release()
            closed.deliver(problem)
        }
        return closed.wait()
    }

    private func end() async -> String? {
        guard let store = store.withLock({ store in store.take() }) else { return nil }
        do throws(ChatError) {
            try await store.local?.close()
            return nil
        } catch {
            return error.json.line
        }
    }
}
