public import AgentProtocol

extension SwitchPhase {
    /// `SwitchPhase` of the API; `aborted` is this program's own.
    public var word: String {
        switch self {
        case .started: "started"
        case .confirmed: "confirmed"
        case .secured: "secured"
        case .completed: "completed"
        case .aborted: "aborted"
        }
    }

    init?(word: String) {
        guard let value = SwitchPhase.allCases.first(where: { $0.word == word }) else { return nil }
        self = value
    }
}

extension QueueDirection {
    /// `QueueDirection` of the API.
    public var word: String {
        switch self {
        case .receiving: "rcv"
        case .sending: "snd"
        }
    }

    init?(word: String) {
        guard let value = QueueDirection.allCases.first(where: { $0.word == word }) else { return nil }
        self = value
    }
}

extension RatchetSynchronization {
    /// `RatchetSyncState` of the API.
    public var word: String {
        switch self {
        case .ok: "ok"
        case .allowed: "allowed"
        case .required: "required"
        case .started: "started"
        case .agreed: "agreed"
        }
    }

    init?(word: String) {
        guard let value = RatchetSynchronization.allCases.first(where: { $0.word == word }) else { return nil }
        self = value
    }
}

extension ConnectionProblem {
    init?(word: String) {
        guard let value = ConnectionProblem.allCases.first(where: { $0.word == word }) else { return nil }
        self = value
    }
}
