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
        case .no: "the answer is no, or there is nothing"
        case .usage: "the command line is wrong"
        case .data: "the input is malformed: a link, an archive, JSON"
        case .noInput: "a file to read is missing or not readable"
        case .noTarget: "the contact, group, request or message is unknown or ambiguous"
        case .noHost: "the server is unknown, or its name does not resolve"
        case .unavailable: "refused for good: blocked, gone, too old, or a proxy is required but off"
        case .bug: "a mistake in this program"
        case .system: "the operating system refused"
        case .noOutput: "output cannot be created, or exists already"
        case .inputOutput: "a disk error, a full disk or a damaged store"
        case .later: "not now: timeout, network down, store in use, rate limit, still queued"
        case .protocol: "the other side broke the protocol"
        case .denied: "the key is missing or wrong, permission is denied, or a hook said no"
        case .config: "the configuration or the environment is invalid"
        case .trust: "a fingerprint or security code has changed, or integrity failed"
        case .partial: "some of several targets are done"
        }
    }
}
