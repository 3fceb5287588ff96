import Glibc
public import SystemIO

/// The controlling terminal, without regard to redirections of standard input and output.
///
/// Questions are written to it and answers read from it, never from standard input: a script that pipes data into the
/// program must not answer by accident. A question blocks its thread until an answer, the timeout, or a signal.
public struct ControllingTerminal: ~Copyable {
    private let file: FileDescriptor

    /// The default time limit for an answer.
    public static let answerTimeout = Duration.seconds(300)
    /// The largest size of a line of a terminal in bytes, with its end; the kernel drops the rest (termios(3)).
    private static let longestLine = 4096

    /// Opens the terminal.
    ///
    /// - Throws: ``PromptError/noTerminal``, also if questions are disabled (`--no-input`).
    public init(path: String = "/dev/tty", allowsQuestions: Bool = true) throws(PromptError) {
        guard allowsQuestions, let file = try? FileDescriptor(opening: path, O_RDWR | O_NOCTTY, "open the terminal"),
            Terminal(descriptor: file.number).isTerminal
        else { throw .noTerminal }
        self.file = file
    }

    /// Asks a yes-or-no question; Enter alone means no.
    ///
    /// - Throws: ``PromptError``.
    public func confirm(_ question: StyledText, timeout: Duration = answerTimeout) throws(PromptError) -> Bool {
        for _ in 0..<3 {
            let answer = try unsafe ask("\(question.text) [y/N] ", isSecret: false, timeout) { bytes in
                unsafe String(decoding: bytes, as: UTF8.self).lowercased()
            }
            switch answer {
            case "y", "yes": return true
            case "", "n", "no": return false
            default: continue
            }
        }
        throw .unusable
    }

    /// Asks for a line, which is shown while it is typed.
    ///
    /// - Throws: ``PromptError``.
    public func line(_ question: StyledText, timeout: Duration = answerTimeout) throws(PromptError) -> String {
        try unsafe ask(question.text, isSecret: false, timeout) { bytes in unsafe String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Asks for a secret, which is not shown, and lends it to `body`. Afterwards the memory is wiped and the terminal
    /// mode restored, in every case.
    ///
    /// - Throws: ``PromptError``.
    public func secret<Answer: ~Copyable>(
        _ question: StyledText, timeout: Duration = answerTimeout, _ body: (RawSpan) -> Answer
    ) throws(PromptError) -> Answer {
        try unsafe ask("\(question.text): ", isSecret: true, timeout) { bytes in unsafe body(bytes.bytes) }
    }

    // MARK: - One question

    private func ask<Answer: ~Copyable>(
        _ question: String, isSecret: Bool, _ timeout: Duration, _ body: (UnsafeRawBufferPointer) -> Answer
    ) throws(PromptError) -> Answer {
        let deadline = ContinuousClock.now + timeout
        let outcome: Result<Answer, PromptError>
        do throws(SystemError) {
            // A program that ends or stops by a signal would leave a terminal without echo.
            outcome = try SignalHold.during([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]) { signals in
                do throws(PromptError) {
                    let mode = try TerminalMode(of: file.number)
                    defer { mode.restore() }
                    try mode.readLines(showing: !isSecret)
                    return .success(try unsafe answer(to: question, signals, deadline, body))
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            throw .system(error)
        }
        return try outcome.get()
    }

    private func answer<Answer: ~Copyable>(
        to question: String, _ signals: Int32, _ deadline: ContinuousClock.Instant,
        _ body: (UnsafeRawBufferPointer) -> Answer
    ) throws(PromptError) -> Answer {
        try write(question)
        return try unsafe withUnsafeTemporaryAllocation(
            byteCount: ControllingTerminal.longestLine, alignment: 1
        ) { buffer throws(PromptError) in
            // SECURITY: the line may be a passphrase.
            defer { if let start = buffer.baseAddress { unsafe explicit_bzero(start, buffer.count) } }
            do throws(PromptError) {
                let count = try unsafe readLine(into: buffer, signals, deadline)
                return unsafe body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            } catch {
                // The next output should start on a new line.
                try? write("\n")
                throw error
            }
        }
    }

    /// Reads up to the end of a line and returns the number of bytes before it.
    private func readLine(
        into buffer: UnsafeMutableRawBufferPointer, _ signals: Int32, _ deadline: ContinuousClock.Instant
    ) throws(PromptError) -> Int {
        var filled = 0
        while true {
            try waitForInput(signals, deadline)
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = unsafe read(file.number, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { throw .ended }
            filled += count
            // A line that fills the buffer may be cut, and a part of a secret lost.
            guard filled < buffer.count else { throw .unusable }
            if unsafe buffer[filled - 1] == UInt8(ascii: "\n") { return filled - 1 }
        }
    }

    private func waitForInput(_ signals: Int32, _ deadline: ContinuousClock.Instant) throws(PromptError) {
        while true {
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            guard left > 0 else { throw .timedOut }
            var polls = [file.number, signals].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let ready = unsafe poll(&polls, 2, Int32(min(left, 60_000)) + 1)
            guard ready >= 0 || errno == EINTR else { throw .system(.last("wait for an answer")) }
            if polls[1].revents != 0 { throw .interrupted }
            if ready > 0 { return }
        }
    }

    private func write(_ text: String) throws(PromptError) {
        do throws(OutputError) {
            try Delivery.write(Array(text.utf8), to: file.number)
        } catch {
            if case .failed(let error) = error { throw .system(error) }
            throw .ended
        }
    }
}

/// The reason why a question got no answer.
public enum PromptError: Error, Hashable, Sendable {
    /// There is no terminal, or questions are disabled.
    case noTerminal
    /// The user ended the input (Ctrl-D), or the terminal has closed.
    case ended
    /// A signal arrived. It has its usual action when this error is thrown.
    case interrupted
    /// No answer arrived in time.
    case timedOut
    /// The answer was neither yes nor no three times, or exceeded the line of a terminal (4,094 bytes).
    case unusable
    /// A system call failed.
    case system(SystemError)
}
