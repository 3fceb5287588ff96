/// Serves a channel again that the user left as its relay, when an owner asks for it. (`/_relay allow #1`, `/group allow #name`)
public struct AllowChannel: ChatCommand {
    public var group: GroupTarget

    public init(_ group: GroupTarget) {
        self.group = group
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_relay allow", .group(\.group), make: { Self($0) }),
        Form("/group allow", .groupName(\.group), make: { Self($0) }))

    public func perform(on core: isolated LocalCore) async throws -> GroupChange {
        let group = try core.lookup.group(group)
        guard group.isServedByUser else { throw ChatError.groupNotFound(group.id) }
        if group.channel?.ownStatus == .rejected {
            try core.store.transaction { try core.store.setOwnStatus(.inactive, group.id) }
        }
        return GroupChange(
            .allowed, try core.lookup.profile(group.profileID), try core.lookup.group(.reference(.group(group.id))))
    }
}
