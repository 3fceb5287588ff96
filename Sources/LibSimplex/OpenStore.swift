import AgentProtocol
import ByteCoding
import ChatCore
import JSONCoding
import Synchronization
import SystemIO

/// An open store, with the thread on which its commands run and its messages arrive.
final class OpenStore: Sendable {
    private let thread: LoopThread
    private let core: Mutex<LocalCore?>
    private let lock: Mutex<StoreLock?>
    private let commands = RunningCommands()
    private let access = ProfileAccess()
    private let paths: APIFilePaths

    private init(
        _ thread: LoopThread, _ core: LocalCore, _ paths: APIFilePaths, _ lock: consuming StoreLock
    ) {
        self.thread = thread
        self.paths = paths
        self.core = Mutex(core)
        self.lock = Mutex(lock)
    }

    /// Opens a store. Blocks for the disk, and while a passphrase is worked out.
    static func start(_ request: StoreRequest, _ events: EventQueue) throws(StoreRefusal) -> OpenStore {
        let claimed = try request.claim()
        do {
            let thread = try LoopThread.take()
            do {
                let paths = APIFilePaths(claimed.folder)
                let core = try open(claimed.folder, claimed.key, isNew: claimed.isNew, on: thread.loop, events, paths)
                return OpenStore(thread, core, paths, claimed.lock)
            } catch {
                thread.release()
                throw error
            }
        } catch {
            throw StoreRefusal(request.folder, error)
        }
    }

    private static func open(
        _ folder: StoreFolder, _ key: OpenedKey?, isNew: Bool, on loop: EventLoop, _ events: EventQueue,
        _ paths: APIFilePaths
    ) throws -> LocalCore {
        let opened = try BlockingResult<Result<LocalCore, ChatError>>()
        _ = Task(executorPreference: loop) {
            do throws(ChatError) {
                let core = try await LocalCore(
                    folder, isNew ? .creating : .writing, key: key, loop: loop,
                    onEvent: { event in events.put(LibraryError.result(paths.apply(to: event.json))) })
                // Nobody is led through steps on a screen.
                if isNew { _ = try await core.execute(AdvanceOnboarding(to: .complete)) }
                opened.deliver(.success(core))
            } catch {
                opened.deliver(.failure(error))
            }
        }
        return try opened.wait().get()
    }

    // MARK: - Commands

    /// Runs a command, waits for its end, and returns its answer.
    func answer(_ text: String) -> Bytes {
        do {
            let command = try ChatCommands.parse(text)
            let call = try RunningCommand()
            guard commands.begin(call) else { return LibraryError.answer(.closed) }
            let task = Task(executorPreference: thread.loop) { [self] in
                call.deliver(await carryOut(command))
                commands.end(call)
            }
            commands.add(task, to: call)
            return call.result.wait()
        } catch let error as ChatError {
            return LibraryError.failure(error.fields)
        } catch {
            return LibraryError.answer(.system("\(error)"))
        }
    }

    private func carryOut(_ command: any ChatCommand) async -> Bytes {
        guard let core = core.withLock({ $0 }) else { return LibraryError.answer(.closed) }
        do throws(ChatError) {
            let answer = try await json(of: command, on: core)
            paths.note(command)
            return LibraryError.result(paths.apply(to: answer))
        } catch {
            return LibraryError.failure(error.fields)
        }
    }

    private func json<Command: ChatCommand>(
        of command: Command, on core: LocalCore
    ) async throws(ChatError) -> JSONObject {
        try await access.json(of: command) { try await core.execute($0) }
    }

    // MARK: - Closing

    /// How long running commands may take to end.
    private static let grace = Duration.seconds(2)

    /// Ends running commands and all sessions, and releases the lock.
    ///
    /// - Returns: The reason why the store was not closed in order, or nil.
    func close() -> String? {
        guard let closed = try? BlockingResult<String?>() else { return "no descriptor is free" }
        commands.cancelAll()
        _ = Task(executorPreference: thread.loop) { [self] in
            let deadline = ContinuousClock.now + OpenStore.grace
            while !commands.isEmpty, ContinuousClock.now < deadline { await pause(.milliseconds(5)) }
            // Who waits gets an answer, whatever its command waits for.
            commands.abandonAll(LibraryError.answer(.closed))
            let problem = await end()
            // The core has ended with its last reference, on its own thread, before others may open the store.
            lock.withLock { $0 = nil }
            thread.release()
            closed.deliver(problem)
        }
        return closed.wait()
    }

    private func end() async -> String? {
        guard let core = core.withLock({ core in core.take() }) else { return nil }
        do throws(ChatError) {
            try await core.close()
            return nil
        } catch {
            return error.json.line
        }
    }

    private func pause(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            thread.loop.after(duration) { continuation.resume() }
        }
    }
}
