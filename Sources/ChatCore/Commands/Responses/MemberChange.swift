public import ByteCoding
public import JSONCoding

/// A member, as it is after the command.
public struct MemberChange: ChatResponse {
    public enum Kind: String, CaseIterable, Sendable {
        case shown = "groupMemberInfo"
        case invited = "sentGroupInvitation"
        case accepted = "memberAccepted"
        case contactCreated = "newMemberContact"
        case contactInvited = "newMemberContactSentInv"
    }

    public let kind: Kind
    public let profile: OwnProfile
    public let group: Group
    public let member: GroupMember
    /// The contact that it is, where that is what it is about.
    public let contact: Contact?

    init(_ kind: Kind, _ profile: OwnProfile, _ group: Group, _ member: GroupMember, _ contact: Contact? = nil) {
        self.kind = kind
        self.profile = profile
        self.group = group
        self.member = member
        self.contact = contact
    }

    public var type: String { kind.rawValue }

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "groupInfo": group.json, "member": member.json]
        fields.set("contact", contact)
        return fields
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        guard let kind = Kind(rawValue: type) else { throw .invalid("type") }
        self.init(
            kind, try fields.required("user"), try fields.required("groupInfo"), try fields.required("member"),
            try fields.optional("contact"))
    }
}
