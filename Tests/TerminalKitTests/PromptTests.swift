import Glibc
import Synchronization
import TerminalKit
import Testing

@Suite struct PromptTests {
    private let terminal: PseudoTerminal

    init() throws {
        terminal = try PseudoTerminal()
    }

    /// Asks for a secret on a thread of its own.
    private func askSecret(timeout: Duration = .seconds(30)) -> Background<[UInt8], PromptError> {
        let path = terminal.path
        return Background { () throws(PromptError) in
            try ControllingTerminal(path: path).secret("Passphrase", timeout: timeout) { bytes in
                (0..<bytes.byteCount).map { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
            }
        }
    }

    private func askYesNo() -> Background<Bool, PromptError> {
        let path = terminal.path
        return Background { () throws(PromptError) in try ControllingTerminal(path: path).confirm("Delete it?") }
    }

    /// Collects what appears until it ends with `end`.
    private func screen(until end: String) -> String {
        var seen = ""
        _ = PseudoTerminal.wait {
            seen += terminal.look()
            return seen.hasSuffix(end)
        }
        return seen
    }

    // MARK: - Secrets

    @Test func aSecretIsReadWithoutBeingShown() throws {
        #expect(terminal.showsTyping)
        let answer = askSecret()
        #expect(screen(until: "Passphrase: ") == "Passphrase: ")
        #expect(!terminal.showsTyping)
        terminal.type("hunter2 \u{fc}\n")
        #expect(try answer.outcome()?.get() == Array("hunter2 \u{fc}".utf8))
        #expect(terminal.showsTyping)
        #expect(terminal.look() == "\r\n")
    }

    @Test func input_before_question_is_discarded() throws {
        terminal.type("too early\n")
        #expect(PseudoTerminal.wait { terminal.look().hasSuffix("early\r\n") })
        let answer = askSecret()
        #expect(screen(until: "Passphrase: ") == "Passphrase: ")
        terminal.type("\n")
        #expect(try answer.outcome()?.get() == [])
    }

    @Test func aSecretCanBeCorrectedWhileItIsTyped() throws {
        let answer = askSecret()
        #expect(screen(until: ": ") == "Passphrase: ")
        terminal.type("hunter3\u{7f}2\n")
        #expect(try answer.outcome()?.get() == Array("hunter2".utf8))
    }

    @Test func theModeIsRestoredWhenInputEnds() {
        expectEnd(.ended) { terminal.type("\u{4}") }
    }

    @Test func theModeIsRestoredWhenTimeIsUp() {
        expectEnd(.timedOut, timeout: .milliseconds(50)) {}
    }

    @Test func theModeIsRestoredWhenTheLineIsTooLong() {
        expectEnd(.unusable) {
            for _ in 0..<50 { terminal.type(String(repeating: "x", count: 100)) }
            terminal.type("\n")
        }
    }

    private func expectEnd(_ error: PromptError, timeout: Duration = .seconds(30), _ act: () -> Void) {
        let before = terminal.mode
        let answer = askSecret(timeout: timeout)
        #expect(screen(until: "Passphrase: ").hasPrefix("Passphrase: "))
        act()
        #expect(throws: error) { try answer.outcome()?.get() }
        #expect(terminal.mode == before)
    }

    @Test func theModeIsRestoredBeforeASignalTakesItsCourse() throws {
        let path = terminal.path
        let thread = Mutex<pthread_t?>(nil)
        let before = terminal.mode
        let outcome = Background<Bool, PromptError> { () throws(PromptError) in
            // This thread holds the signal back itself, or it would end the tests.
            var signals = sigset_t()
            unsafe sigemptyset(&signals)
            unsafe sigaddset(&signals, SIGTERM)
            unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
            thread.withLock { $0 = pthread_self() }
            do throws(PromptError) {
                try ControllingTerminal(path: path).secret("Passphrase") { _ in }
                return false
            } catch {
                guard error == .interrupted else { throw error }
            }
            var number: Int32 = 0
            var pending = sigset_t()
            unsafe sigpending(&pending)
            let isPending = unsafe sigismember(&pending, SIGTERM) == 1
            if isPending { unsafe sigwait(&signals, &number) }
            return number == SIGTERM
        }
        #expect(screen(until: "Passphrase: ") == "Passphrase: ")
        let asking = try #require(thread.withLock { $0 })
        pthread_kill(asking, SIGTERM)
        #expect(try outcome.outcome()?.get() == true, "the signal is still there for its handler")
        #expect(terminal.mode == before)
    }

    @Test func aRawTerminalAsksToo() throws {
        var mode = termios()
        unsafe tcgetattr(terminal.user, &mode)
        unsafe cfmakeraw(&mode)
        unsafe tcsetattr(terminal.user, TCSANOW, &mode)
        let raw = terminal.mode
        let answer = askSecret()
        #expect(screen(until: "Passphrase: ") == "Passphrase: ")
        terminal.type("abc\r")
        #expect(try answer.outcome()?.get() == Array("abc".utf8))
        #expect(terminal.mode == raw)
    }

    // MARK: - Yes and no

    @Test func yesAndNo() throws {
        for (typed, expected) in [("y\n", true), ("YES\n", true), ("n\n", false), ("No\n", false), ("\n", false)] {
            let answer = askYesNo()
            #expect(screen(until: "[y/N] ").hasSuffix("Delete it? [y/N] "))
            #expect(terminal.showsTyping)
            terminal.type(typed)
            #expect(try answer.outcome()?.get() == expected)
            _ = terminal.look()
        }
    }

    @Test func invalid_answer_is_asked_again_three_times() {
        let answer = askYesNo()
        for _ in 0..<3 {
            #expect(screen(until: "[y/N] ").hasSuffix("Delete it? [y/N] "))
            terminal.type("maybe\n")
        }
        #expect(throws: PromptError.unusable) { try answer.outcome()?.get() }
    }

    // MARK: - Nobody there

    @Test func withoutATerminalNothingIsAsked() {
        for path in ["/dev/null", "/nonexistent"] {
            #expect(throws: PromptError.noTerminal) { _ = try ControllingTerminal(path: path) }
        }
        #expect(throws: PromptError.noTerminal) {
            _ = try ControllingTerminal(path: terminal.path, allowsQuestions: false)
        }
    }

    @Test func aProcessWithoutAControllingTerminalIsRefused() async {
        await #expect(processExitsWith: .exitCode(7)) {
            setsid()
            do throws(PromptError) {
                _ = try ControllingTerminal()
                exit(8)
            } catch {
                exit(error == .noTerminal ? 7 : 9)
            }
        }
    }
}
