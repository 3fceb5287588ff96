public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// A call of a contact, which waits for three minutes.
public struct CallInvitationEvent: ProfileEvent {
    public static let type = "callInvitation"
    public static let slugs = ["call.waiting"]

    public let profile: OwnProfile
    public let call: LocatedItem

    public var fields: JSONObject {
        var invitation = call.callFields(profile)
        invitation.set("callTs", call.item.time.description)
        invitation.set("media", call.item.content.call?.media.rawValue)
        // The official core has no entry for it yet.
        invitation.set("chatItem", call)
        return ["callInvitation": .object(invitation)]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        var invitation = try fields.object("callInvitation")
        return Self(profile: try invitation.required("user"), call: try invitation.required("chatItem"))
    }

    public var chat: Chat? { call.chat }
    public var notice: EventNotice? {
        EventNotice("call.waiting", call, "is calling; tacit call reject \(call.chat)")
    }
    public var trace: EventText { "\(call.chat) is calling" }
    public var effect: SessionEffect? { .callBegan(call) }
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
        EventNotice("call.accepted", call, "is informed that you accepted the call")
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
    public var notice: EventNotice? { EventNotice("call.ended", call, "is no longer calling") }
    public var trace: EventText { "\(call.chat) is no longer calling" }
    public var effect: SessionEffect? { .callEnded(call) }
}

extension LocatedItem {
    /// What all events of calls have.
    fileprivate func callFields(_ profile: OwnProfile) -> JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields.set("contact", chat.contact)
        return fields
    }
}
