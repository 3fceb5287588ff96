public import ChatProtocol

/// Asks at the link that a group was prepared from, perhaps with a message. It is on disk when the answer comes; the relay is
/// asked later. (`/_connect group #1 [incognito=on] [text TEXT|json {...}]`)
public struct ConnectGroup: ChatCommand {
    public var group: GroupTarget
    public var isIncognito: Bool
    public var message: MessageContent?

    public init(_ group: GroupTarget, isIncognito: Bool = false, message: MessageContent? = nil) {
        self.group = group
        self.isIncognito = isIncognito
        self.message = message
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_connect group", .group(\.group), .incognito(\.isIncognito), .content(\.message)) {
            Self($0, isIncognito: $1, message: $2)
        })

    public func effect(of response: GroupChange) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> GroupChange {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        return GroupChange(.connecting, profile, try core.groups.connect(group, message, isIncognito: isIncognito))
    }
}
