public import AgentProtocol

extension SwitchPhase: WordNamed {
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
}

extension QueueDirection: WordNamed {
    /// `QueueDirection` of the API.
    public var word: String {
        switch self {
        case .receiving: "rcv"
        case .sending: "snd"
        }
    }
}

extension RatchetSynchronization: WordNamed {
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
}

extension ConnectionProblem: WordNamed {}
