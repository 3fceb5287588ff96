/// The exit status of the program. The numbers are stable; where possible they are those of sysexits.h.
///
/// A program ended by signal n, which the shell reports as 128 + n, has none of these: it ends by the signal itself.
public enum ExitCode: Int32, Hashable, Sendable, CaseIterable {
    /// Success.
    case ok = 0
    /// A negative result: no match, or the answer no.
    case no = 1
    /// A mistake in the command line.
    case usage = 64
    /// Malformed input.
    case data = 65
    /// An input file is missing.
    case noInput = 66
    /// The target of the command does not exist.
    case noTarget = 67
    /// A host is unknown.
    case noHost = 68
    /// The other side rejected the request.
    case unavailable = 69
    /// A defect of the program.
    case bug = 70
    /// A failure of the operating system.
    case system = 71
    /// An output file cannot be created.
    case noOutput = 73
    /// A failure of reading or writing.
    case inputOutput = 74
    /// A temporary failure; a retry may succeed.
    case later = 75
    /// A violation of the protocol by the other side.
    case `protocol` = 76
    /// Missing permission.
    case denied = 77
    /// A mistake in the configuration.
    case config = 78
    /// A failed verification of an identity.
    case trust = 79
    /// Some parts succeeded and others failed.
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

    /// The meaning in one line.
    public var meaning: String {
        switch self {
        case .ok: "the promised stage was reached"
        case .no: "the answer is no, or nothing was found"
        case .usage: "invalid command line"
        case .data: "malformed input: a link, an archive, JSON"
        case .noInput: "a file to read is missing or unreadable"
        case .noTarget: "unknown or ambiguous contact, group, request, message or server"
        case .noHost: "the host name of a server does not resolve"
        case .unavailable: "refused: deleted, too old, role too low, frozen store; a retry is no help"
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
