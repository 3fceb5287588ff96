public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Lists the contact requests that wait for an answer. (`/_requests 1`, `/requests`)
public struct ListRequests: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID?) {
        self.profile = profile
    }

    public static let access = Access.read
    public static let syntax = Syntax(numbered: "requests", \.profile, make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> RequestList {
        let profile = try core.lookup.profile(profile)
        return RequestList(profile: profile, requests: try core.store.requests(of: profile.id))
    }
}

/// The contact requests of a profile.
public struct RequestList: SimpleResponse {
    public let profile: OwnProfile
    public let requests: [ReceivedRequest]

    public static let type = "contactRequests"

    public var fields: JSONObject { ["user": profile.json, "contactRequests": .array(requests.map(\.json))] }

    init(profile: OwnProfile, requests: [ReceivedRequest]) {
        self.profile = profile
        self.requests = requests
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), requests: try fields.list("contactRequests"))
    }
}
