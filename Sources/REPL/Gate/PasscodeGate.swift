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
            return say("'passcode set' makes a passcode first", .muted)
        }
        _ = gate.lock()
        isHidden = true
        askPasscode()
    }

    /// Hides everything if nothing was typed for as long as the user decided.
    func lockWhenIdle() {
        // What is typed in an editor is not seen here, and its screen is its own.
        guard !life.isElsewhere, let idle = gate.record.idle, idle > 0, let editor, !isHidden else { return }
        if ContinuousClock.now - editor.lastKey >= .milliseconds(idle) { lock() }
    }

    /// Takes over what a command has changed.
    func reloadGate() async {
        guard let record = try? await memory.gate() else { return }
        if gate.update(record).contains(.unlock) { show() }
        let isSet = record.passcode != nil
        guard let editor, editor.usesOwnPage != isSet, !isHidden else { return }
        // What was printed is left behind with the page.
        editor.usesOwnPage = isSet
        await showTop()
        if !isSet {
            say("no passcode is asked for any more", .success)
        } else if editor.isDumb {
            say("a passcode is asked for, but this terminal cannot be emptied: what it shows stays there", .warning)
        } else {
            say("a passcode is asked for; from now on nothing stays in the terminal", .success)
            say("what it showed before is still there", .warning)
        }
    }

    // MARK: - Opening

    /// Asks for the passcode, in place of everything.
    func askPasscode() {
        editor?.clearScreen()
        if let editor, editor.isDumb, hasPlace {
            editor.print(Array(repeating: "", count: editor.height))
            editor.print([StyledText("this terminal cannot be emptied: what it showed is above", .warning)])
        }
        editor?.askSecret("Passcode: ") { [unowned self] typed in
            assumeIsolated { if let typed { $0.take(passcode: typed) } }
        }
    }

    private func take(passcode typed: Secret) {
        guard !isTrying else { return }
        isTrying = true
        Task(executorPreference: store.loop) { await self.tryToOpen(with: typed) }
    }

    private func tryToOpen(with typed: Secret) async {
        defer { isTrying = false }
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
        editor?.endSecret()
        editor?.clearScreen()
        enqueue { await $0.enter() }
    }
}
