import ByteCoding
import JSONCoding

/// Shows what a member of a group writes, or hides it here. (`/_member settings #1 2 {"showMessages":false}`, `/block #name @member`,
/// `/unblock #name @member`)
public struct ShowMemberMessages: ChatCommand {
    public var group: GroupTarget
    public var member: MemberTarget
    public var shows: Bool

    public init(_ group: GroupTarget, _ member: MemberTarget, _ shows: Bool) {
        self.group = group
        self.member = member
        self.shows = shows
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_member settings", .group(\.group), .members(\.member), settings, make: { Self($0, $1, $2) }),
        Form(
            "/block", .signedGroupName(\.group), .memberName(\.member), .fixed(false, \.shows),
            make: { Self($0, $1, $2) }),
        Form(
            "/unblock", .signedGroupName(\.group), .memberName(\.member), .fixed(true, \.shows),
            make: { Self($0, $1, $2) }))

    private static let settings = Argument<Self, Bool>(
        read: { reader throws(DecodeError) in
            var fields = try JSONFields(decoding: Bytes(reader.rest().utf8))
            return try fields.bool("showMessages")
        }, write: { "{\"showMessages\":\($0.shows)}" })

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        try core.groups.setShowsMessages(shows, of: try core.lookup.member(member, of: group).id, in: group)
        return CommandOK(profile)
    }
}
