/// How the program ends. The numbers are promised for ever; where they fit they are those of sysexits.h.
///
/// An end by signal n is seen by the shell as 128 + n and is none of these: the program then really ends by the signal.
public enum ExitCode: Int32, Hashable, Sendable, CaseIterable {
    case ok = 0
    case no = 1
    case usage = 64
    case data = 65
    case noInput = 66
    case noTarget = 67
    case noHost = 68
    case unavailable = 69
    case bug = 70
    case system = 71
    case noOutput = 73
    case inputOutput = 74
    case later = 75
    case `protocol` = 76
    case denied = 77
    case config = 78
    case trust = 79
    case partial = 80

    /// The name in the manual.
    public var name: String {
        switch self {
        case .noInput: "no input"
        case .noTarget: "no target"
        case .noHost: "no host"
        case .noOutput: "no output"
        case .inputOutput: "I/O"
        case .ok, .no, .usage, .data, .unavailable, .bug, .system, .later, .protocol, .denied, .config, .trust,
            .partial:
            "\(self)"
        }
    }

    /// What it says, in one line.
    public var meaning: String {
        switch self {
        case .ok: "the promised stage was reached"
        case .no: "the answer is no, or nothing was found"
        case .usage: "invalid command line"
        case .data: "malformed input: a link, an archive, JSON"
        case .noInput: "a file to read is missing or unreadable"
        case .noTarget: "unknown or ambiguous contact, group, request or message"
        case .noHost: "unknown server, or its name does not resolve"
        case .unavailable: "refused permanently: blocked, deleted, too old, or a proxy is required"
        case .bug: "a bug in tacit"
        case .system: "an operating system error"
        case .noOutput: "output cannot be created, or already exists"
        case .inputOutput: "a disk error, a full disk or a damaged store"
        case .later: "temporary failure: timeout, no network, store in use, rate limit, queued"
        case .protocol: "a relay or a contact violated the protocol"
        case .denied: "missing or wrong key, permission denied, or rejected by a hook"
        case .config: "invalid configuration or environment"
        case .trust: "changed fingerprint or security code, or a failed integrity check"
        case .partial: "some of several targets succeeded, others failed"
        }
    }
}
