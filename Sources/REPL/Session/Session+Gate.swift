import ChatCore
import Commands
import CryptoCore
import Navigation
import SystemIO
import TerminalKit

/// Hiding everything until the passcode is typed.
extension Session {
    /// Hides everything now, if there is a passcode.
    func lock() {
        guard !isHidden else { return }
        guard gate.record.passcode != nil else {
            return say("tacit passcode set, in the shell, makes a passcode first", .muted)
        }
        _ = gate.lock()
        isHidden = true
        editor?.clearScreen()
        askPasscode()
    }

    /// Hides everything if nothing was typed for as long as the user decided.
    func lockWhenIdle() {
        guard let idle = gate.record.idle, idle > 0, let editor, !isHidden else { return }
        if ContinuousClock.now - editor.lastKey >= .milliseconds(idle) { lock() }
    }

    /// Takes over what a command has changed.
    func reloadGate() async {
        guard let record = try? await memory.gate() else { return }
        _ = gate.update(record)
        editor?.usesOwnPage = record.passcode != nil
    }

    // MARK: - Opening

    /// Asks for the passcode, in place of everything.
    func askPasscode() {
        editor?.clearScreen()
        editor?.askSecret("Passcode: ") { [unowned self] typed in
            assumeIsolated { $0.take(passcode: typed) }
        }
    }

    private func take(passcode typed: Secret) {
        Task(executorPreference: store.loop) { await self.tryToOpen(with: typed) }
    }

    private func tryToOpen(with typed: Secret) async {
        let now = SystemClock.milliseconds()
        guard case .store(let counted)? = gate.beginTry(at: now) else {
            let seconds = (gate.wait(at: now) + 999) / 1000
            return ask(again: "Wait \(seconds) s. ")
        }
        // A try counts before it is known what it was, so that nobody is helped by ending the program in between.
        guard await memory.store(gate: counted) else { return ask(again: "The store cannot be written. ") }
        let answer = await compare(typed, with: gate.record)
        for action in gate.endTry(answer, at: SystemClock.milliseconds()) {
            switch action {
            case .store(let record): _ = await memory.store(gate: record)
            case .unlock: show()
            case .lock: break
            case .destroy(let record): return leave(.erased(record))
            }
        }
        if gate.isLocked { ask(again: "Wrong. ") }
    }

    private func ask(again reason: String) {
        askPasscode()
        editor?.print([StyledText(reason, .warning)])
    }

    /// Works out what a typed passcode is, which takes a moment, on another thread.
    private func compare(_ typed: Secret, with record: GateRecord) async -> Gate.Answer {
        let loop = store.loop
        return await withCheckedContinuation { continuation in
            loop.offload(
                { Passcode(typed)?.answer(to: record) ?? .wrong }, then: { continuation.resume(returning: $0) })
        }
    }

    private func show() {
        isHidden = false
        editor?.clearScreen()
        enqueue { await $0.enter() }
    }
}
