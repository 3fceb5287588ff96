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
        return CallList(profile, try core.calls.waiting(of: profile.id))
    }
}

/// The calls of a profile that wait for an answer.
public struct CallList: SimpleResponse {
    public let profile: OwnProfile
    public let calls: [LocatedItem]

    public static let type = "callInvitations"

    init(_ profile: OwnProfile, _ calls: [LocatedItem]) {
        self.profile = profile
        self.calls = calls
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        calls = try fields.list("chatItems")
    }

    public var fields: JSONObject { ["user": profile.json, "chatItems": .array(calls.map(\.json))] }
}
