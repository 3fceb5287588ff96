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

    /// The numbers of those that are for this process. Whoever started it so that it ignores one, as nohup(1) and a shell's
    /// `trap` do, wants it to go on.
    public static var heeded: [Int32] {
        allCases.map(\.number).filter { number in
            var action = sigaction()
            guard unsafe sigaction(number, nil, &action) == 0 else { return true }
            return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                != unsafeBitCast(SIG_IGN, to: Int.self)
        }
    }
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
