public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Something was begun or given up for the connection with a contact.
public struct ConnectionChange: ChatResponse {
    public enum Kind: String, CaseIterable, Sendable {
        case switchStarted = "contactSwitchStarted"
        case switchAborted = "contactSwitchAborted"
        case synchronizationStarted = "contactRatchetSyncStarted"
    }

    public let kind: Kind
    public let profile: OwnProfile
    public let contact: Contact
    public let condition: ConnectionCondition

    init(_ kind: Kind, _ profile: OwnProfile, _ contact: Contact, _ condition: ConnectionCondition) {
        self.kind = kind
        self.profile = profile
        self.contact = contact
        self.condition = condition
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        guard let kind = Kind(rawValue: type) else { throw .invalid("type") }
        self.kind = kind
        profile = try fields.required("user")
        contact = try fields.required("contact")
        condition = try fields.required("connectionStats")
    }

    public var type: String { kind.rawValue }

    public var fields: JSONObject {
        ["user": profile.json, "contact": contact.json, "connectionStats": condition.json]
    }
}
