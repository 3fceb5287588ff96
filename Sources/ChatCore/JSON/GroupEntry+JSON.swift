public import ByteCoding
import ChatProtocol
public import JSONCoding

extension GroupEntry.Mention: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(memberID: try fields.requiredMemberID("memberId"), member: try fields.optional("memberRef"))
    }

    /// `CIMention` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["memberId": memberID.json]
        fields.set("memberRef", member)
        return fields
    }
}

extension GroupEntry.Mention.Reference: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            id: GroupMemberID(try fields.integer("groupMemberId")), displayName: try fields.text("displayName"),
            role: GroupRole(rawValue: try fields.text("memberRole")))
    }

    /// `CIMentionMember` of the API.
    public var fields: JSONObject {
        [
            "groupMemberId": .integer(id.number), "displayName": .string(displayName),
            "memberRole": .string(role.rawValue),
        ]
    }
}

extension [String: GroupEntry.Mention] {
    /// The mentions by name, as the API and the store have them.
    var json: JSONValue {
        .object(sorted { $0.key < $1.key }.reduce(into: JSONObject()) { $0[$1.key] = $1.value.json })
    }

    /// Reads what ``json`` made.
    init(_ fields: JSONObject) throws(DecodeError) {
        self.init()
        for name in fields.names {
            guard let fields = fields[name]?.object else { throw .invalid("mentions") }
            var mention = JSONFields(fields)
            self[name] = try GroupEntry.Mention(from: &mention)
        }
    }
}
