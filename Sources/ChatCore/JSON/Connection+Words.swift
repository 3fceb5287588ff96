public import AgentProtocol
import ByteCoding
import JSONCoding

extension SwitchPhase: WordNamed {
    /// `SwitchPhase` of the API; `aborted` is this program's own, and stands in no field of the API.
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

extension SwitchPhase {
    /// A field of the API with the phase. Its clients refuse words that they do not know, so a rotation that was aborted is one that
    /// started, with a mark.
    func fields(_ name: String) -> JSONObject {
        var fields = JSONObject()
        fields.set(name, self == .aborted ? SwitchPhase.started.word : word)
        if self == .aborted { fields["aborted"] = true }
        return fields
    }

    /// Reads ``fields(_:)``.
    init(_ name: StaticText, from fields: inout JSONFields) throws(DecodeError) {
        let phase = try fields.word(name, SwitchPhase.init(word:))
        self = try fields.optionalBool("aborted") == true ? .aborted : phase
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
