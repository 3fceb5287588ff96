import AgentProtocol
public import ByteCoding
import ChatProtocol
public import JSONCoding

extension LinkText: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(full: try fields.text("connFullLink"), short: try fields.optionalText("connShortLink"))
    }

    /// `CreatedConnLink` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["connFullLink": .string(full)]
        fields.set("connShortLink", short)
        return fields
    }
}

extension Address: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            profileID: ProfileID(try fields.integer("userId")),
            connectionID: ConnectionID(try fields.integer("userContactLinkId")),
            link: try fields.required("connLinkContact"), settings: try fields.required("addressSettings"),
            createdAt: try fields.timestamp("createdAt"))
    }

    /// `UserContactLink` of the API.
    public var fields: JSONObject {
        [
            "userContactLinkId": .integer(connectionID.number),
            "connLinkContact": link.json,
            "shortLinkDataSet": .bool(link.short != nil),
            "shortLinkLargeDataSet": .bool(link.short != nil),
            "addressSettings": settings.json,
            "userId": .integer(profileID.number),
            "createdAt": .string(createdAt.apiText),
        ]
    }
}

extension RequestID {
    /// The number of the profile of a request, and of the contact that it becomes. Those of other contacts are positive.
    var profileNumber: Int64 { 0 &- number }
}

extension ReceivedRequest: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let messageID = try fields.optionalID("requestSharedMsgId")
        let content: MessageContent? = try fields.optional("requestContent")
        guard (messageID == nil) == (content == nil) else { throw .invalid("requestContent") }
        var profile = try fields.object("profile")
        var message: ContactRequest.Message?
        if let messageID, let content { message = ContactRequest.Message(id: messageID, content: content) }
        self.init(
            id: RequestID(try fields.integer("contactRequestId")), profileID: ProfileID(try fields.integer("userId")),
            name: try fields.text("localDisplayName"), profile: try Profile(local: &profile),
            versions: try fields.versions("cReqChatVRange"), link: try fields.text("connReqInv"),
            key: try fields.optionalBytes("xContactId"), welcomeID: try fields.optionalID("welcomeSharedMsgId"),
            message: message,
            connectionID: try fields.optionalInteger("connId").map { ConnectionID($0) },
            createdAt: try fields.timestamp("createdAt"), updatedAt: try fields.timestamp("updatedAt"))
    }

    /// `UserContactRequest` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = [
            "contactRequestId": .integer(id.number), "agentInvitationId": .string("\(id.number)"),
            "cReqChatVRange": versions.json, "localDisplayName": .string(name), "profileId": .integer(id.profileNumber),
            "profile": .object(profile.localFields(id: id.profileNumber)),
        ]
        fields.set("xContactId", key.map { Base64URL.encode($0) })
        fields["pqSupport"] = true
        fields["welcomeSharedMsgId"] = welcomeID?.json
        fields["requestSharedMsgId"] = message?.id.json
        fields.set("createdAt", createdAt.apiText)
        fields.set("updatedAt", updatedAt.apiText)
        // The official core has these elsewhere, or not at all.
        fields.set("userId", profileID.number)
        fields.set("requestContent", message?.content)
        fields.set("connReqInv", link)
        fields.set("connId", connectionID?.number)
        return fields
    }
}

extension ConnectionPlan: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let type = try fields.text("type")
        let kind: LinkKind =
            switch type {
            case "invitationLink": .invitation
            case "contactAddress", "groupLink": .address(try fields.word("addressKind", AddressKind.init(word:)))
            default: throw .invalid("type")
            }
        var plan = try fields.object(kind.planField)
        let state: State =
            switch try plan.text("type") {
            case "ok": .ok
            case "ownLink": ConnectionPlan.State(own: try plan.optional("groupInfo"))
            case "connecting", "connectingConfirmReconnect": .connecting(try plan.required("connection"))
            case "connectingProhibit":
                if let group: Group = try plan.optional("groupInfo_") {
                    .connectingGroup(group)
                } else {
                    .connectingProhibited(try plan.required("contact"))
                }
            case "noRelays": .noRelays
            case "updateRequired": .updateRequired
            case "known":
                if let group: Group = try plan.optional("groupInfo") {
                    .knownGroup(group)
                } else {
                    .known(try plan.required("contact"))
                }
            default: throw .invalid("type")
            }
        var shown: Content?
        if let content: ContactLinkContent = try plan.optional("contactSLinkData_") { shown = .contact(content) }
        if let content: GroupLinkContent = try plan.optional("groupSLinkData_") { shown = .group(content) }
        self.init(kind: kind, link: try fields.required("connLink"), state: state, shown: shown)
        target = try plan.optional("groupSLinkInfo_")
        verification = try plan.optional("ownerVerification")
        isGroupUpdated = try plan.optionalBool("groupUpdated") ?? false
        if var domain = try plan.optionalObject("verifiedDomain") {
            let isContact = kind == .address(.contact)
            verifiedName = try SimplexName(isContact ? .contact : .publicGroup, domain: &domain)
        }
    }

    /// `ConnectionPlan` of the API, with the link that it is about.
    public var fields: JSONObject {
        var fields: JSONObject = ["type": .string(kind.planType)]
        if case .address(let kind) = kind { fields.set("addressKind", kind.word) }
        fields[kind.planField.description] = plan
        fields.set("connLink", link)
        return fields
    }

    private var plan: JSONValue {
        var fields = JSONObject()
        switch state {
        case .ok: fields["type"] = "ok"
        case .own: fields["type"] = "ownLink"
        case .connecting(let connection):
            fields["type"] = kind == .invitation ? "connecting" : "connectingConfirmReconnect"
            fields.set("connection", connection)
        case .connectingProhibited(let contact):
            fields["type"] = "connectingProhibit"
            fields.set("contact", contact)
        case .known(let contact):
            fields["type"] = "known"
            fields.set("contact", contact)
        case .ownGroup(let group):
            fields["type"] = "ownLink"
            fields.set("groupInfo", group)
        case .knownGroup(let group):
            fields["type"] = "known"
            fields.set("groupInfo", group)
            // Only channels name their owners in a link.
            fields.set("groupUpdated", isGroupUpdated)
            fields["linkOwners"] = []
        case .noRelays: fields["type"] = "noRelays"
        case .updateRequired: fields["type"] = "updateRequired"
        case .connectingGroup(let group):
            fields["type"] = "connectingProhibit"
            fields.set("groupInfo_", group)
        }
        fields.set("groupSLinkInfo_", target)
        fields.set("ownerVerification", verification)
        fields["verifiedDomain"] = verifiedName.map { .object($0.domainFields) }
        // The official core tells it of new links only.
        switch shown {
        case .contact(let content): fields.set("contactSLinkData_", content)
        case .group(let content): fields.set("groupSLinkData_", content)
        case nil: break
        }
        return .object(fields)
    }
}

extension GroupLinkTarget: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            isDirect: try fields.bool("direct"), relays: try fields.elements("groupRelays").compactMap(\.string),
            publicID: try fields.optionalBytes("publicGroupId"))
    }

    /// `GroupShortLinkInfo` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["direct": .bool(isDirect), "groupRelays": .array(relays.map { .string($0) })]
        fields.set("publicGroupId", publicID.map { Base64URL.encode($0) })
        return fields
    }
}

extension ConnectionPlan.State {
    /// An own link: of a group, or of the profile.
    fileprivate init(own group: Group?) {
        self = group.map { .ownGroup($0) } ?? .own
    }
}

extension LinkKind {
    /// The type of a `ConnectionPlan`.
    fileprivate var planType: String {
        switch self {
        case .invitation: "invitationLink"
        case .address(.contact): "contactAddress"
        case .address: "groupLink"
        }
    }

    /// The field of a `ConnectionPlan` that has the plan.
    fileprivate var planField: StaticText {
        switch self {
        case .invitation: "invitationLinkPlan"
        case .address(.contact): "contactAddressPlan"
        case .address: "groupLinkPlan"
        }
    }
}

extension AddressKind: WordNamed {
    /// A stable word for programs.
    var word: String {
        switch self {
        case .contact: "contact"
        case .channel: "channel"
        case .group: "group"
        case .relay: "relay"
        }
    }
}
