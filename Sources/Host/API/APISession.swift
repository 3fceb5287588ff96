import AgentProtocol
public import ChatCore
public import JSONCoding
public import SystemIO

/// The commands of one caller on an open store: the text of a command comes, the JSON of its answer goes.
///
/// A line, a WebSocket and a C function frame requests and answers in their own way. Parsing, the passwords of hidden profiles, the
/// order of commands, cancellation and the end are the same. On the loop's thread.
public final class APISession: @unchecked Sendable {
    // Safe because it is only touched on the loop's thread.

    /// The answer to a command.
    public enum Answer: Sendable {
        case result(JSONObject)
        case error(ChatError)
        /// The session ended before the command.
        case ended
    }

    /// The order in which commands run.
    public enum Order: Sendable {
        /// Each begins at once.
        case parallel
        /// Each begins after the end of the one before.
        case sequential
    }

    /// A command of the session.
    public typealias ID = Int

    private struct Request {
        let work: @Sendable (APISession) async -> Answer
        let size: Int
        let deliver: @Sendable (Answer) -> Void
        var task: Task<Void, Never>?
    }

    private let loop: EventLoop
    private let order: Order
    private let paths: APIFilePaths?
    /// The hidden profiles whose password the caller knows.
    private let access = ProfileAccess()
    /// Nil after the end.
    private var store: OpenStore?
    private var requests: [ID: Request] = [:]
    /// The commands that have not begun, oldest first.
    private var waiting: [ID] = []
    private var lastID: ID = 0
    /// The size of the texts of the commands that have not begun, in bytes.
    public private(set) var waitingSize = 0
    /// True if no other command may begin.
    private var isClosing = false

    /// - Parameter paths: The paths of files in answers; nil to leave them as the core has them.
    public init(_ store: OpenStore, order: Order = .parallel, paths: APIFilePaths? = nil) {
        self.store = store
        self.order = order
        self.paths = paths
        loop = store.loop
    }

    /// True if a command has not been answered.
    public var isBusy: Bool { !requests.isEmpty }
    /// The number of commands that have not begun.
    public var waitingCount: Int { waiting.count }

    // MARK: - Commands

    /// Runs the command with this text.
    ///
    /// - Parameter deliver: Gets the answer, once, on the loop's thread.
    @discardableResult
    public func start(_ text: String, then deliver: @escaping @Sendable (Answer) -> Void) -> ID? {
        add(size: text.utf8.count, { await $0.answer(to: text) }, deliver)
    }

    /// Runs something else than a command, which is cancelled and counted as one.
    @discardableResult
    func start(
        _ work: @escaping @Sendable (OpenStore) async throws(ChatError) -> JSONObject,
        then deliver: @escaping @Sendable (Answer) -> Void
    ) -> ID? {
        add(
            size: 0,
            { session in
                guard let store = session.store else { return .ended }
                do throws(ChatError) { return .result(try await work(store)) } catch { return .error(error) }
            }, deliver)
    }

    /// Runs a command, and waits for its answer. For a thread that may wait, and is not the loop's.
    public func answer(_ text: String) throws(SystemError) -> Answer {
        let result = try BlockingResult<Answer>()
        loop.post { [self] in start(text) { result.deliver($0) } }
        return result.wait()
    }

    private func add(
        size: Int, _ work: @escaping @Sendable (APISession) async -> Answer,
        _ deliver: @escaping @Sendable (Answer) -> Void
    ) -> ID? {
        guard store != nil, !isClosing else {
            deliver(.ended)
            return nil
        }
        lastID += 1
        requests[lastID] = Request(work: work, size: size, deliver: deliver)
        waiting.append(lastID)
        waitingSize += size
        let id = lastID
        begin()
        return id
    }

    /// Begins the commands whose turn it is.
    private func begin() {
        while !waiting.isEmpty, order == .parallel || requests.count == waiting.count {
            let id = waiting.removeFirst()
            guard let request = requests[id] else { continue }
            waitingSize -= request.size
            requests[id]?.task = Task(executorPreference: loop) { [self, loop] in
                let answer = await request.work(self)
                // The session is the loop's.
                loop.post { self.finish(id, answer) }
            }
        }
    }

    private func finish(_ id: ID, _ answer: Answer) {
        guard let request = requests.removeValue(forKey: id) else { return }
        request.deliver(answer)
        begin()
    }

    private func answer(to text: String) async -> Answer {
        guard let store else { return .ended }
        do throws(ChatError) {
            let command = try ChatCommands.parse(text)
            let json = try await json(of: command, on: store)
            guard let paths else { return .result(json) }
            paths.note(command)
            return .result(paths.apply(to: json))
        } catch {
            return .error(error)
        }
    }

    private func json<Command: ChatCommand>(
        of command: Command, on store: OpenStore
    ) async throws(ChatError) -> JSONObject {
        let session = ObjectIdentifier(self)
        return try await access.json(of: command) { try await store.execute($0, for: session) }
    }

    // MARK: - Events

    /// Calls `tell` on the loop's thread with each event, and with each change that another session makes, until the returned
    /// action is called.
    func listen(_ tell: @escaping @Sendable (CoreMessage) -> Void) -> @Sendable () -> Void {
        guard let store else { return {} }
        let session = ObjectIdentifier(self)
        let events = store.events.listen { tell(.event($0.json)) }
        let changes = store.changes.listen { change in
            if change.session != session, let json = change.effect.json { tell(.effect(json)) }
        }
        return {
            events.end()
            changes.end()
        }
    }

    /// Calls `tell` with the places that a session of the caller is to go to, until the returned action is called.
    func takeVisits(_ tell: @escaping @Sendable (CoreMessage) -> Void) -> @Sendable () -> Void {
        guard let store else { return {} }
        let visiting = store.visits.begin { place in
            tell(.visit(place))
            return .told
        }
        return { visiting.end() }
    }

    // MARK: - Ending

    /// Asks a command to end early. It is answered all the same.
    func cancel(_ id: ID) {
        requests[id]?.task?.cancel()
    }

    /// Asks all commands to end early. Those that have not begun never do.
    public func cancelAll() {
        let dropped = waiting.compactMap { requests.removeValue(forKey: $0) }
        (waiting, waitingSize) = ([], 0)
        for request in dropped { request.deliver(.ended) }
        for request in requests.values { request.task?.cancel() }
    }

    /// Ends the session: each unanswered command is answered with ``Answer/ended``, and no other command begins.
    public func end() {
        store = nil
        cancelAll()
        let left = requests.values
        requests = [:]
        for request in left { request.deliver(.ended) }
    }

    /// Asks all commands to end early, and waits until they are answered, or time is up. No other command begins.
    public func settle(within timeout: Duration) async {
        let deadline = ContinuousClock.now + timeout
        isClosing = true
        cancelAll()
        while isBusy, ContinuousClock.now < deadline {
            await withCheckedContinuation { continuation in
                loop.after(.milliseconds(5)) { continuation.resume() }
            }
        }
    }
}
