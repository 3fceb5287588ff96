public import AgentProtocol
import ByteCoding
public import ChatProtocol
import JSONCoding

/// A command about calls.
public enum CallCommand: Hashable, Sendable {
    /// `/_call get 1`, `/_call get`: the calls that wait for an answer.
    case list(ProfileID?)
    /// `/_call offer @1 {"callType":{...},"rtcSession":{...}}`: takes a call up, with the description of streams that another
    /// program made.
    case offer(ChatTarget, CallOffer)
    /// `/_call reject @1`: declines; who calls is told.
    case reject(ChatTarget)
    /// `/_call end @1`: ends what there is of a call.
    case end(ChatTarget)

    /// Whether a core that was opened for reading can carry it out.
    var isReading: Bool {
        if case .list = self { true } else { false }
    }

    var text: String {
        switch self {
        case .list(let id): "/_call get\(id.map { " \($0.number)" } ?? "")"
        case .offer(let chat, let offer): "/_call offer \(chat.text) \(offer.fields.line)"
        case .reject(let chat): "/_call reject \(chat.text)"
        case .end(let chat): "/_call end \(chat.text)"
        }
    }

    /// Reads what stands behind `/_call`.
    init(from reader: inout CommandReader) throws(DecodeError) {
        switch reader.word() {
        case "get": self = .list(reader.isAtEnd ? nil : try reader.profileID())
        case "offer":
            let chat = try reader.target()
            self = .offer(chat, try CallOffer(decoding: Bytes(reader.rest().utf8)))
        case "reject": self = .reject(try reader.target())
        case "end": self = .end(try reader.target())
        default: throw .invalid("command")
        }
    }
}
