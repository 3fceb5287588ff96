import ChatCore
import Commands
import CryptoCore
import Navigation
import SystemIO
import TerminalKit

/// The screens behind a passcode gate.
protocol GatedScreens: AnyObject {
    /// True if a screen was shown, which may still be in the terminal.
    var hasPlace: Bool { get }
    /// Everything is hidden from now on.
    func didHide()
    /// Everything may be shown again.
    func didReveal()
    /// Shows the screen on top, and what waited for the gate.
    func enter() async
    /// Draws the screen on top.
    func showTop() async
}

/// The passcode prompt of a session: it hides everything until the passcode is typed.
///
/// The rules are those of ``Gate``; this reads the clock, stores the record and asks.
final class PasscodeGate {
    /// Compares a typed passcode with the record, which takes a moment.
    typealias Comparison = (Secret, GateRecord) async -> Gate.Answer

    private let memory: SessionMemory
    private let display: Display
    private let scheduler: any Scheduler
    private let life: SessionLife
    private let compare: Comparison
    /// In milliseconds since 1970.
    private let time: () -> Int64
    /// Set before ``begin(isOpened:)``.
    weak var screens: (any GatedScreens)?

    private(set) var gate = Gate(GateRecord(), at: 0)
    /// True while a typed passcode is compared.
    private var isTrying = false

    init(
        memory: SessionMemory, display: Display, scheduler: any Scheduler, life: SessionLife,
        time: @escaping () -> Int64 = { SystemClock.milliseconds() }, compare: @escaping Comparison
    ) {
        (self.memory, self.display, self.scheduler, self.life) = (memory, display, scheduler, life)
        (self.time, self.compare) = (time, compare)
    }

    /// Reads the record, and hides everything if there is a passcode.
    ///
    /// - Parameter isOpened: True if the passcode was typed before this session.
    func begin(isOpened: Bool) async throws {
        let record = try await memory.gate()
        gate = Gate(isOpened ? GateRecord() : record, at: time())
        if isOpened { _ = gate.update(record) }
        display.terminal?.usesOwnPage = gate.record.passcode != nil
        setHidden(gate.isLocked)
    }

    private func setHidden(_ isHidden: Bool) {
        display.isHidden = isHidden
        if isHidden { screens?.didHide() } else { screens?.didReveal() }
    }

    // MARK: - Closing

    /// Hides everything now, if there is a passcode.
    func lock() {
        guard !display.isHidden else { return }
        guard gate.record.passcode != nil else {
            return display.say("no passcode is set; 'passcode set' sets one", .muted)
        }
        _ = gate.lock()
        setHidden(true)
        ask()
    }

    /// Hides everything if no key was pressed for the time that is set.
    func lockWhenIdle(_ now: ContinuousClock.Instant = .now) {
        // Keys in an editor are not seen here, and its screen is its own.
        guard !life.isElsewhere, let idle = gate.record.idle, idle > 0, let terminal = display.terminal,
            !display.isHidden
        else { return }
        if now - terminal.lastKey >= .milliseconds(idle) { lock() }
    }

    /// Hides everything before the process is stopped, unless there is a grace time.
    func suspend() {
        if !gate.suspend(at: time()).isEmpty { setHidden(true) }
    }

    /// Hides everything after the process was stopped for longer than the grace time.
    func resume() {
        if !gate.resume(at: time()).isEmpty { setHidden(true) }
    }

    /// Reads the record after a command has changed it.
    func reload() async {
        let record: GateRecord
        do { record = try await memory.gate() } catch { return display.report(error) }
        if gate.update(record).contains(.unlock) { open() }
        let isSet = record.passcode != nil
        guard let terminal = display.terminal, terminal.usesOwnPage != isSet, !display.isHidden else { return }
        // The text above stays behind with the page.
        terminal.usesOwnPage = isSet
        await screens?.showTop()
        if !isSet {
            display.say("the passcode is off", .success)
        } else if terminal.isDumb {
            display.say(
                "the passcode is on, but this terminal cannot be cleared: its text stays visible", .warning)
        } else {
            display.say("the passcode is on; no new text stays in the terminal", .success)
            display.say("earlier text is still in the terminal", .warning)
        }
    }

    // MARK: - Opening

    /// Asks for the passcode, in place of everything.
    func ask() {
        let terminal = display.terminal
        terminal?.clearScreen()
        if let terminal, terminal.isDumb, screens?.hasPlace == true {
            terminal.print(Array(repeating: "", count: terminal.height))
            terminal.print([StyledText("this terminal cannot be cleared: earlier text is above", .warning)])
        }
        terminal?.askSecret("Passcode: ") { [weak self] typed in
            if let typed { self?.take(typed) }
        }
    }

    private func take(_ typed: Secret) {
        guard !isTrying else { return }
        isTrying = true
        scheduler.start { [weak self] in await self?.tryToOpen(with: typed) }
    }

    private func tryToOpen(with typed: Secret) async {
        defer { isTrying = false }
        let now = time()
        guard case .store(let counted)? = gate.beginTry(at: now) else {
            let seconds = (gate.wait(at: now) + 999) / 1000
            return ask(again: "Wait \(seconds) s. ")
        }
        // A try counts before the passcode is compared, so that ending the program in between gains nothing.
        guard await memory.store(gate: counted) else { return ask(again: "The store cannot be written. ") }
        let answer = await compare(typed, gate.record)
        for action in gate.endTry(answer, at: time()) {
            switch action {
            case .store(let record): _ = await memory.store(gate: record)
            case .unlock: open()
            case .lock: break
            case .destroy(let record): return life.leave(.erased(record))
            }
        }
        if gate.isLocked { ask(again: "Wrong. ") }
    }

    private func ask(again reason: String) {
        ask()
        display.terminal?.print([StyledText(reason, .warning)])
    }

    private func open() {
        setHidden(false)
        display.terminal?.endSecret()
        display.terminal?.clearScreen()
        scheduler.enqueue { [weak self] in await self?.screens?.enter() }
    }
}
