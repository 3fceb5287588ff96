import AgentProtocol
import ChatCore
import CommandKit
import Commands
import CryptoCore
import JSONCoding
import Navigation
import TerminalKit
import Testing

@testable import REPL

/// The work of a session, which runs when a test says so.
final class ManualScheduler: Scheduler {
    private var waiting: [() async -> Void] = []
    private var timers: [() -> Void] = []

    func enqueue(_ work: @escaping () async -> Void) { waiting.append(work) }
    func start(_ work: @escaping () async -> Void) { waiting.append(work) }
    func after(_ delay: Duration, _ action: @escaping () -> Void) { timers.append(action) }

    /// Runs all work, also work that is added by it.
    func run() async {
        while !waiting.isEmpty {
            let work = waiting.removeFirst()
            await work()
        }
    }

    /// Lets all times pass.
    func fire() {
        let due = timers
        timers = []
        for action in due { action() }
    }
}

/// Commands of the tree that only answer.
final class MemoryRunner: CommandRunner {
    /// The commands that were run.
    private(set) var lines: [String] = []
    var code = ExitCode.ok
    var reports: [JSONObject] = []
    /// Runs while a command runs.
    var onRun: () async -> Void = {}
    var isKnown: ([String]) -> Bool = { _ in true }

    func run(_ words: [String], isPart: Bool) async -> ExitCode {
        lines.append(words.joined(separator: " "))
        await onRun()
        return code
    }

    func collect(_ words: [String]) async -> (code: ExitCode, reports: [JSONObject]) {
        (await run(words, isPart: false), reports)
    }

    func guesses(forUnknown words: [String]) -> [String]? { isKnown(words) ? nil : [] }
}

/// The parts of a session over a core and a terminal in memory.
///
/// The store has two profiles: `me` with the contacts alice (3), bob (4) and `Ann Lee` (5), and `work` with carol (6).
@MainActor final class TestSession {
    static let alice = MemoryCore.contact(3, "alice")
    static let bob = MemoryCore.contact(4, "bob")
    static let ann = MemoryCore.contact(5, "Ann Lee")
    static let link = "https://smp.simplex.im/a#\(String(repeating: "A", count: 43))"
    static let carol = MemoryCore.contact(6, "carol", of: 2)

    let core = MemoryCore()
    let terminal = MemoryTerminal()
    let scheduler = ManualScheduler()
    let runner = MemoryRunner()
    let life = SessionLife()
    let display = Display()
    let failures = StoreFailures()
    let memory: SessionMemory
    let reader: StoreReader
    let calls: CallBanner
    let relays: RelayNotices
    let window: WindowNotices
    let prompt: PromptLine
    let outbox: OutboxNotices
    let drafts: Drafts
    let router: Router
    let composer: Composer
    let gate: PasscodeGate

    /// The times that the parts see.
    final class Clock {
        var instant = ContinuousClock.now
        /// In milliseconds since 1970.
        var time: Int64 = 1_790_000_000_000
        var answer = Gate.Answer.wrong
    }

    let clock = Clock()

    init(_ settings: TerminalSettings = TerminalSettings()) {
        core.change {
            $0.profiles = [MemoryCore.profile(1, "me", isActive: true), MemoryCore.profile(2, "work")]
            $0.contacts = [TestSession.alice, TestSession.bob, TestSession.ann, TestSession.carol]
            $0.values[.seenVersion] = WhatsNew.version
            $0.items = [
                MemoryCore.located(10, TestSession.alice, "good morning", .received, .receivedRead),
                MemoryCore.located(11, TestSession.bob, "are you there?", .received, .receivedRead),
            ]
        }
        let clock = clock, now = { clock.instant }
        memory = SessionMemory(core: core, reads: failures, writes: StoreFailures())
        reader = StoreReader(core: core, failures: failures) { settings }
        calls = CallBanner(core: core, reader: reader, display: display)
        relays = RelayNotices(display: display, scheduler: scheduler, now: now)
        window = WindowNotices(reader: reader, display: display, scheduler: scheduler, now: now)
        prompt = PromptLine(display: display, window: window)
        outbox = OutboxNotices(reader: reader, display: display, scheduler: scheduler)
        drafts = Drafts(memory: memory, display: display)
        router = Router(
            core: core, reader: reader, memory: memory, display: display, drafts: drafts, commands: runner,
            prompt: prompt, calls: calls, relays: relays, scheduler: scheduler)
        composer = Composer(
            core: core, reader: reader, memory: memory, display: display, drafts: drafts, router: router,
            commands: runner, calls: calls, outbox: outbox, scheduler: scheduler)
        gate = PasscodeGate(
            memory: memory, display: display, scheduler: scheduler, life: life, time: { clock.time },
            compare: { _, _ in clock.answer })
        let router = router, composer = composer, display = display, life = life
        gate.screens = router
        outbox.conversation = { router.conversation }
        failures.report = { display.report($0) }
        memory.writes.report = { display.report($0) }
        composer.controls.leave = { life.leave() }
        display.terminal = terminal
        terminal.onLine = { composer.enqueue($0) }
    }

    /// Shows the chats of the active profile.
    func begin() async {
        await router.startAtHome()
        await router.enter()
    }

    /// Goes to the conversation with a contact.
    func open(_ contact: Contact) async {
        if await router.go(to: ChatScreen(contact: contact.id.number)) { await router.showTop() }
    }

    /// Types a line, and carries it out.
    func enter(_ line: String) async {
        terminal.enter(line)
        await scheduler.run()
    }

    /// Types a line that asks a question, and an answer.
    func enter(_ line: String, answering answers: String...) async {
        terminal.enter(line)
        let running = Task { await scheduler.run() }
        for answer in answers {
            await waitForQuestion()
            terminal.enter(answer)
        }
        await running.value
    }

    /// Returns when the session asks a question.
    func waitForQuestion() async {
        for _ in 1...10_000 where !terminal.isAsking { await Task.yield() }
        if !terminal.isAsking { Issue.record("no question is asked: \(terminal.rows)") }
    }

    /// The place that is stored.
    var place: [String] {
        guard let stored = core.value(.place), let place = try? LastPlace(decoding: stored) else { return [] }
        return place.screens.map { $0.map { "\($0.value)" } ?? "" }
    }

    /// Stores a passcode, and begins at the gate.
    func beginLocked(_ record: (inout GateRecord) -> Void = { _ in }) async throws {
        var gateRecord = GateRecord()
        gateRecord.passcode = GateRecord.Hash(salt: [1], hash: [2], passes: 1, memory: 8, isNumeric: true)
        record(&gateRecord)
        core.change { $0.values[.gate] = gateRecord.encoded }
        try await gate.begin(isOpened: false)
        if display.isHidden { gate.ask() }
        await router.startAtHome()
        await router.enter()
    }
}
