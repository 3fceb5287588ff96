import CLinux
import Glibc

/// A child process beside an event loop, which takes only so long.
///
/// It leads a process group of its own: when its time is over, everything that it has started ends with it, and a Ctrl-C that
/// is meant for this process does not reach it.
public final class GroupProcess {
    /// What became of it.
    public enum Outcome: Hashable, Sendable {
        case ended(Subprocess.Ending)
        /// It was still running when its time was over, and has been ended.
        case late
    }

    /// How long those that are asked to end may take for it.
    private static let grace = Duration.seconds(5)
    /// How often the end is looked for where the system does not tell.
    private static let pollingInterval = Duration.milliseconds(20)

    public let pid: Int32
    private let loop: EventLoop
    private let whenEnded: (Outcome) -> Void
    /// Readable when the process has ended; nil where the kernel has no such thing.
    private var watch: FileDescriptor?
    private var timer: Timer?
    private var isLate = false

    /// Starts `path` with exactly these arguments (the first is the program's name) and environment.
    ///
    /// - Parameters:
    ///   - input: What it finds on its standard input.
    ///   - output: The descriptor to which its standard output and error go.
    ///   - limit: The time after which its group is asked to end (SIGTERM), and soon after forced to (SIGKILL).
    ///   - whenEnded: Called once, on the loop's thread.
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

    /// Whether the process has ended, which is reported then.
    @discardableResult
    private func look() -> Bool {
        var information = unsafe siginfo_t()
        // Left as it is for the moment: as long as nobody has asked for the ending, nobody else gets the number.
        let isKnown = unsafe waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0
        let hasEnded = unsafe information.si_signo != 0
        guard hasEnded || !isKnown else { return false }
        // What the process has started may ignore the first signal, and outlive the process.
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

    /// Asks a group to end whose leader has this number, and does not wait for it.
    public static func end(_ pid: Int32) {
        kill(-pid, SIGTERM)
    }
}

/// A process and those that it has started.
enum ProcessTree {
    /// Kills a process and its descendants. A process whose parent has ended belongs to nobody, and goes on.
    static func kill(_ root: Int32) {
        // Who stands still starts nothing meanwhile.
        Glibc.kill(root, SIGSTOP)
        for child in children(of: root) { kill(child) }
        Glibc.kill(root, SIGKILL)
    }

    /// The numbers of the processes that a process has started, as proc(5) knows them.
    private static func children(of parent: Int32) -> [Int32] {
        let all = ((try? Files.names(in: "/proc")) ?? []).compactMap { Int32($0) }
        return all.filter { pid in
            guard let bytes = try? Files.read("/proc/\(pid)/stat", limit: 4096),
                // The name stands in parentheses and may hold anything; behind it come the state and the parent.
                let end = bytes.lastIndex(of: UInt8(ascii: ")"))
            else { return false }
            let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
            return fields.count > 1 && String(decoding: fields[1], as: UTF8.self) == "\(parent)"
        }
    }
}
