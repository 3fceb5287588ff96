import ByteCoding
import ChatProtocol

/// Has moderators let in those who join a group through its link, or lets them in at once. (`/set admission review #name all|off`)
public struct SetMemberReview: ChatCommand {
    public var group: GroupTarget
    public var isOn: Bool

    public init(_ group: GroupTarget, _ isOn: Bool) {
        self.group = group
        self.isOn = isOn
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/set admission review", .signedGroupName(\.group), criteria, make: { Self($0, $1) }))

    private static let criteria = Argument<Self, Bool>(
        read: { reader throws(DecodeError) in
            switch reader.word() {
            case "all": return true
            case "off": return false
            default: throw .invalid("criteria")
            }
        }, write: { $0.isOn ? "all" : "off" })

    public func perform(on core: isolated LocalCore) async throws -> GroupUpdate {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        var presented = group.profile
        var admission = presented.admission ?? MemberAdmission()
        admission.review = isOn ? .all : nil
        presented.admission = admission
        return GroupUpdate(profile, group, try await core.groups.update(group, presented))
    }
}
