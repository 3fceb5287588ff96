public import ByteCoding
import ChatProtocol
public import JSONCoding

/// A contact that was made, while the handshake goes on.
public struct ContactConnectingEvent: ContactEvent {
    public static let type = "contactConnecting"
    public static let slugs = ["contact.connecting"]

    public let profile: OwnProfile
    public let contact: Contact

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), contact: try fields.required("contact"))
    }

    public var notice: EventNotice? { EventNotice("contact.connecting", contact, "is connecting") }
    public var trace: EventText { "\(contact) is connecting" }
}

/// A contact that messages can be sent to, while the handshake goes on.
public struct ContactSendReadyEvent: ContactEvent {
    public static let type = "contactSndReady"

    public let profile: OwnProfile
    public let contact: Contact

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), contact: try fields.required("contact"))
    }

    public var trace: EventText { "\(contact) can be written to" }
}

/// A contact with which both sides can send.
public struct ContactConnectedEvent: ContactEvent {
    public static let type = "contactConnected"
    public static let slugs = ["contact.connected"]

    public let profile: OwnProfile
    public let contact: Contact

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "contact": contact.json]
        fields.set("userCustomProfile", contact.connection?.incognito)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), contact: try fields.required("contact"))
    }

    public var hooks: [HookTrigger] { [HookTrigger(.onConnected)] }
    public var notice: EventNotice? { EventNotice("contact.connected", contact, "is connected") }
    public var trace: EventText { "\(contact) is connected" }
}

/// Two contacts that turned out to be one person, and are one contact now.
public struct ContactsMergedEvent: ProfileEvent {
    public static let type = "contactsMerged"
    public static let slugs = ["contact.merged"]

    public let profile: OwnProfile
    /// The contact whose name stays, as it was.
    public let contact: Contact
    /// The other one, as it was.
    public let former: Contact
    public let merged: Contact

    public var chat: Chat? { .direct(merged) }
    public var fields: JSONObject {
        [
            "user": profile.json, "intoContact": contact.json, "mergedContact": former.json,
            "updatedContact": merged.json,
        ]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), contact: try fields.required("intoContact"),
            former: try fields.required("mergedContact"), merged: try fields.required("updatedContact"))
    }

    public var notice: EventNotice? {
        EventNotice("contact.merged", merged, "was merged with \(former)")
    }
    public var trace: EventText { "\(former) is merged into \(merged)" }
}

/// A request to become a contact.
public struct RequestReceivedEvent: ProfileEvent {
    public static let type = "receivedContactRequest"
    public static let slugs = ["request.received"]

    public let profile: OwnProfile
    public let request: ReceivedRequest

    public var fields: JSONObject {
        ["user": profile.json, "contactRequest": request.json, "chat_": request.chatJSON]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), request: try fields.required("contactRequest"))
    }

    public var hooks: [HookTrigger] { [HookTrigger(.onRequest)] }
    public var notice: EventNotice? {
        EventNotice("request.received", request, "sent a contact request; tacit accept, or tacit reject")
    }
    public var trace: EventText { "new contact request" }
    public var effect: SessionEffect? { .requestReceived(request) }
}

/// A request that the address accepts by itself.
public struct RequestAcceptingEvent: ContactEvent {
    public static let type = "acceptingContactRequest"
    public static let slugs = ["request.accepting"]

    public let profile: OwnProfile
    public let contact: Contact

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), contact: try fields.required("contact"))
    }

    public var notice: EventNotice? { EventNotice("request.accepting", contact, "is being accepted") }
    public var trace: EventText { "accepting \(contact)" }
}

/// A request of somebody who is a contact already.
public struct RequestRepeatedEvent: ContactEvent {
    public static let type = "contactRequestAlreadyAccepted"
    public static let slugs = ["request.repeated"]

    public let profile: OwnProfile
    public let contact: Contact

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), contact: try fields.required("contact"))
    }

    public var notice: EventNotice? {
        EventNotice("request.repeated", contact, "sent a contact request again, but is already a contact")
    }
    public var trace: EventText { "\(contact) sent a contact request again" }
}

/// A contact that deleted this side. The conversation has a notice of it.
public struct ContactLeftEvent: ContactEvent {
    public static let type = "contactDeletedByContact"

    public let profile: OwnProfile
    public let contact: Contact

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), contact: try fields.required("contact"))
    }

    public var trace: EventText { "\(contact) deleted this contact" }
}

/// A contact with another profile.
public struct ContactUpdatedEvent: ProfileEvent {
    public static let type = "contactUpdated"
    public static let slugs = ["contact.updated"]

    public let profile: OwnProfile
    public let former: Contact
    public let contact: Contact

    public var fields: JSONObject {
        ["user": profile.json, "fromContact": former.json, "toContact": contact.json]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), former: try fields.required("fromContact"),
            contact: try fields.required("toContact"))
    }

    public var chat: Chat? { .direct(contact) }
    public var notice: EventNotice? { EventNotice("contact.updated", contact, "has a new profile") }
    public var trace: EventText { "\(contact) has a new profile" }
}

/// Post-quantum keys that protect both directions from now on, or no longer.
public struct PostQuantumEvent: ProfileEvent {
    public static let type = "contactPQEnabled"
    public static let slugs = ["contact.post-quantum-on", "contact.post-quantum-off"]

    public let profile: OwnProfile
    public let contact: Contact
    public let isOn: Bool

    public var fields: JSONObject {
        ["user": profile.json, "contact": contact.json, "pqEnabled": .bool(isOn)]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), contact: try fields.required("contact"),
            isOn: try fields.bool("pqEnabled"))
    }

    public var chat: Chat? { .direct(contact) }
    public var notice: EventNotice? {
        isOn
            ? EventNotice("contact.post-quantum-on", contact, "now has quantum-resistant encryption")
            : EventNotice("contact.post-quantum-off", contact, "no longer has quantum-resistant encryption")
    }
    public var trace: EventText { "\(contact): post-quantum keys \(word: isOn ? "on" : "off")" }
}

/// A profile that shows something else at first, see ``OwnProfile/home``.
public struct HomeChangedEvent: ProfileEvent {
    public static let type = "homeChanged"

    public let profile: OwnProfile

    public var fields: JSONObject { ["user": profile.json] }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"))
    }

    public var trace: EventText { "profile \(profile) has a new first screen" }
    public var effect: SessionEffect? { .homeChanged }
}
