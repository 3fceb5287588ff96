public import AgentProtocol
import ByteCoding

/// Lists messages of all chats of a profile, or of one chat.
/// (`/_get items [1] count=20 [search=...]`, `/_get items @4 count=20`, `/tail [@name] [20]`)
public struct ListItems: ChatCommand {
    public let profile: ProfileID?
    /// Only those of this chat.
    public let chat: ChatTarget?
    public let range: ItemRange
    /// What the messages say; nil or nothing for all.
    public let search: String?

    public init(_ profile: ProfileID? = nil, _ range: ItemRange, search: String? = nil) {
        self.profile = profile
        self.chat = nil
        self.range = range
        self.search = search
    }

    public init(in chat: ChatTarget, _ range: ItemRange, search: String? = nil) {
        self.profile = nil
        self.chat = chat
        self.range = range
        self.search = search
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form("/_get items", .absent(\.chat), .profile(\.profile), .range(\.range), .search(\.search)) {
            Self($1, $2, search: $3)
        },
        Form("/items", .absent(\.chat), .absent(\.profile), .range(\.range), .search(\.search)) {
            Self($1, $2, search: $3)
        },
        Form("/_get items", .absent(\.chat), .absent(\.profile), .range(\.range), .search(\.search)) {
            Self($1, $2, search: $3)
        },
        Form("/_get items", .present(\.chat), .range(\.range), .search(\.search)) { Self(in: $0, $1, search: $2) },
        Form("/tail", .absent(\.profile), .lastItems, make: { Self($0, $1) }),
        Form("/tail", .present(\.chat), .lastItems, make: { Self(in: $0, $1) }),
        Form("/t", .absent(\.profile), .lastItems, make: { Self($0, $1) }),
        Form("/t", .present(\.chat), .lastItems, make: { Self(in: $0, $1) }))

    public func perform(on core: isolated LocalCore) async throws -> ChatItems {
        if let target = chat {
            let chat = try core.lookup.chat(target)
            let items = try core.store.items(
                in: chat.reference, range, search: search, support: chat.supportID)
            return ChatItems(
                profile: try core.lookup.profile(chat.profileID),
                items: items.map { LocatedItem(chat: chat, item: $0) })
        }
        let profile = try core.lookup.profile(profile)
        return ChatItems(
            profile: profile,
            items: try core.lookup.locate(try core.store.items(of: profile.id, range, search: search)))
    }
}

extension Argument where Value == ItemRange {
    /// `20`: the newest messages, as people write it; 20 without a number.
    static var lastItems: Argument {
        .onlyRead { reader throws(DecodeError) in .last(reader.isAtEnd ? 20 : try reader.integer()) }
    }
}
