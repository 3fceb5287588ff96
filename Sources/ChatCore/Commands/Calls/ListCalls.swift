public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Lists the calls that wait for an answer. (`/_call get 1`, `/_call get`)
public struct ListCalls: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID? = nil) {
        self.profile = profile
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_call get", .optionalProfile(\.profile), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CallList {
        let profile = try core.lookup.profile(profile)
        let calls = try core.calls.waiting(of: profile.id)
        return CallList(profile, calls, try core.calls.agreements(of: calls))
    }
}

/// The calls of a profile that wait for an answer.
public struct CallList: SimpleResponse {
    public let profile: OwnProfile
    public let calls: [LocatedItem]
    /// What the program with the sound needs, for each call.
    public let agreements: [ChatItemID: CallAgreement]

    public static let type = "callInvitations"

    init(_ profile: OwnProfile, _ calls: [LocatedItem], _ agreements: [ChatItemID: CallAgreement] = [:]) {
        self.profile = profile
        self.calls = calls
        self.agreements = agreements
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        let entries = try fields.list("callInvitations") { entry throws(DecodeError) in
            let agreement = try CallAgreement(from: &entry)
            let call: LocatedItem = try entry.required("chatItem")
            return (call, agreement)
        }
        calls = entries.map(\.0)
        var agreements: [ChatItemID: CallAgreement] = [:]
        for (call, agreement) in entries where agreement != CallAgreement() { agreements[call.item.id] = agreement }
        self.agreements = agreements
    }

    public var fields: JSONObject {
        let entries = calls.map { JSONValue.object($0.invitation(profile, agreements[$0.item.id] ?? CallAgreement())) }
        return ["user": profile.json, "callInvitations": .array(entries)]
    }
}
