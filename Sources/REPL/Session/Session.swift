import ChatCore
import Commands
import Navigation
import SystemIO
import TerminalKit

/// A person at a terminal with an open store.
///
/// Lines are carried out one after the other; what happens in the store meanwhile is printed as it comes. All of it is on the
/// loop's thread, as the editor is.
actor Session {
    let store: OpenSession
    let reader: StoreReader
    let memory: SessionMemory
    let environment: [String: String]
    private let usesColor: Bool
    let life = SessionLife()
    let queue: WorkQueue
    let display = Display()
    let failures: StoreFailures
    let commands: SessionCommands
    let calls: CallBanner
    let relays: RelayNotices
    let window: WindowNotices
    let promptLine: PromptLine
    let outbox: OutboxNotices
    private(set) var lineEditor: LineEditor?

    var state = NavigationState()
    /// What can be chosen by number or name on the screen.
    var choices: [Drawing.Choice] = []
    /// The entries of the conversation that are on the screen.
    var shownItems: ClosedRange<Int64>?
    /// Whether the newest entries are on the screen, so that new ones belong below.
    var isAtEnd = true
    /// The entry that is to be in sight when the screen is drawn next.
    var position: Int64?
    /// How often a screen was drawn.
    var drawings = 0
    /// Whether a screen was shown: before that there is no place to be remembered.
    var hasPlace = false
    /// Whether there are first steps to be done.
    var isGuiding = false
    /// What is kept of the line in the store.
    var draft = ""
    /// What was taken from the line for the conversations that are going to be left.
    var leftTexts: [String] = []
    /// The conversation whose draft was brought back last.
    var draftOwner: ChatReference?
    /// How messages were printed last, for the line between days.
    var messages = MessageLines(width: 80)
    /// Whether the list on the screen is going to be drawn anew.
    var isListStale = false
    /// Where it goes on, and what stands in the line then.
    var resumption: Resumption?
    var gate = Gate(GateRecord(), at: 0)
    /// Whether nothing is received, because the store could not be written.
    var isStuck = false
    /// The file of the store, as it was at the start.
    private(set) var identity: FileStatus?
    /// Whether a typed passcode is being worked out.
    var isTrying = false
    /// Where others want to go, as long as nothing can be shown.
    var pending = PendingDestinations()
    /// Where others want to go, as long as something is typed.
    var laterDestinations = PendingDestinations()

    /// What was typed and is not carried out yet.
    var typedLines: [String] = []
    /// Whether the next of them may answer a question that was not asked because of it.
    var mayBeAnswer = false
    /// Whether the first of them is being carried out.
    var isCarryingOut = false
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

    init(_ store: OpenSession, environment: [String: String], usesColor: Bool) {
        self.store = store
        self.environment = environment
        self.usesColor = usesColor
        failures = StoreFailures()
        queue = WorkQueue(store.loop, life)
        reader = StoreReader(core: store, failures: failures) { store.terminalSettings }
        memory = SessionMemory(core: store, failures: failures)
        commands = SessionCommands(store, display: display, scheduler: queue)
        calls = CallBanner(core: store, reader: reader, display: display)
        relays = RelayNotices(display: display, scheduler: queue)
        window = WindowNotices(reader: reader, display: display, scheduler: queue)
        promptLine = PromptLine(display: display, window: window)
        outbox = OutboxNotices(reader: reader, display: display, scheduler: queue)
    }

    // MARK: - Life

    /// Takes the terminal over until the person leaves.
    func run(_ beginning: Beginning) async throws -> End {
        wire()
        resumption = beginning.resumption
        if let kept = resumption?.pending { pending = kept }
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
        lineEditor = editor
        display.terminal = editor
        window.loadSettings()
        signals = try SignalListening(Session.signals, on: store.loop) { [unowned self] number in
            assumeIsolated { $0.take(signal: number) }
        }
        store.whenVisited { [weak self] text in self?.assumeIsolated { $0.visit(text) } ?? .kept }
        identity = store.folder.identity
        store.whenStopped { [weak self] in self?.assumeIsolated { $0.leave(.stopped) } }
        store.whenReceptionEnds { [weak self] error in
            self?.assumeIsolated { $0.receptionHasEnded(because: error) }
        }
        listening = store.listen { [unowned self] event in assumeIsolated { $0.take(event) } }
        await store.whenHolderEnds { [weak self] in self?.assumeIsolated { $0.leave(.holderEnded(nil)) } }
        let record = try await memory.gate()
        gate = Gate(beginning.isOpened ? GateRecord() : record, at: SystemClock.milliseconds())
        if beginning.isOpened { _ = gate.update(record) }
        editor.usesOwnPage = gate.record.passcode != nil
        isHidden = gate.isLocked
        // What a session before has left there is no business of this one.
        Readline.startLine()
        try editor.start()
        defer { finish() }
        lookAround()
        enqueue { await $0.begin(beginning) }
        if isHidden { askPasscode() }
        await life.ended()
        // What was typed before something was asked is there again.
        editor.answer(nil)
        switch life.reason {
        case .left, .stopped: await rememberPlace()
        case .holderEnded: return .holderEnded(whereToResume())
        case .reopening: return .reopening(whereToResume())
        case .erased, .storeGone, .failed: break
        }
        return life.reason
    }

    private func whereToResume() -> Resumption {
        pending.deactivate()
        return Resumption(
            place: hasPlace ? LastPlace(state.path, position: isAtEnd ? nil : shownItems?.lowerBound) : nil,
            text: unsentText, cursor: unsentText.utf8.count - (editor.map { $0.text.utf8.count - $0.cursor } ?? 0),
            isOpened: !isHidden, identity: identity,
            pending: pending,
            former: store.holderCommand)
    }

    /// Looks from time to time whether somebody is still there, and keeps what is typed in case that the session does not
    /// come to its end.
    private func lookAround() {
        store.loop.after(Session.lookInterval) { [weak self] in
            self?.assumeIsolated { session in
                guard !session.hasEnded else { return }
                session.lockWhenIdle()
                session.lookAfterStore()
                session.followOthers()
                // Not behind what was typed: that may wait for a relay.
                // Nor before the draft of another conversation is in the line.
                if session.conversation == session.draftOwner {
                    Task(executorPreference: session.store.loop) { await session.keepDraft(session.unsentText) }
                }
                session.lookAround()
            }
        }
    }

    private func finish() {
        listening?.end()
        signals = nil
        lineEditor?.stop()
        (lineEditor, display.terminal) = (nil, nil)
        // Commands that go on hold the session by it.
        commands.courier = nil
    }

    // MARK: - Parts

    var editor: (any SessionTerminal)? { display.terminal }
    var hasEnded: Bool { life.hasEnded }
    var promptWords: String { promptLine.place }

    var area: DrawingArea {
        var area = display.area
        area.profile = state.profile
        return area
    }

    /// Whether nothing may be seen, until the passcode is typed.
    var isHidden: Bool {
        get { display.isHidden }
        set {
            display.isHidden = newValue
            if newValue { pending.deactivate() }
            if newValue { state.present(.unlock) } else { state.dismiss(.unlock) }
            promptLine.showTitle()
        }
    }

    func print(_ lines: [StyledText]) { display.print(lines) }
    func say(_ text: String, _ style: Style = .plain) { display.say(text, style) }
    func notify(_ text: String) { display.notify(text) }
    func report(_ error: any Error) { display.report(error) }
    func confirm(_ question: StyledText) async -> Bool { await display.confirm(question) }
    func answer(to question: StyledText) async -> String? { await display.answer(to: question) }
    func redrawPrompt() { promptLine.draw() }
    func leave() { life.leave() }
    func leave(_ reason: End) { life.leave(reason) }

    @discardableResult
    func run(_ words: [String], isPart: Bool = false) async -> ExitCode { await commands.run(words, isPart: isPart) }

    /// Does something after everything that was typed before.
    func enqueue(_ work: @escaping @Sendable (isolated Session) async -> Void) {
        queue.enqueue { [unowned self] in await work(self) }
    }

    /// Runs work of the parts.
    private func perform(_ work: @Sendable (WorkQueue) async -> Void) async { await work(queue) }

    /// The signal that ended the session.
    func endingSignal() -> Int32? { life.signal }

    private func wire() {
        queue.starter = { [weak self, loop = store.loop] work in
            guard let self else { return }
            Task(executorPreference: loop) { await self.perform(work) }
        }
        commands.courier = { [self, loop = store.loop] action in
            loop.post { self.assumeIsolated { action($0.commands) } }
        }
        outbox.conversation = { [unowned self] in conversation }
        commands.profile = { [unowned self] in state.profile }
        commands.onQuestion = { [unowned self] in if typedLines.count > 1 { mayBeAnswer = true } }
        commands.onEnd = { [unowned self] command, isPart in
            if command == "passcode" { await reloadGate() }
            if command == "config" {
                window.loadSettings()
                promptLine.showTitle()
            }
            if !isPart { await updatePrompt() }
        }
        failures.report = { [unowned self] in report($0) }
        life.onEnd = { [unowned self] in commands.cancelAtEnd() }
    }
}

/// Signals that are listened to as long as this object lives.
private final class SignalListening {
    private let watch: SignalWatch

    init(_ signals: [Int32], on loop: EventLoop, _ handler: @escaping (Int32) -> Void) throws(SystemError) {
        watch = try SignalWatch(signals, on: loop, handler)
    }
}
