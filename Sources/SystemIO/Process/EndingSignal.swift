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
}
