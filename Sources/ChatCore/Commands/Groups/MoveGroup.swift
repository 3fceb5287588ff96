public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Gives a prepared group to another profile. (`/_set group user #1 2`)
public struct MoveGroup: ChatCommand {
    public var group: GroupTarget
    public var profile: ProfileID

    public init(_ group: GroupTarget, to profile: ProfileID) {
        self.group = group
        self.profile = profile
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_set group user", .group(\.group), .profile(\.profile), make: { Self($0, to: $1) }))

    public func effect(of response: MovedGroup) -> SessionEffect? { .visible(response.newProfile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> MovedGroup {
        let group = try core.lookup.group(group), profile = try core.lookup.profile(profile)
        let former = try core.lookup.profile(group.profileID)
        return MovedGroup(former, from: group, profile, to: try core.groups.move(group, to: profile))
    }
}

/// A prepared group that another profile has now.
public struct MovedGroup: SimpleResponse {
    public let profile: OwnProfile
    public let former: Group
    public let newProfile: OwnProfile
    public let group: Group

    public static let type = "groupUserChanged"

    public var fields: JSONObject {
        ["user": profile.json, "fromGroup": former.json, "newUser": newProfile.json, "toGroup": group.json]
    }

    init(_ profile: OwnProfile, from former: Group, _ newProfile: OwnProfile, to group: Group) {
        self.profile = profile
        self.former = former
        self.newProfile = newProfile
        self.group = group
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            try fields.required("user"), from: try fields.required("fromGroup"), try fields.required("newUser"),
            to: try fields.required("toGroup"))
    }
}
