public import ChatProtocol

/// Asks at the link that a group was prepared from, perhaps with a message. The relay has it when the answer comes, unless it is
/// only queued. (`/_connect group #1 [incognito=on] [queue=on] [text TEXT|json {...}]`)
public struct ConnectGroup: ChatCommand {
    public var group: GroupTarget
    public var isIncognito: Bool
    public var message: MessageContent?
    /// True if the answer does not wait for a relay.
    public var isQueued: Bool

    public init(
        _ group: GroupTarget, isIncognito: Bool = false, message: MessageContent? = nil, isQueued: Bool = false
    ) {
        self.group = group
        self.isIncognito = isIncognito
        self.message = message
        self.isQueued = isQueued
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_connect group", .group(\.group), .incognito(\.isIncognito), .queued(\.isQueued), .content(\.message)
        ) { Self($0, isIncognito: $1, message: $3, isQueued: $2) })

    public func effect(of response: GroupChange) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> GroupChange {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        if group.isChannel {
            var relays = try await core.groups.joinChannel(group, isIncognito: isIncognito)
            if !isQueued { relays = try await core.exchange.confirm(relays) }
            return GroupChange(profile, joining: try core.lookup.group(group.id), relays)
        }
        let started = try core.groups.connect(group, message, isIncognito: isIncognito)
        return GroupChange(.connecting, profile, isQueued ? started : try await core.exchange.confirm(started))
    }
}
