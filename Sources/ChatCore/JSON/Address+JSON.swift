import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

extension LinkText {
    /// `CreatedConnLink` of the API.
    var json: JSONValue {
        var fields: JSONObject = ["connFullLink": .string(full)]
        fields.set("connShortLink", short)
        return .object(fields)
    }
}

extension Address {
    /// `UserContactLink` of the API.
    var json: JSONValue {
        .object([
            "userContactLinkId": .integer(connectionID.number),
            "connLinkContact": link.json,
            "shortLinkDataSet": .bool(link.short != nil),
            "shortLinkLargeDataSet": .bool(link.short != nil),
            "addressSettings": .object(settings.fields),
        ])
    }
}

extension ReceivedRequest {
    /// `UserContactRequest` of the API.
    var json: JSONValue {
        var fields: JSONObject = [
            "contactRequestId": .integer(id.number), "agentInvitationId": .string("\(id.number)"),
            "cReqChatVRange": versions.json, "localDisplayName": .string(name), "profileId": .integer(id.number),
            "profile": profile.json,
        ]
        fields.set("xContactId", key.map { Base64URL.encode($0) })
        fields["pqSupport"] = false
        fields.set("requestSharedMsgId", message.map { Base64URL.encode($0.id.bytes) })
        fields.set("createdAt", createdAt.description)
        fields.set("updatedAt", updatedAt.description)
        return .object(fields)
    }
}

extension ConnectionPlan {
    /// `ConnectionPlan` of the API.
    var json: JSONValue {
        let isInvitation = kind == .invitation
        let plan: JSONValue =
            switch state {
            case .ok: ok
            case .own: .object(["type": "ownLink"])
            case .connecting: .object(["type": isInvitation ? "connecting" : "connectingConfirmReconnect"])
            case .known(let contact): .object(["type": "known", "contact": contact.json])
            }
        return isInvitation
            ? .object(["type": "invitationLink", "invitationLinkPlan": plan])
            : .object(["type": "contactAddress", "contactAddressPlan": plan])
    }

    private var ok: JSONValue {
        var fields: JSONObject = ["type": "ok"]
        fields["contactSLinkData_"] = content?.json
        return .object(fields)
    }
}
