public import ByteCoding
public import JSONCoding

/// A message that sets up or ends a call (`x.call.*`, chat.md 2.6).
///
/// Browsers make the descriptions of streams, which are opaque here. Unknown parameters are kept.
public struct CallMessage: Hashable, Sendable {
    /// The step of a call.
    public enum Step: Hashable, Sendable {
        /// The caller starts a call (`x.call.inv`).
        case invitation(CallInvitation)
        /// The called side accepts the call (`x.call.offer`).
        case offer(CallOffer)
        /// The caller answers the offer (`x.call.answer`).
        case answer(CallSession)
        /// An additional list of network candidates (`x.call.extra`).
        case extra(candidates: String)
        /// The call has ended or was declined (`x.call.end`).
        case end
    }

    /// The id of the call, chosen by the caller.
    public let id: SharedMessageID
    /// The step.
    public let step: Step
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a call message from its parts.
    public init(_ id: SharedMessageID, _ step: Step, otherFields: JSONObject = [:]) {
        self.id = id
        self.step = step
        self.otherFields = otherFields
    }
}

/// The media of a call.
public enum CallMedia: String, Hashable, Sendable {
    /// Sound only.
    case audio
    /// Sound and pictures.
    case video
}

/// The kind of a call.
public struct CallType: Hashable, Sendable, JSONObjectCodable {
    /// The media.
    public let media: CallMedia
    /// True if the caller can encrypt streams end to end.
    public let canEncrypt: Bool

    /// Creates a call type from its parts.
    public init(_ media: CallMedia, canEncrypt: Bool) {
        self.media = media
        self.canEncrypt = canEncrypt
    }

    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        guard let media = CallMedia(rawValue: try fields.text("media")) else { throw .invalid("media") }
        self.media = media
        var capabilities = try fields.object("capabilities")
        canEncrypt = try capabilities.bool("encryption")
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        ["media": .string(media.rawValue), "capabilities": .object(["encryption": .bool(canEncrypt)])]
    }
}

/// The invitation to a call.
public struct CallInvitation: Hashable, Sendable, JSONObjectCodable {
    /// The kind of the call.
    public let type: CallType
    /// The caller's X25519 key for the encryption of streams, as base64url of its DER form; opaque here.
    public let key: String?
    /// The unknown fields, such as versions of the key agreement, kept as received.
    public let otherFields: JSONObject

    /// Creates a call invitation from its parts.
    public init(_ type: CallType, key: String? = nil, otherFields: JSONObject = [:]) {
        self.type = type
        self.key = key
        self.otherFields = otherFields
    }

    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        type = try fields.required("callType")
        key = try fields.optionalText("callDhPubKey")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields: JSONObject = ["callType": type.json]
        fields.set("callDhPubKey", key)
        return fields.merging(otherFields)
    }
}

/// The description and network candidates of streams.
public struct CallSession: Hashable, Sendable, JSONObjectCodable {
    /// The session description, opaque here.
    public let description: String
    /// The network candidates, opaque here.
    public let candidates: String

    /// Creates a call session from its parts.
    public init(description: String, candidates: String) {
        self.description = description
        self.candidates = candidates
    }

    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        description = try fields.text("rtcSession")
        candidates = try fields.text("rtcIceCandidates")
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        ["rtcSession": .string(description), "rtcIceCandidates": .string(candidates)]
    }
}

/// The acceptance of a call by the called side.
public struct CallOffer: Hashable, Sendable, JSONObjectCodable {
    /// The kind of the call.
    public let type: CallType
    /// The description and candidates.
    public let session: CallSession
    /// The X25519 key for the encryption of streams, as base64url of its DER form; opaque here.
    public let key: String?
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a call offer from its parts.
    public init(_ type: CallType, _ session: CallSession, key: String? = nil, otherFields: JSONObject = [:]) {
        self.type = type
        self.session = session
        self.key = key
        self.otherFields = otherFields
    }

    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        type = try fields.required("callType")
        session = try fields.required("rtcSession")
        key = try fields.optionalText("callDhPubKey")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields: JSONObject = ["callType": type.json, "rtcSession": session.json]
        fields.set("callDhPubKey", key)
        return fields.merging(otherFields)
    }
}

extension CallMessage {
    /// The names of the events.
    enum Name: String {
        case invitation = "x.call.inv"
        case offer = "x.call.offer"
        case answer = "x.call.answer"
        case extra = "x.call.extra"
        case end = "x.call.end"
    }

    var name: Name {
        switch step {
        case .invitation: .invitation
        case .offer: .offer
        case .answer: .answer
        case .extra: .extra
        case .end: .end
        }
    }

    /// Reads the parameters of an event.
    ///
    /// - Throws: ``DecodeError``.
    init(_ name: Name, from fields: inout JSONFields) throws(DecodeError) {
        id = try fields.requiredID("callId")
        switch name {
        case .invitation: step = .invitation(try fields.required("invitation"))
        case .offer: step = .offer(try fields.required("offer"))
        case .answer:
            var answer = try fields.object("answer")
            step = .answer(try answer.required("rtcSession"))
        case .extra:
            var extra = try fields.object("extra")
            var inner = try extra.object("rtcExtraInfo")
            step = .extra(candidates: try inner.text("rtcIceCandidates"))
        case .end: step = .end
        }
        otherFields = fields.rest
    }

    /// The parameters of the event.
    var fields: JSONObject {
        var fields: JSONObject = ["callId": id.json]
        switch step {
        case .invitation(let invitation): fields.set("invitation", invitation)
        case .offer(let offer): fields.set("offer", offer)
        case .answer(let session): fields["answer"] = .object(["rtcSession": session.json])
        case .extra(let candidates):
            fields["extra"] = .object(["rtcExtraInfo": .object(["rtcIceCandidates": .string(candidates)])])
        case .end: break
        }
        return fields.merging(otherFields)
    }
}
