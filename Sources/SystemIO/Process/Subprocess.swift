import CLinux
import Glibc

/// A child process whose standard output and error are read through pipes.
public struct Subprocess: ~Copyable {
    /// How a child ended.
    public enum Ending: Hashable, Sendable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// What a finished child wrote, and how it ended.
    public struct Result: Sendable {
        public let ending: Ending
        public let output: [UInt8]
        public let errors: [UInt8]
    }

    public let pid: Int32
    private let leadsGroup: Bool
    /// The reading end of the child's standard output.
    public let output: FileDescriptor
    private let errors: FileDescriptor

    /// Starts `path` with exactly these arguments (the first is the program's name) and environment. Its standard input
    /// is empty.
    ///
    /// - Parameter leadsGroup: True for a process group of its own, which cannot read from the terminal and gets no Ctrl-C. All of it
    ///   is ended if it takes too long; else all processes that the child has started and that still belong to it.
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

    /// Reads everything the child writes and waits for its end.
    ///
    /// - Parameters:
    ///   - patience: How long it may take. It is killed then, which is a ``SystemError/timedOut``.
    ///   - limit: How many bytes of output are wanted at most. Who writes more is killed, which is a ``SystemError/tooLong``; of
    ///     its errors what is more is left out.
    public consuming func finish(
        within patience: Duration? = nil, limit: Int = .max
    ) throws(SystemError) -> Result {
        let deadline = patience.map { ContinuousClock.now + $0 }
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

    /// Waits for the end of a child that writes a secret, and lends its output to `body` if it ended with 0. The memory is
    /// wiped afterwards; no copy stays.
    ///
    /// - Parameters:
    ///   - patience: How long it may take, as for ``finish(within:limit:)``.
    ///   - limit: How many bytes of output are wanted at most.
    /// - Returns: What `body` made of the output; nil if the child did not end with 0. What it wrote to its standard error, up to
    ///   the limit.
    public consuming func finish<Value>(
        within patience: Duration, limit: Int, lending body: (RawSpan) -> Value
    ) throws(SystemError) -> (ending: Ending, value: Value?, errors: [UInt8]) {
        let deadline = ContinuousClock.now + patience
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
        // Readable when the process has ended; negative where the kernel has no such thing.
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

    /// How often the end is looked for where the kernel does not tell, in milliseconds.
    private static let pollingInterval = 10.0

    /// True if the child has ended; its ending can still be asked for.
    private borrowing func hasEnded() -> Bool {
        var information = unsafe siginfo_t()
        let isKnown = unsafe waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0
        return unsafe !isKnown || information.si_signo != 0
    }

    /// Kills the child and what it has started, and says why.
    private borrowing func stopped(_ reason: Int32) throws(SystemError) -> SystemError {
        // As long as its ending was not asked for, the number is that of the child.
        if leadsGroup {
            kill(-pid, SIGKILL)
        } else {
            ProcessTree.kill(pid)
        }
        kill(pid, SIGKILL)
        _ = try Subprocess.wait(for: pid)
        return SystemError("wait for the program", number: reason)
    }

    /// Asks the child to end (SIGTERM), and waits until it has.
    public func end() throws(SystemError) {
        kill(pid, SIGTERM)
        _ = try Subprocess.wait(for: pid)
    }

    /// Waits for the end of a child that nobody reads from any more.
    public static func wait(for pid: Int32) throws(SystemError) -> Ending {
        var status: Int32 = 0
        try systemCall("wait for the program") { unsafe waitpid(pid, &status, 0) }
        return Ending(status)
    }
}

extension Subprocess.Ending {
    /// The ending that waitpid(2) reports.
    init(_ status: Int32) {
        let signal = status & 0x7f
        self = signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
    }
}

extension Subprocess {
    /// Runs a program to its end, with `input` on its standard input; its output and errors go where those of this process
    /// go. The program is found at `path`; the first argument is its name.
    public static func run(
        _ path: String, _ arguments: [String], environment: [String: String], input: [UInt8]
    ) throws(SystemError) -> Ending {
        // Not a pipe: a program that reads nothing, or late, must not keep this one waiting.
        let file = try FileDescriptor(inMemory: input)
        let pid = try Spawning.start(
            path, arguments, environment: environment, input: file.number, output: 1, errors: 2)
        return try wait(for: pid)
    }

    /// Runs a program to its end on the terminal of this process: an editor. Meanwhile the signals of the keyboard are for it
    /// alone, as they are when a shell waits.
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
    /// Runs a program to its end that talks to the user itself: it has the standard streams of this process. The program is
    /// found at `path`; the first argument is its name.
    public static func runOnTerminal(
        _ path: String, _ arguments: [String], environment: [String: String]
    ) throws(SystemError) -> Ending {
        let pid = try Spawning.start(path, arguments, environment: environment, input: 0, output: 1, errors: 2)
        return try wait(for: pid)
    }
}

/// A child process that reads what this one writes, and shares its screen: a pager.
///
/// While it runs, the signals of the keyboard are for it alone, as they are when a shell waits.
public struct ReadingProcess: ~Copyable {
    private let pid: Int32
    private let keyboard: KeyboardSignals
    /// The writing end of the child's standard input.
    public let input: FileDescriptor

    /// Starts `path` with exactly these arguments (the first is the program's name) and environment.
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

    /// Says that nothing more comes, and waits for the end of the child.
    public consuming func finish() throws(SystemError) -> Subprocess.Ending {
        let pid = pid, keyboard = keyboard
        close(input.release())
        defer { keyboard.restore() }
        return try Subprocess.wait(for: pid)
    }
}

extension FileDescriptor {
    /// A file that is in memory only, has these contents and is read from its beginning (see memfd_create(2)).
    public init(inMemory bytes: [UInt8]) throws(SystemError) {
        let number = try systemCall("lend the input") { unsafe memfd_create("input", MFD_CLOEXEC) }
        let file = FileDescriptor(owning: number)
        try file.write(bytes, "lend the input")
        try systemCall("lend the input") { lseek(number, 0, SEEK_SET) }
        self.init(owning: file.release())
    }
}
