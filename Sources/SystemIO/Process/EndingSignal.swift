import Glibc

/// The signals by which people and systems ask a process to end.
public enum EndingSignal: CaseIterable, Sendable {
    case interrupt, terminate, hangUp

    public var number: Int32 {
        switch self {
        case .interrupt: SIGINT
        case .terminate: SIGTERM
        case .hangUp: SIGHUP
        }
    }

    /// The name of the signal with this number, as kill(1) knows it.
    public static func name(of number: Int32) -> String {
        switch number {
        case SIGINT: "SIGINT"
        case SIGTERM: "SIGTERM"
        case SIGHUP: "SIGHUP"
        default: "signal \(number)"
        }
    }

    /// The numbers of those that are for this process. Whoever started it so that it ignores one, as nohup(1) and a shell's
    /// `trap` do, wants it to go on.
    public static var heeded: [Int32] { allCases.map(\.number).filter(isHeeded) }

    /// False for a signal that this process ignores.
    fileprivate static func isHeeded(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return true }
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            != unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// The signals that ask a service for something else than its end.
public enum OtherSignal {
    /// Has it read its settings again.
    public static let reload = SIGHUP
    /// Has it log its counters.
    public static let count = SIGUSR1

    /// Those that are for this process (``EndingSignal/heeded``).
    public static var heeded: [Int32] { [reload, count].filter(EndingSignal.isHeeded) }
}

/// The signals of the keyboard, which are for another process alone while that has the terminal.
struct KeyboardSignals {
    private let former: [(number: Int32, handler: __sighandler_t?)]

    /// Ignores them from now on.
    init() {
        former = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
    }

    /// Has them mean what they meant before.
    func restore() {
        for (number, handler) in former { signal(number, handler) }
    }
}
