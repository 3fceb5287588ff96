public import ByteCoding
public import JSONCoding

/// What both sides of a call tell each other before there is sound, and when it ends (`x.call.*`).
///
/// Descriptions of streams are made by browsers and opaque here. Parameters that are not known are kept.
public struct CallMessage: Hashable, Sendable {
    /// Which event it is.
    public enum Step: Hashable, Sendable {
        /// Somebody calls (`x.call.inv`).
        case invitation(CallInvitation)
        /// The one who is called takes it up (`x.call.offer`).
        case offer(CallOffer)
        /// The caller agrees (`x.call.answer`).
        case answer(CallSession)
        /// Further ways to reach each other (`x.call.extra`).
        case extra(candidates: String)
        /// It is over, or not wanted (`x.call.end`).
        case end
    }

    /// The call, in the words of the one who calls.
    public let id: SharedMessageID
    public let step: Step
    /// What is not known here.
    public let otherFields: JSONObject

    public init(_ id: SharedMessageID, _ step: Step, otherFields: JSONObject = [:]) {
        self.id = id
        self.step = step
        self.otherFields = otherFields
    }
}

/// What is to be heard or seen.
public enum CallMedia: String, Hashable, Sendable {
    case audio
    case video
}

/// The kind of a call.
public struct CallType: Hashable, Sendable, JSONObjectCodable {
    public let media: CallMedia
    /// Whether the caller can encrypt streams end to end.
    public let canEncrypt: Bool

    public init(_ media: CallMedia, canEncrypt: Bool) {
        self.media = media
        self.canEncrypt = canEncrypt
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        guard let media = CallMedia(rawValue: try fields.text("media")) else { throw .invalid("media") }
        self.media = media
        var capabilities = try fields.object("capabilities")
        canEncrypt = try capabilities.bool("encryption")
    }

    public var fields: JSONObject {
        ["media": .string(media.rawValue), "capabilities": .object(["encryption": .bool(canEncrypt)])]
    }
}

/// Somebody calls.
public struct CallInvitation: Hashable, Sendable, JSONObjectCodable {
    public let type: CallType
    /// The X25519 key of the caller for the key of the streams, in base64url of its DER form; opaque here.
    public let key: String?
    /// What is not known here: versions of the key agreement, and others.
    public let otherFields: JSONObject

    public init(_ type: CallType, key: String? = nil, otherFields: JSONObject = [:]) {
        self.type = type
        self.key = key
        self.otherFields = otherFields
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        type = try fields.required("callType")
        key = try fields.optionalText("callDhPubKey")
        otherFields = fields.rest
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["callType": type.json]
        fields.set("callDhPubKey", key)
        return fields.merging(otherFields)
    }
}

/// How streams are reached and what they are.
public struct CallSession: Hashable, Sendable, JSONObjectCodable {
    public let description: String
    public let candidates: String

    public init(description: String, candidates: String) {
        self.description = description
        self.candidates = candidates
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        description = try fields.text("rtcSession")
        candidates = try fields.text("rtcIceCandidates")
    }

    public var fields: JSONObject {
        ["rtcSession": .string(description), "rtcIceCandidates": .string(candidates)]
    }
}

/// The one who is called takes the call up.
public struct CallOffer: Hashable, Sendable, JSONObjectCodable {
    public let type: CallType
    public let session: CallSession
    public let key: String?
    /// What is not known here.
    public let otherFields: JSONObject

    public init(_ type: CallType, _ session: CallSession, key: String? = nil, otherFields: JSONObject = [:]) {
        self.type = type
        self.session = session
        self.key = key
        self.otherFields = otherFields
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        type = try fields.required("callType")
        session = try fields.required("rtcSession")
        key = try fields.optionalText("callDhPubKey")
        otherFields = fields.rest
    }

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

    /// The parameters on the wire.
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
