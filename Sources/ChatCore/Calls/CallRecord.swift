import ByteCoding
public import ChatProtocol
import JSONCoding

/// What is remembered of a call. This program carries neither sound nor pictures: it says who called, and can decline.
public struct CallRecord: Hashable, Sendable {
    /// What became of it. The words are those of the reference implementation.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// Somebody waits for an answer.
        case pending
        /// Nobody answered in time.
        case missed
        /// This side declined.
        case rejected
        /// It is over.
        case ended
    }

    public let media: CallMedia
    public let state: State
    /// The call, in the words of who calls.
    let id: SharedMessageID
    /// How long people spoke, in seconds; 0 for who did not.
    public let duration: Int64

    /// For how long a caller waits. Source: the reference implementation.
    static let patience = Duration.seconds(180)

    init(_ media: CallMedia, _ state: State, id: SharedMessageID, duration: Int64 = 0) {
        self.media = media
        self.state = state
        self.id = id
        self.duration = duration
    }

    /// The same call, as it has become.
    func becoming(_ state: State) -> CallRecord {
        CallRecord(media, state, id: id, duration: duration)
    }

    /// What stands in a conversation.
    var plainText: String {
        switch state {
        case .pending: "\(media.rawValue) call: waiting for an answer"
        case .missed: "missed \(media.rawValue) call"
        case .rejected: "declined \(media.rawValue) call"
        case .ended: "\(media.rawValue) call, \(duration) s"
        }
    }
}

// MARK: - Storage

extension CallRecord {
    /// As it stands in the database.
    var text: String {
        let fields: JSONObject = [
            "media": .string(media.rawValue), "state": .string(state.rawValue),
            "call": .string(Base64URL.encode(id.bytes)), "duration": .integer(duration),
        ]
        return fields.line
    }

    init?(text: String) {
        guard var fields = try? JSONFields(decoding: Bytes(text.utf8)),
            let media = (try? fields.text("media")).flatMap(CallMedia.init(rawValue:)),
            let state = (try? fields.text("state")).flatMap(State.init(rawValue:)),
            let id = (try? fields.optionalBytes("call")) ?? nil, id.count < 256,
            let duration = try? fields.integer("duration")
        else { return nil }
        self.init(media, state, id: SharedMessageID(id), duration: duration)
    }
}
