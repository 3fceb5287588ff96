import ByteCoding
import CommandKit
import Host
import Synchronization
import SystemIO
import TerminalKit

/// The log of a relay or a daemon: lines with a level, on standard error or in the file of `--log-file`.
///
/// `-q` leaves out information, `-qq` warnings too. In the journal of systemd a line begins with its priority, elsewhere with the
/// time in UTC and the name of the level.
final class ServiceLog: Sendable {
    /// The levels, with their priorities in syslog(3).
    enum Level: Int {
        case error = 3, warning = 4, info = 6

        var name: String {
            switch self {
            case .error: "error"
            case .warning: "warning"
            case .info: "info"
            }
        }
    }

    private let errors: Output
    private let path: String?
    private let isJournal: Bool
    private let least: Level
    private let file = Mutex<Held<FileDescriptor>?>(nil)

    /// - Parameter level: The lowest level that is written; that of the options if it is nil.
    init(_ invocation: Invocation, atLeast level: Level? = nil) {
        errors = invocation.errors
        path = invocation.parsed[GlobalOptions.logFile]
        isJournal = path == nil && Journal.receives(2, environment: invocation.environment)
        least = level ?? ServiceLog.least(invocation)
        reopen()
    }

    private static func least(_ invocation: Invocation) -> Level {
        switch invocation.parsed[GlobalOptions.quiet] {
        case 0: .info
        case 1: .warning
        default: .error
        }
    }

    /// Opens the file of `--log-file` again, which may have got another name. If that fails, the log goes on in the old one.
    func reopen() {
        guard let path, let new = try? Held(FileDescriptor(appendingTo: path)) else { return }
        file.withLock { $0 = new }
    }

    /// Writes why new settings were not taken over.
    func writeUnchanged(_ reason: String) {
        write(.error, "the settings are unchanged: \(reason)")
    }

    func writeUnchanged(_ reason: Reason) {
        writeUnchanged(([reason.text] + reason.why).joined(separator: ": "))
    }

    /// Writes a line. If it cannot be written, it is lost: nothing depends on it.
    ///
    /// - Parameter isAnswer: True for a line that somebody has asked for, which no level leaves out.
    func write(_ level: Level, _ text: String, isAnswer: Bool = false) {
        guard isAnswer || level.rawValue <= least.rawValue else { return }
        let now = Timestamp(milliseconds: SystemClock.milliseconds())
        let line = isJournal ? "<\(level.rawValue)>\(text)" : "\(now) \(level.name): \(text)"
        if let file = file.withLock({ $0 }) {
            try? file.use { file throws(SystemError) in try file.write(Bytes("\(line)\n".utf8), "write the log") }
        } else {
            try? errors.write(line: StyledText(line))
            try? errors.flush()
        }
    }
}
