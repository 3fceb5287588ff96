import ChatCore
import Commands
import CryptoCore
import Host
import Navigation
import SystemIO
import TerminalKit

/// A session of a person at a terminal, with an open store.
///
/// The actor keeps the life cycle, the queue of work and the wiring of its parts: ``Router`` (path and screens), ``Composer`` (line and
/// drafts), ``PasscodeGate``, and the small types of `Notices` and `Running`. All of it is on the loop's thread, as the terminal is.
/// Lines are carried out one after the other; changes of the store are printed as they come.
actor Session {
    let store: SessionStore
    let environment: [String: String]
    private let usesColor: Bool
    private(set) var editor: LineEditor?

    let life = SessionLife()
    let queue: WorkQueue
    let display = Display()
    let memory: SessionMemory
    let reader: StoreReader
    let commands: SessionCommands
    let calls: CallBanner
    let relays: RelayNotices
    let window: WindowNotices
    let transfers: TransferNotices
    let prompt: PromptLine
    let outbox: OutboxNotices
    let drafts: Drafts
    let gate: PasscodeGate
    let router: Router
    let composer: Composer
    let firstSteps: FirstSteps
    private let failures: StoreFailures

    /// The place where an earlier session of this process stopped, until the first screen is shown.
    var resumption: Resumption?
    /// True if nothing is received because the store cannot be written.
    var isStuck = false
    /// The file of the store at the start.
    private(set) var identity: FileStatus?
    /// The time of the last Ctrl-C on an empty line.
    var lastInterrupt: ContinuousClock.Instant?
    private var signals: SignalListening?
    private var listening: SessionListening?

    private static let lookInterval = Duration.seconds(2)
    /// SIGHUP, SIGINT, SIGTERM and SIGWINCH (signal(7)).
    private static let signals: [Int32] = [1, 2, 15, resized]
    static let resized: Int32 = 28

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe store.loop.asUnownedSerialExecutor()
    }

    init(_ store: SessionStore, environment: [String: String], usesColor: Bool) {
        self.store = store
        self.environment = environment
        self.usesColor = usesColor
        failures = StoreFailures()
        queue = WorkQueue(store.loop, life)
        memory = SessionMemory(core: store, reads: failures, writes: StoreFailures())
        reader = StoreReader(core: store, failures: failures) { store.terminalSettings }
        commands = SessionCommands(store, display: display, scheduler: queue)
        calls = CallBanner(core: store, reader: reader, display: display)
        relays = RelayNotices(display: display, scheduler: queue)
        window = WindowNotices(reader: reader, display: display, scheduler: queue)
        transfers = TransferNotices(display: display)
        prompt = PromptLine(display: display, window: window)
        outbox = OutboxNotices(reader: reader, display: display, scheduler: queue)
        drafts = Drafts(memory: memory, display: display)
        gate = PasscodeGate(memory: memory, display: display, scheduler: queue, life: life) { [loop = store.loop] in
            await Session.compare($0, with: $1, on: loop)
        }
        router = Router(
            core: store, reader: reader, memory: memory, display: display, drafts: drafts, commands: commands,
            prompt: prompt, calls: calls, relays: relays, scheduler: queue)
        composer = Composer(
            core: store, reader: reader, memory: memory, display: display, drafts: drafts, router: router,
            commands: commands, calls: calls, outbox: outbox, scheduler: queue)
        firstSteps = FirstSteps(core: store, failures: failures, display: display, commands: commands, life: life)
    }

    /// Compares a typed passcode on another thread.
    private static func compare(
        _ typed: Secret, with record: GateRecord, on loop: EventLoop
    ) async -> Gate.Answer {
        await withCheckedContinuation { continuation in
            loop.offload(
                { Passcode(typed)?.answer(to: record) ?? .wrong }, then: { continuation.resume(returning: $0) })
        }
    }

    // MARK: - Wiring

    private func wire() {
        queue.starter = { [weak self, loop = store.loop] work in
            guard let self else { return }
            Task(executorPreference: loop) { await self.perform(work) }
        }
        commands.courier = { [self, loop = store.loop] action in
            loop.post { self.assumeIsolated { action($0.commands) } }
        }
        life.onEnd = { [commands] in commands.cancelAtEnd() }
        failures.report = { [display] in display.report($0, during: "read the store") }
        memory.writes.report = { [display] in display.report($0, during: "write to the store") }
        commands.profile = { [unowned router] in router.profile }
        commands.onQuestion = { [unowned composer] in composer.noteQuestion() }
        commands.onEnd = { [unowned router, gate, window, prompt] command, isPart in
            if command == "passcode" { await gate.reload() }
            if command == "config" {
                window.loadSettings()
                prompt.showTitle()
            }
            if !isPart { await router.updatePrompt() }
        }
        outbox.conversation = { [unowned router] in router.conversation }
        gate.screens = router
        router.guide = { [firstSteps] in await firstSteps.guide() }
        firstSteps.onLink = { [unowned router] in router.take($0) }
        firstSteps.onCompletion = { [unowned router] in await router.startAtHome() }
        composer.controls.lock = { [gate] in gate.lock() }
        composer.controls.leave = { [life] in life.leave() }
        display.filesFolder = store.folder.files
        composer.controls.home = environment["HOME"]
        router.browse = { [weak self] in await self?.browse($0) }
        composer.controls.showPicture = { [weak self] in await self?.showPicture(of: $0) }
        composer.controls.writeInEditor = { [weak self] in await self?.writeInEditor() }
    }

    /// Runs work of the parts.
    private func perform(_ work: @Sendable (WorkQueue) async -> Void) async { await work(queue) }

    // MARK: - Life cycle

    /// Takes the terminal over until the session ends.
    func run(_ beginning: Beginning) async throws -> End {
        wire()
        resumption = beginning.resumption
        if let resumption {
            router.pending = resumption.pending
            drafts.resumedLine = (resumption.text, resumption.cursor)
        }
        let traits = StreamTraits(isTerminal: true, width: nil, usesColor: usesColor)
        let term = environment["TERM"] ?? ""
        let canvas = TerminalCanvas(
            output: Output(descriptor: 1, traits: traits), isDumb: term.isEmpty || term == "dumb",
            hasTitle: TerminalTitle.isKnown(to: term)
        ) {
            let terminal = Terminal(descriptor: 1)
            return (terminal.columns ?? 80, terminal.rows ?? 24)
        }
        let editor = LineEditor(0, canvas: canvas, loop: store.loop) { [unowned self] event in
            assumeIsolated { $0.take(event) }
        }
        self.editor = editor
        display.terminal = editor
        window.loadSettings()
        try await listen()
        try await gate.begin(isOpened: beginning.isOpened)
        // The line of an earlier session of this process.
        Readline.startLine()
        try editor.start()
        defer { finish() }
        lookAround()
        queue.enqueue { [weak self] in await self?.begin(beginning) }
        if display.isHidden { gate.ask() }
        await life.ended()
        // The line that a question has replaced comes back.
        editor.answer(nil)
        switch life.reason {
        case .left, .stopped: await router.rememberPlace()
        case .holderEnded: return .holderEnded(whereToResume())
        case .reopening: return .reopening(whereToResume())
        case .erased, .storeGone, .failed: break
        }
        return life.reason
    }

    /// The signal that ended the session.
    func endingSignal() -> Int32? { life.signal }

    /// Listens to signals, to the store and to the process that has it open.
    private func listen() async throws {
        signals = try SignalListening(Session.signals, on: store.loop) { [unowned self] number in
            assumeIsolated { $0.take(signal: number) }
        }
        store.whenVisited { [weak self] text in self?.assumeIsolated { $0.router.visit(text) } ?? .kept }
        identity = store.folder.identity
        store.whenStopped { [weak self] in self?.assumeIsolated { $0.life.leave(.stopped) } }
        store.whenReceptionEnds { [weak self] error in
            self?.assumeIsolated { $0.receptionHasEnded(because: error) }
        }
        listening = store.listen { [unowned self] effect in assumeIsolated { $0.take(effect) } }
        await store.whenHolderEnds { [weak self] in self?.assumeIsolated { $0.life.leave(.holderEnded(nil)) } }
    }

    private func whereToResume() -> Resumption {
        router.pending.deactivate()
        let text = drafts.unsentText(in: router.conversation)
        return Resumption(
            place: router.place, text: text,
            cursor: text.utf8.count - (editor.map { $0.text.utf8.count - $0.cursor } ?? 0),
            isOpened: !display.isHidden, identity: identity, pending: router.pending, former: store.holderCommand)
    }

    /// Does what is due from time to time, and stores the line in case the process is killed.
    private func lookAround() {
        store.loop.after(Session.lookInterval) { [weak self] in
            self?.assumeIsolated { session in
                guard !session.life.hasEnded else { return }
                session.gate.lockWhenIdle()
                session.lookAfterStore()
                session.router.followOthers()
                // Not behind earlier lines: those may wait for a relay.
                session.queue.start { [drafts = session.drafts, router = session.router] in
                    await drafts.keepLine(of: router.conversation)
                }
                session.lookAround()
            }
        }
    }

    private func finish() {
        listening?.end()
        signals = nil
        editor?.stop()
        (editor, display.terminal) = (nil, nil)
        // It holds the session.
        commands.courier = nil
    }

    // MARK: - The editor of the user

    /// Starts the editor of the user, and puts its text into the line.
    func writeInEditor() async {
        guard let editor else { return }
        let command = environment["VISUAL"] ?? environment["EDITOR"] ?? "vi"
        let text = editor.text
        editor.stop()
        life.isElsewhere = true
        let written = await ExternalEditor(command: command, environment: environment).write(text, on: store.loop)
        life.isElsewhere = false
        if case .success(let text) = written { editor.replace(text) }
        do { try editor.start() } catch { return life.leave() }
        prompt.draw()
        if case .failure = written {
            display.say("the editor '\(UntrustedText(command).singleLine)' could not be used", .error)
        }
        life.leaveIfPostponed()
    }
}

/// Signals that are listened to as long as this object lives.
private final class SignalListening {
    private let watch: SignalWatch

    init(_ signals: [Int32], on loop: EventLoop, _ handler: @escaping (Int32) -> Void) throws(SystemError) {
        watch = try SignalWatch(signals, on: loop, handler)
    }
}
