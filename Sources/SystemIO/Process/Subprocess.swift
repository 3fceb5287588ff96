import CLinux
import Glibc

/// A child process whose standard output and error are read through pipes.
public struct Subprocess: ~Copyable {
    /// The end of a child.
    public enum Ending: Hashable, Sendable {
        /// The child exited with this status.
        case exited(Int32)
        /// The child was killed by this signal.
        case signalled(Int32)
    }

    /// The output of a finished child and its end.
    public struct Result: Sendable {
        /// The end of the child.
        public let ending: Ending
        /// The standard output.
        public let output: [UInt8]
        /// The standard error.
        public let errors: [UInt8]
    }

    /// The number of the process.
    public let pid: Int32
    private let leadsGroup: Bool
    /// The reading end of the child's standard output.
    public let output: FileDescriptor
    private let errors: FileDescriptor

    /// Starts `path` with exactly these arguments (the first is the program's name) and environment. The standard input
    /// is empty.
    ///
    /// - Parameter leadsGroup: True for a separate process group, which cannot read from the terminal and gets no
    ///   Ctrl-C. The whole group is ended at the timeout; otherwise all descendants of the child that can be found.
    /// - Throws: ``SystemError``.
    public init(
        _ path: String, _ arguments: [String], environment: [String: String], leadsGroup: Bool = false
    ) throws(SystemError) {
        self.leadsGroup = leadsGroup
        let (outputReader, outputWriter) = try Pipe.make()
        let (errorReader, errorWriter) = try Pipe.make()
        defer {
            close(outputWriter)
            close(errorWriter)
        }
        do throws(SystemError) {
            pid = try Spawning.start(
                path, arguments, environment: environment, input: nil, output: outputWriter, errors: errorWriter,
                leadsGroup: leadsGroup)
        } catch {
            close(outputReader)
            close(errorReader)
            throw error
        }
        output = FileDescriptor(owning: outputReader)
        errors = FileDescriptor(owning: errorReader)
    }

    /// Reads the output of the child and waits for its end. Blocks.
    ///
    /// - Parameters:
    ///   - timeout: The time limit, after which the child is killed.
    ///   - limit: The largest output in bytes, above which the child is killed. Excess errors are left out.
    /// - Throws: ``SystemError``, with ``SystemError/timedOut`` or ``SystemError/tooLong``.
    public consuming func finish(
        within timeout: Duration? = nil, limit: Int = .max
    ) throws(SystemError) -> Result {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        var collected: [[UInt8]] = [[], []]
        var open = [output.number, errors.number]
        while open.contains(where: { $0 >= 0 }) {
            var polls = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let count = nfds_t(polls.count)
            let rest = deadline.map { Int32(min(max(($0 - .now) / .milliseconds(1), 0), 60_000).rounded(.up)) }
            try systemCall("wait for the program") { unsafe poll(&polls, count, rest ?? -1) }
            if rest == 0 { throw try stopped(SystemError.timedOut) }
            for index in 0..<2 where polls[index].revents != 0 {
                let part = index == 0 ? try output.read(65536) : try errors.read(65536)
                collected[index] += part.prefix(index == 0 ? .max : limit - collected[index].count)
                if part.isEmpty { open[index] = -1 }
            }
            if collected[0].count > limit { throw try stopped(SystemError.tooLong) }
        }
        return Result(ending: try ended(by: deadline), output: collected[0], errors: collected[1])
    }

    /// Waits for the end of a child that prints a secret, and lends the output to `body` if the status is 0. The memory
    /// is wiped afterwards; no copy remains.
    ///
    /// - Parameters:
    ///   - timeout: The time limit, as for ``finish(within:limit:)``.
    ///   - limit: The largest output in bytes.
    /// - Returns: The value of `body`, or nil for another status, and the standard error up to the limit.
    public consuming func finish<Value>(
        within timeout: Duration, limit: Int, lending body: (RawSpan) -> Value
    ) throws(SystemError) -> (ending: Ending, value: Value?, errors: [UInt8]) {
        let deadline = ContinuousClock.now + timeout
        var said: [UInt8] = [], value: Value?, ending = Ending.exited(0)
        let secret = UnsafeMutableRawBufferPointer.allocate(byteCount: limit + 1, alignment: 16)
        defer {
            if let start = secret.baseAddress { unsafe explicit_bzero(start, secret.count) }
            unsafe secret.deallocate()
        }
        var filled = 0, open = [output.number, errors.number]
        while open.contains(where: { $0 >= 0 }) {
            var polls = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let rest = Int32(min(max((deadline - .now) / .milliseconds(1), 0), 60_000).rounded(.up))
            try systemCall("wait for the program") { unsafe poll(&polls, 2, rest) }
            if rest == 0 { throw try stopped(SystemError.timedOut) }
            if polls[0].revents != 0 {
                let number = output.number, room = unsafe UnsafeMutableRawBufferPointer(rebasing: secret[filled...])
                let count = try systemCall("read") { unsafe read(number, room.baseAddress, room.count) }
                filled += count
                if count == 0 { open[0] = -1 }
                if filled > limit { throw try stopped(SystemError.tooLong) }
            }
            if polls[1].revents != 0 {
                let part = try errors.read(65536)
                said += part.prefix(limit - said.count)
                if part.isEmpty { open[1] = -1 }
            }
        }
        ending = try ended(by: deadline)
        if ending == .exited(0) { value = unsafe body(UnsafeRawBufferPointer(rebasing: secret[..<filled]).bytes) }
        return (ending, value, said)
    }

    /// Waits for the end of the child, which may have closed its output long before.
    private borrowing func ended(by deadline: ContinuousClock.Instant?) throws(SystemError) -> Ending {
        guard let deadline else { return try Subprocess.wait(for: pid) }
        // Readable when the process has ended; negative on kernels without such a descriptor.
        let watch = FileDescriptor(owning: tacit_pidfd_open(pid))
        while !hasEnded() {
            let rest = (deadline - .now) / .milliseconds(1)
            guard rest > 0 else { throw try stopped(SystemError.timedOut) }
            let most = watch.number >= 0 ? 60_000 : Subprocess.pollingInterval
            var polls = pollfd(fd: watch.number, events: Int16(POLLIN), revents: 0)
            try systemCall("wait for the program") { unsafe poll(&polls, 1, Int32(min(rest.rounded(.up), most))) }
        }
        return try Subprocess.wait(for: pid)
    }

    /// The interval of checks for the end, on kernels without a notification, in milliseconds.
    private static let pollingInterval = 10.0

    /// Returns true if the child has ended; it can still be reaped.
    private borrowing func hasEnded() -> Bool {
        var information = unsafe siginfo_t()
        let isKnown = unsafe waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0
        return unsafe !isKnown || information.si_signo != 0
    }

    /// Kills the child and its descendants, and returns the error.
    private borrowing func stopped(_ reason: Int32) throws(SystemError) -> SystemError {
        // Until the child is reaped, no other process has its number.
        if leadsGroup {
            kill(-pid, SIGKILL)
        } else {
            ProcessTree.kill(pid)
        }
        kill(pid, SIGKILL)
        _ = try Subprocess.wait(for: pid)
        return SystemError("wait for the program", number: reason)
    }

    /// Sends SIGTERM to the child and waits for its end.
    ///
    /// - Throws: ``SystemError``.
    public func end() throws(SystemError) {
        kill(pid, SIGTERM)
        _ = try Subprocess.wait(for: pid)
    }

    /// Waits for the end of a child without reading its output.
    ///
    /// - Throws: ``SystemError``.
    public static func wait(for pid: Int32) throws(SystemError) -> Ending {
        var status: Int32 = 0
        try systemCall("wait for the program") { unsafe waitpid(pid, &status, 0) }
        return Ending(status)
    }
}

extension Subprocess.Ending {
    /// Creates the ending from a status of waitpid(2).
    init(_ status: Int32) {
        let signal = status & 0x7f
        self = signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
    }
}

extension Subprocess {
    /// Runs a program with `input` on its standard input and waits for its end. Its output and errors are those of this
    /// process. `path` is the program; the first argument is its name.
    ///
    /// - Throws: ``SystemError``.
    public static func run(
        _ path: String, _ arguments: [String], environment: [String: String], input: [UInt8]
    ) throws(SystemError) -> Ending {
        // Not a pipe: a program that does not read, or reads late, must not block this one.
        let file = try FileDescriptor(inMemory: input)
        let pid = try Spawning.start(
            path, arguments, environment: environment, input: file.number, output: 1, errors: 2)
        return try wait(for: pid)
    }

    /// Runs a program, such as an editor, on the terminal of this process and waits for its end. Meanwhile this process
    /// ignores the signals of the keyboard, as a shell does.
    ///
    /// - Throws: ``SystemError``.
    public static func run(
        _ path: String, _ arguments: [String], environment: [String: String]
    ) throws(SystemError) -> Ending {
        let pid = try Spawning.start(path, arguments, environment: environment, input: 0, output: 1, errors: 2)
        let keyboard = KeyboardSignals()
        defer { keyboard.restore() }
        return try wait(for: pid)
    }
}

extension Subprocess {
    /// Runs an interactive program with the standard streams of this process and waits for its end. `path` is the
    /// program; the first argument is its name.
    ///
    /// - Throws: ``SystemError``.
    public static func runOnTerminal(
        _ path: String, _ arguments: [String], environment: [String: String]
    ) throws(SystemError) -> Ending {
        let pid = try Spawning.start(path, arguments, environment: environment, input: 0, output: 1, errors: 2)
        return try wait(for: pid)
    }
}

/// A child process that reads the output of this one on the same terminal: a pager.
///
/// Meanwhile this process ignores the signals of the keyboard, as a shell does.
public struct ReadingProcess: ~Copyable {
    private let pid: Int32
    private let keyboard: KeyboardSignals
    /// The writing end of the child's standard input.
    public let input: FileDescriptor

    /// Starts `path` with exactly these arguments (the first is the program's name) and environment.
    ///
    /// - Throws: ``SystemError``.
    public init(_ path: String, _ arguments: [String], environment: [String: String]) throws(SystemError) {
        let (reader, writer) = try Pipe.make()
        defer { close(reader) }
        do throws(SystemError) {
            pid = try Spawning.start(path, arguments, environment: environment, input: reader, output: 1, errors: 2)
        } catch {
            close(writer)
            throw error
        }
        input = FileDescriptor(owning: writer)
        keyboard = KeyboardSignals()
    }

    /// Closes the child's input and waits for its end.
    ///
    /// - Throws: ``SystemError``.
    public consuming func finish() throws(SystemError) -> Subprocess.Ending {
        let pid = pid, keyboard = keyboard
        close(input.release())
        defer { keyboard.restore() }
        return try Subprocess.wait(for: pid)
    }
}

extension FileDescriptor {
    /// Creates a file in memory with this content, positioned at its start (memfd_create(2)).
    ///
    /// - Throws: ``SystemError``.
    public init(inMemory bytes: [UInt8]) throws(SystemError) {
        let number = try systemCall("lend the input") { unsafe memfd_create("input", MFD_CLOEXEC) }
        let file = FileDescriptor(owning: number)
        try file.write(bytes, "lend the input")
        try systemCall("lend the input") { lseek(number, 0, SEEK_SET) }
        self.init(owning: file.release())
    }
}
