public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// Compares the security code with the one that a member sees; without a code, forgets that it was compared.
/// (`/_verify code #1 2 [DIGITS]`, `/verify #name @member [DIGITS]`)
public struct VerifyMemberCode: ChatCommand {
    public var group: GroupTarget
    public var member: MemberTarget
    /// The code that the member sees.
    public var code: String?

    public init(_ group: GroupTarget, _ member: MemberTarget, _ code: String?) {
        self.group = group
        self.member = member
        self.code = code
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.ofMember(
            "/_verify code", named: "/verify", \.group, \.member, .optionalWords("code", \.code),
            make: { Self($0, $1, $2) }))

    public func perform(on core: isolated LocalCore) async throws -> MemberCodeVerification {
        let (profile, group, member, id) = try core.lookup.connected(member, of: group)
        let right = try core.connector.securityCode(of: id, with: member.name)
        let isRight = code.map { right.matches($0) } ?? false
        // A wrong code says nothing about an earlier comparison: that is forgotten only without a code.
        if isRight || code == nil {
            try core.store.transaction { try core.store.setVerifiedCode(isRight ? right.text : nil, of: id) }
        }
        return MemberCodeVerification(profile, group, member, isRight: isRight, right)
    }
}

/// The result of comparing the security code of a member.
public struct MemberCodeVerification: SimpleResponse {
    public let profile: OwnProfile
    public let group: Group
    public let member: GroupMember
    public let isRight: Bool
    /// The right code.
    public let code: SecurityCode

    public static let type = "connectionVerified"

    init(_ profile: OwnProfile, _ group: Group, _ member: GroupMember, isRight: Bool, _ code: SecurityCode) {
        self.profile = profile
        self.group = group
        self.member = member
        self.isRight = isRight
        self.code = code
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        group = try fields.required("groupInfo")
        member = try fields.required("member")
        isRight = try fields.bool("verified")
        code = try fields.word("expectedCode") { try SecurityCode(text: $0) }
    }

    public var fields: JSONObject {
        [
            "user": profile.json, "groupInfo": group.json, "member": member.json, "verified": .bool(isRight),
            "expectedCode": .string(code.text),
        ]
    }
}
