public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// Shows the security code that both sides of a connection with a member compare. (`/_get code #1 2`, `/code #name @member`)
public struct ShowMemberCode: ChatCommand {
    public var group: GroupTarget
    public var member: MemberTarget

    public init(_ group: GroupTarget, _ member: MemberTarget) {
        self.group = group
        self.member = member
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.ofMember("/_get code", named: "/code", \.group, \.member, make: { Self($0, $1) }))

    public func perform(on core: isolated LocalCore) async throws -> MemberCode {
        let (profile, group, member, id) = try core.lookup.connected(member, of: group)
        let code = try core.connector.securityCode(of: id, with: member.name)
        // A comparison of another code says nothing about this one.
        if let known = try core.store.verifiedCode(of: id), known != code.text {
            try core.store.transaction { try core.store.setVerifiedCode(nil, of: id) }
        }
        return MemberCode(profile, group, member, code)
    }
}

/// The security code of a member.
public struct MemberCode: SimpleResponse {
    public let profile: OwnProfile
    public let group: Group
    public let member: GroupMember
    public let code: SecurityCode

    public static let type = "groupMemberCode"

    init(_ profile: OwnProfile, _ group: Group, _ member: GroupMember, _ code: SecurityCode) {
        self.profile = profile
        self.group = group
        self.member = member
        self.code = code
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        group = try fields.required("groupInfo")
        member = try fields.required("member")
        code = try fields.word("connectionCode") { try SecurityCode(text: $0) }
    }

    public var fields: JSONObject {
        [
            "user": profile.json, "groupInfo": group.json, "member": member.json,
            "connectionCode": .string(code.text),
        ]
    }
}
