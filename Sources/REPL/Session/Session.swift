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
    private(set) var editor: LineEditor?

    var state = NavigationState()
    /// What can be chosen by number or name on the screen.
    var choices: [Drawing.Choice] = []
    /// The entries of the conversation that are on the screen.
    var shownItems: ClosedRange<Int64>?
    /// Whether the newest entries are on the screen, so that new ones belong below.
    var isAtEnd = true
    /// The entry that is to be in sight when the screen is drawn next.
    var position: Int64?
    /// The entries of which it was said, or could have been, that they wait.
    var waitingItems: Set<ChatItemID> = []
    /// The relays from which nothing comes.
    var lostRelays: [String: LostRelay] = [:]
    /// How often a screen was drawn.
    var drawings = 0
    /// Whether a screen was shown: before that there is no place to be remembered.
    var hasPlace = false
    /// Whether there are first steps to be done.
    var isGuiding = false
    /// How often the process was stopped.
    var pauses = 0
    /// What is kept of the line in the store.
    var draft = ""
    /// What was taken from the line for the conversations that are going to be left.
    var leftTexts: [String] = []
    /// The conversation whose draft was brought back last.
    var draftOwner: ContactID?
    /// How messages were printed last, for the line between days.
    var messages = MessageLines(width: 80)
    /// The profile and the screen, as the prompt says it.
    var promptWords = ""
    /// The calls that wait for an answer, in the order in which they came, with the names of the profiles they are for.
    var calls: [(call: LocatedItem, profile: String)] = [] {
        didSet { showCalls() }
    }
    /// Whether the list on the screen is going to be drawn anew.
    var isListStale = false
    /// What the configuration says of the bell and the title.
    var terminalSettings = TerminalSettings()
    /// When the bell rang last.
    var lastBell: ContinuousClock.Instant?
    /// Unread entries of everything that is not on the screen.
    var unreadElsewhere = 0

    /// Why it ends, once it does.
    private var reason = End.left
    /// Where it goes on, and what stands in the line then.
    var resumption: Resumption?
    var gate = Gate(GateRecord(), at: 0)
    /// Whether nothing may be seen, until the passcode is typed.
    var isHidden = false {
        didSet {
            if isHidden { pending.deactivate() }
            if isHidden { state.present(.unlock) } else { state.dismiss(.unlock) }
            showTitle()
        }
    }
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
    private var waiting: [@Sendable (isolated Session) async -> Void] = []
    private var isWorking = false
    /// How many commands were begun.
    var commandCount = 0
    /// The command that printed something last.
    var lastPrinting = 0
    /// Those that nobody waits for any more.
    var abandonedCommands: Set<Int> = []
    /// The command that is running.
    var runningCommand: RunningCommand?
    private var ending: CheckedContinuation<Void, Never>?
    private(set) var hasEnded = false
    /// The signal that ended the session.
    var endingSignal: Int32?
    /// Whether another program has the terminal.
    var isElsewhere = false
    /// Why it ends when that program has ended: what is written there is not to be lost.
    var postponedEnd: End?
    var lastInterrupt: ContinuousClock.Instant?
    private var signals: SignalListening?
    private var listening: SessionListening?

    /// How long something may take before somebody wonders: a message, a command, a relay that is away.
    static let patience = Duration.seconds(3)
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
        reader = StoreReader(store: store)
        memory = SessionMemory(store: store)
    }

    // MARK: - Life

    /// Takes the terminal over until the person leaves.
    func run(_ beginning: Beginning) async throws -> End {
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
        self.editor = editor
        terminalSettings = store.terminalSettings
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
        if !hasEnded { await withCheckedContinuation { ending = $0 } }
        // What was typed before something was asked is there again.
        editor.answer(nil)
        switch reason {
        case .left, .stopped: await rememberPlace()
        case .holderEnded: reason = .holderEnded(whereToResume())
        case .reopening: reason = .reopening(whereToResume())
        case .erased, .storeGone, .failed: break
        }
        return reason
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

    /// Ends the session when what is being done now is done.
    func leave() {
        hasEnded = true
        runningCommand?.task.cancel()
        ending?.resume()
        ending = nil
    }

    /// Ends the session for some other reason than that the person wants it.
    func leave(_ reason: End) {
        guard !hasEnded else { return }
        if isElsewhere {
            postponedEnd = postponedEnd ?? reason
            return
        }
        self.reason = reason
        leave()
    }

    private func finish() {
        listening?.end()
        signals = nil
        editor?.stop()
        editor = nil
    }

    // MARK: - One thing after the other

    /// Does something after everything that was typed before.
    func enqueue(_ work: @escaping @Sendable (isolated Session) async -> Void) {
        waiting.append(work)
        guard !isWorking else { return }
        isWorking = true
        Task(executorPreference: store.loop) { await self.workOff() }
    }

    private func workOff() async {
        while !waiting.isEmpty, !hasEnded {
            let work = waiting.removeFirst()
            await work(self)
        }
        isWorking = false
    }
}

/// Signals that are listened to as long as this object lives.
private final class SignalListening {
    private let watch: SignalWatch

    init(_ signals: [Int32], on loop: EventLoop, _ handler: @escaping (Int32) -> Void) throws(SystemError) {
        watch = try SignalWatch(signals, on: loop, handler)
    }
}
