import CLinux
import Glibc

/// A child process beside an event loop, with a time limit.
///
/// The child leads its own process group. At its time limit all its descendants in the group end too. A Ctrl-C for this
/// process does not reach the group. All calls are on the loop's thread.
public final class GroupProcess {
    /// The end of the process.
    public enum Outcome: Hashable, Sendable {
        /// The process ended within its time limit.
        case ended(Subprocess.Ending)
        /// The process exceeded its time limit and was ended.
        case late
    }

    /// The time between the request to end and the kill.
    private static let grace = Duration.seconds(5)
    /// The interval of checks for the end, on kernels without a notification.
    private static let pollingInterval = Duration.milliseconds(20)

    /// The number of the process.
    public let pid: Int32
    private let loop: EventLoop
    private let whenEnded: (Outcome) -> Void
    /// Readable when the process has ended; nil on kernels without such a descriptor.
    private var watch: FileDescriptor?
    private var timer: Timer?
    private var isLate = false

    /// Starts `path` with exactly these arguments (the first is the program's name) and environment.
    ///
    /// - Parameters:
    ///   - input: The bytes on its standard input.
    ///   - output: The descriptor of its standard output and error.
    ///   - limit: The time after which its group gets SIGTERM, and soon afterwards SIGKILL.
    ///   - whenEnded: Called once, on the loop's thread.
    /// - Throws: ``SystemError``.
    public init(
        _ path: String, _ arguments: [String], environment: [String: String], input: [UInt8], output: Int32,
        limit: Duration, on loop: EventLoop, whenEnded: @escaping (Outcome) -> Void
    ) throws(SystemError) {
        let file = try FileDescriptor(inMemory: input)
        pid = try Spawning.start(
            path, arguments, environment: environment, input: file.number, output: output, errors: output,
            leadsGroup: true)
        self.loop = loop
        self.whenEnded = whenEnded
        timer = loop.after(limit) { self.end() }
        let number = tacit_pidfd_open(pid)
        if number >= 0 { watch = FileDescriptor(owning: number) }
        do throws(SystemError) {
            guard number >= 0 else { throw .last("wait for the program") }
            try loop.watch(number, for: .reading) { _ in self.look() }
        } catch {
            watch = nil
            poll()
        }
    }

    private func poll() {
        guard !look() else { return }
        loop.after(GroupProcess.pollingInterval) { self.poll() }
    }

    /// Checks for the end of the process and reports it. Returns true if the process has ended.
    @discardableResult
    private func look() -> Bool {
        var information = unsafe siginfo_t()
        // The process is not reaped yet: until then no other process gets its number.
        let isKnown = unsafe waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0
        let hasEnded = unsafe information.si_signo != 0
        guard hasEnded || !isKnown else { return false }
        // Descendants may ignore the first signal and outlive the process.
        if isLate { kill(-pid, SIGKILL) }
        timer?.cancel()
        if let number = watch?.number { loop.unwatch(number) }
        watch = nil
        let ending = try? Subprocess.wait(for: pid)
        whenEnded(isLate ? .late : .ended(ending ?? .signalled(SIGKILL)))
        return true
    }

    private func end() {
        isLate = true
        kill(-pid, SIGTERM)
        timer = loop.after(GroupProcess.grace) { [pid] in kill(-pid, SIGKILL) }
    }

    /// Sends SIGTERM to the group whose leader has this number, without waiting.
    public static func end(_ pid: Int32) {
        kill(-pid, SIGTERM)
    }
}

/// A process and its descendants.
enum ProcessTree {
    /// Kills a process and its descendants. A descendant whose parent has ended is not found, and continues.
    static func kill(_ root: Int32) {
        // A stopped process starts no further children.
        Glibc.kill(root, SIGSTOP)
        for child in children(of: root) { kill(child) }
        Glibc.kill(root, SIGKILL)
    }

    /// Returns the numbers of the children of a process (proc(5)).
    private static func children(of parent: Int32) -> [Int32] {
        let all = ((try? Files.names(in: "/proc")) ?? []).compactMap { Int32($0) }
        return all.filter { pid in
            guard let bytes = try? Files.read("/proc/\(pid)/stat", limit: 4096),
                // The name is in parentheses and may contain any character. The state and the parent follow.
                let end = bytes.lastIndex(of: UInt8(ascii: ")"))
            else { return false }
            let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
            return fields.count > 1 && String(decoding: fields[1], as: UTF8.self) == "\(parent)"
        }
    }
}
