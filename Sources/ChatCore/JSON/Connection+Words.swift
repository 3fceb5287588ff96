public import AgentProtocol
import ByteCoding
import JSONCoding

extension ContactConnection.Status {
    /// `ConnStatus` of the API.
    var json: JSONValue {
        let word = self == .sendReady ? ContactConnection.Status.sendReadyWord : rawValue
        // The official core tells the reason, which is not kept here.
        return .object(self == .failed ? ["type": .string(word), "connError": ""] : ["type": .string(word)])
    }

    /// Reads a `ConnStatus`.
    init(_ name: StaticText, from fields: inout JSONFields) throws(DecodeError) {
        var status = try fields.object(name)
        self = try status.word("type") {
            $0 == ContactConnection.Status.sendReadyWord ? .sendReady : ContactConnection.Status(rawValue: $0)
        }
    }

    private static let sendReadyWord = "sndReady"
}

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
