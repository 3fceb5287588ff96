import Glibc

/// The signals that ask a process to end.
public enum EndingSignal: CaseIterable, Sendable {
    /// SIGINT, SIGTERM and SIGHUP.
    case interrupt, terminate, hangUp

    /// The number of the signal.
    public var number: Int32 {
        switch self {
        case .interrupt: SIGINT
        case .terminate: SIGTERM
        case .hangUp: SIGHUP
        }
    }

    /// Returns the name of the signal with this number, as in kill(1).
    public static func name(of number: Int32) -> String {
        switch number {
        case SIGINT: "SIGINT"
        case SIGTERM: "SIGTERM"
        case SIGHUP: "SIGHUP"
        default: "signal \(number)"
        }
    }

    /// The numbers of the signals that this process does not ignore. The parent process may ignore a signal for its
    /// child, as nohup(1) and a shell's `trap` do.
    public static var heeded: [Int32] { allCases.map(\.number).filter(isHeeded) }

    /// Returns false for a signal that this process ignores.
    fileprivate static func isHeeded(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return true }
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            != unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// The signals that control a service.
public enum OtherSignal {
    /// Requests reading the settings again.
    public static let reload = SIGHUP
    /// Requests logging the counters.
    public static let count = SIGUSR1

    /// The signals that this process does not ignore (``EndingSignal/heeded``).
    public static var heeded: [Int32] { [reload, count].filter(EndingSignal.isHeeded) }
}

/// The signals of the keyboard, ignored while another process has the terminal.
struct KeyboardSignals {
    private let former: [(number: Int32, handler: __sighandler_t?)]

    /// Ignores the signals.
    init() {
        former = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
    }

    /// Restores the former actions.
    func restore() {
        for (number, handler) in former { signal(number, handler) }
    }
}
