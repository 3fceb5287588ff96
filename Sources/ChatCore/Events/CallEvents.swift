public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// A call of a contact, which waits for three minutes.
public struct CallInvitationEvent: ProfileEvent {
    public static let type = "callInvitation"
    public static let slugs = ["call.waiting"]

    public let profile: OwnProfile
    public let call: LocatedItem
    public var agreement = CallAgreement()

    public var fields: JSONObject { ["callInvitation": .object(call.invitation(profile, agreement))] }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        var invitation = try fields.object("callInvitation")
        return Self(
            profile: try invitation.required("user"), call: try invitation.required("chatItem"),
            agreement: try CallAgreement(from: &invitation))
    }

    public var chat: Chat? { call.chat }
    public var notice: EventNotice? {
        EventNotice("call.waiting", call, "is calling; tacit call reject \(call.chat)")
    }
    public var trace: EventText { "\(call.chat) is calling" }
    public var effect: SessionEffect? { .callBegan(call) }
}

/// The answer of a contact that was called: how its streams are reached.
public struct CallOfferedEvent: ProfileEvent {
    public static let type = "callOffer"
    public static let slugs = ["call.offered"]

    public let profile: OwnProfile
    public let call: LocatedItem
    public let callType: CallType
    public let session: CallSession
    /// The key of the streams, in base64url.
    public let sharedKey: String?
    /// Whether the user has to agree to streams without encryption.
    public let asksConfirmation: Bool

    init(
        profile: OwnProfile, call: LocatedItem, type: CallType, session: CallSession, sharedKey: String?,
        asksConfirmation: Bool
    ) {
        self.profile = profile
        self.call = call
        callType = type
        self.session = session
        self.sharedKey = sharedKey
        self.asksConfirmation = asksConfirmation
    }

    public var fields: JSONObject {
        var fields = call.callFields(profile)
        fields["callType"] = callType.json
        fields["offer"] = session.json
        fields.set("sharedKey", sharedKey)
        fields.set("askConfirmation", asksConfirmation)
        // The official core has no entry here.
        fields.set("chatItem", call)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), call: try fields.required("chatItem"),
            type: try fields.required("callType"), session: try fields.required("offer"),
            sharedKey: try fields.optionalText("sharedKey"), asksConfirmation: try fields.bool("askConfirmation"))
    }

    public var chat: Chat? { call.chat }
    public var notice: EventNotice? {
        EventNotice(
            "call.offered", call, "accepted the call",
            streams: EventNotice.CallStreams(description: session.description, candidates: session.candidates))
    }
    public var trace: EventText { "\(call.chat) accepted the call" }
}

/// A call that this side accepted.
public struct CallAcceptedEvent: ProfileEvent {
    public static let type = "callAccepted"
    public static let slugs = ["call.accepted"]

    public let profile: OwnProfile
    public let call: LocatedItem

    public var fields: JSONObject {
        var fields = call.callFields(profile)
        fields.set("chatItem", call)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), call: try fields.required("chatItem"))
    }

    public var chat: Chat? { call.chat }
    public var notice: EventNotice? {
        EventNotice("call.accepted", call, "will be told that you accepted the call")
    }
    public var trace: EventText { "accepted the call of \(call.chat)" }
    public var effect: SessionEffect? { .callEnded(call) }
}

/// The caller's answer to a call that this side accepted: how its streams are reached.
public struct CallAnsweredEvent: ProfileEvent {
    public static let type = "callAnswer"
    public static let slugs = ["call.answered"]

    public let profile: OwnProfile
    public let call: LocatedItem
    public let session: CallSession

    public var fields: JSONObject {
        var fields = call.callFields(profile)
        fields["answer"] = session.json
        // The official core has no entry here.
        fields.set("chatItem", call)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), call: try fields.required("chatItem"),
            session: try fields.required("answer"))
    }

    public var chat: Chat? { call.chat }
    public var notice: EventNotice? {
        EventNotice(
            "call.answered", call, "answered the call",
            streams: EventNotice.CallStreams(description: session.description, candidates: session.candidates))
    }
    public var trace: EventText { "\(call.chat) answered the call" }
}

/// Further ways to reach the caller.
public struct CallCandidatesEvent: ProfileEvent {
    public static let type = "callExtraInfo"
    public static let slugs = ["call.candidates"]

    public let profile: OwnProfile
    public let call: LocatedItem
    public let candidates: String

    public var fields: JSONObject {
        var fields = call.callFields(profile)
        fields["extraInfo"] = .object(["rtcIceCandidates": .string(candidates)])
        // The official core has no entry here.
        fields.set("chatItem", call)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        var extra = try fields.object("extraInfo")
        return Self(
            profile: try fields.required("user"), call: try fields.required("chatItem"),
            candidates: try extra.text("rtcIceCandidates"))
    }

    public var chat: Chat? { call.chat }
    public var notice: EventNotice? {
        EventNotice(
            "call.candidates", call, "sent more network candidates",
            streams: EventNotice.CallStreams(description: nil, candidates: candidates))
    }
    public var trace: EventText { "\(call.chat) sent more network candidates" }
}

/// A call that is over: the contact gave it up, it was declined here, or it expired.
public struct CallEndedEvent: ProfileEvent {
    public static let type = "callEnded"
    public static let slugs = ["call.ended"]

    public let profile: OwnProfile
    public let call: LocatedItem

    public var fields: JSONObject {
        var fields = call.callFields(profile)
        fields.set("chatItem", call)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), call: try fields.required("chatItem"))
    }

    public var chat: Chat? { call.chat }
    public var notice: EventNotice? { EventNotice("call.ended", call, "\(word: ending)") }
    public var trace: EventText { "\(call.chat) \(word: ending)" }
    public var effect: SessionEffect? { .callEnded(call) }

    /// How the call ended, after the name of the contact.
    private var ending: String {
        let isOwn = call.item.direction == .sent
        return switch call.item.content.call?.state {
        case .missed where isOwn: "did not answer the call"
        case .rejected where isOwn: "declined the call"
        case .rejected: "called, and you declined"
        case .ended, .accepted, .negotiated, .progress: "is no longer in a call with you"
        case .error: "could not be reached for the call"
        case .missed, .pending, nil: "is no longer calling"
        }
    }
}

extension LocatedItem {
    /// What all events of calls have.
    fileprivate func callFields(_ profile: OwnProfile) -> JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields.set("contact", chat.contact)
        return fields
    }
}
