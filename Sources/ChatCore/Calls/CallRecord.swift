import ByteCoding
public import ChatProtocol
import JSONCoding

/// A call in a conversation, and its state.
public struct CallRecord: Hashable, Sendable {
    /// The state of a call. The words are those of the reference implementation.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The caller waits for an answer.
        case pending
        /// It was not answered in time.
        case missed
        /// This side declined.
        case rejected
        /// Who was called took it up; the caller has not answered.
        case accepted
        /// Both know how to reach each other.
        case negotiated
        /// People speak.
        case progress
        /// It is over.
        case ended
        /// The streams failed.
        case error
    }

    public let media: CallMedia
    /// Whether the caller can encrypt the streams end to end.
    public let canEncrypt: Bool
    public let state: State
    /// The call, in the words of who calls.
    let id: SharedMessageID
    /// How long people spoke, in seconds; 0 for who did not.
    public let duration: Int64
    /// The key of the caller for the streams, as it came.
    public let key: String?
    /// When people began to speak.
    let begunAt: Timestamp?

    /// How long a caller waits for an answer. Source: the reference implementation.
    static let timeout = Duration.seconds(180)

    init(
        _ media: CallMedia, _ state: State, id: SharedMessageID, canEncrypt: Bool = true, duration: Int64 = 0,
        key: String? = nil, begunAt: Timestamp? = nil
    ) {
        self.canEncrypt = canEncrypt
        self.key = key
        self.begunAt = begunAt
        self.media = media
        self.state = state
        self.id = id
        self.duration = duration
    }

    /// The stage of the call in its negotiation, for this side.
    func stage(_ direction: ChatItem.Direction) -> CallStage {
        switch (state, direction) {
        case (.pending, .sent), (.missed, .sent): .invitationSent
        case (.pending, .received), (.missed, .received), (.rejected, _): .invitationReceived
        case (.accepted, .sent): .offerReceived
        case (.accepted, .received): .offerSent
        case (.negotiated, _), (.progress, _), (.ended, _), (.error, _): .negotiated
        }
    }

    /// True if the call was accepted and is not over.
    var isActive: Bool { state == .accepted || state == .negotiated || state == .progress }

    /// What the caller says first.
    var invitation: CallInvitation { CallInvitation(CallType(media, canEncrypt: canEncrypt), key: key) }

    /// The same call, as it has become.
    func becoming(_ state: State, at time: Timestamp) -> CallRecord {
        let begins = state == .progress && self.state != .progress || state == .negotiated && begunAt == nil
        let begunAt = begins ? time : begunAt
        let spoken = begunAt.map { max(0, time.seconds - $0.seconds) } ?? 0
        return CallRecord(
            media, state, id: id, canEncrypt: canEncrypt, duration: state == .ended ? spoken : duration, key: key,
            begunAt: begunAt)
    }

    /// The text in a conversation.
    var plainText: String {
        switch state {
        case .pending: "\(media.rawValue) call: waiting for an answer"
        case .missed: "missed \(media.rawValue) call"
        case .rejected: "declined \(media.rawValue) call"
        case .accepted: "\(media.rawValue) call: accepted, waiting for the caller"
        case .negotiated, .progress: "\(media.rawValue) call: in progress"
        case .error: "\(media.rawValue) call: failed"
        case .ended: "\(media.rawValue) call, \(duration) s"
        }
    }
}

// MARK: - Storage

extension CallRecord {
    /// As it stands in the database.
    var text: String {
        var fields: JSONObject = [
            "media": .string(media.rawValue), "state": .string(state.rawValue),
            "call": .string(Base64URL.encode(id.bytes)), "duration": .integer(duration),
        ]
        if !canEncrypt { fields["encrypts"] = false }
        fields.set("key", key)
        fields.set("begun", begunAt?.milliseconds)
        return fields.line
    }

    init?(text: String) {
        guard var fields = try? JSONFields(decoding: Bytes(text.utf8)),
            let media = (try? fields.text("media")).flatMap(CallMedia.init(rawValue:)),
            let state = (try? fields.text("state")).flatMap(State.init(rawValue:)),
            let id = ((try? fields.optionalBytes("call")) ?? nil).flatMap(SharedMessageID.init(stored:)),
            let duration = try? fields.integer("duration")
        else { return nil }
        let begun = (try? fields.optionalInteger("begun")) ?? nil
        self.init(
            media, state, id: id, canEncrypt: (try? fields.optionalBool("encrypts")) ?? nil ?? true,
            duration: duration, key: (try? fields.optionalText("key")) ?? nil,
            begunAt: begun.map { Timestamp(milliseconds: $0) })
    }
}
