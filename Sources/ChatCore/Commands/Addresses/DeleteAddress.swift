public import AgentProtocol
public import ByteCoding
import ChatProtocol
public import JSONCoding

/// Deletes the address of a profile, which shows it no longer. Contacts stay. (`/_delete_address 1`, `/delete_address`)
public struct DeleteAddress: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID?) {
        self.profile = profile
    }

    public static let access = Access.write
    public static let syntax = Syntax(numbered: "delete_address", \.profile, aliases: ["/da"], make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> DeletedAddress {
        let profile = try core.lookup.profile(profile)
        let address = try core.lookup.address(of: profile)
        try core.store.transaction { try core.store.removeAddress(of: profile.id) }
        try await core.connector.discard(address.connectionID)
        var presented = profile.profile
        if presented.contactLink != nil {
            presented.contactLink = nil
            _ = try await core.profiles.update(profile, presented)
        }
        return DeletedAddress(try core.lookup.profile(profile.id))
    }
}

/// The profile has no address any longer.
public struct DeletedAddress: SimpleResponse {
    public let profile: OwnProfile

    public static let type = "userContactLinkDeleted"

    public var fields: JSONObject { ["user": profile.json] }

    init(_ profile: OwnProfile) {
        self.profile = profile
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.required("user"))
    }
}
