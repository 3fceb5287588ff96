public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Shows after how long messages of a profile are removed. (`/_ttl 1`, `/ttl`)
public struct ShowRetention: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID? = nil) {
        self.profile = profile
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form.numbered("/_ttl", named: "/ttl", { $0.profile }, aliases: ["/get ttl"], make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> RetentionInfo {
        RetentionInfo(profile: try core.lookup.profile(profile))
    }
}

/// The profile, which says after how long its messages are removed.
public struct RetentionInfo: SimpleResponse {
    public let profile: OwnProfile

    public static let type = "chatItemTTL"

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields.set("chatItemTTL", profile.retention ?? 0)
        return fields
    }

    init(profile: OwnProfile) {
        self.profile = profile
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"))
    }
}
