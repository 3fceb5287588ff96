public import ByteCoding
public import JSONCoding

/// Rejects a contact request. The sender is not told. (`/_reject 3`, `/reject NAME`)
public struct RejectRequest: ChatCommand {
    public var request: RequestTarget

    public init(_ request: RequestTarget) {
        self.request = request
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_reject", .id(\.request), make: Self.init), Form("/reject", .name(\.request), make: Self.init),
        Form("/rc", .name(\.request), make: Self.init))

    public func effect(of response: RejectedRequest) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> RejectedRequest {
        let request = try core.lookup.request(request)
        try core.store.transaction {
            try core.store.removeRequest(request.id)
            try core.store.free(request.name, in: request.profileID)
        }
        return RejectedRequest(profile: try core.lookup.owner(request.profileID), request: request)
    }
}

/// A request that was rejected.
public struct RejectedRequest: SimpleResponse {
    public let profile: OwnProfile
    public let request: ReceivedRequest

    public static let type = "contactRequestRejected"

    public var fields: JSONObject { ["user": profile.json, "contactRequest": request.json] }

    init(profile: OwnProfile, request: ReceivedRequest) {
        self.profile = profile
        self.request = request
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), request: try fields.required("contactRequest"))
    }
}
