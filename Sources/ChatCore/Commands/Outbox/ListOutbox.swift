public import AgentProtocol

/// Lists the queued messages of a profile, oldest first, with those that wait for some members of a group. (`/_outbox 1`, `/outbox`)
public struct ListOutbox: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID? = nil) {
        self.profile = profile
    }

    public static let access = Access.read
    public static let syntax = Syntax(numbered: "outbox", { $0.profile }, make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> ChatItems {
        let profile = try core.lookup.profile(profile)
        var waiting = try core.store.unsentItems() + core.store.partlySentItems()
        let uploads = try core.store.unfinishedUploads(of: [profile.id]).compactMap(\.itemID)
        for id in uploads where !waiting.contains(where: { $0.id == id }) {
            if let item = try core.store.item(id) { waiting.append(item) }
        }
        waiting.sort { $0.id.number < $1.id.number }
        let items = try core.lookup.locate(waiting).filter { $0.chat.profileID == profile.id }
        return ChatItems(profile: profile, items: items)
    }
}
