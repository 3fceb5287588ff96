public import AgentProtocol
import ByteCoding

/// Lists messages of all chats of a profile. (`/_get items 1 count=20`, `/tail 20`)
public struct ListItems: ChatCommand {
    public var profile: ProfileID?
    public var range: ItemRange

    public init(_ profile: ProfileID? = nil, _ range: ItemRange) {
        self.profile = profile
        self.range = range
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form("/_get items", .profile(\.profile), .range(\.range), make: Self.init),
        Form("/items", .absent(\.profile), .range(\.range), make: Self.init),
        Form("/tail", .absent(\.profile), .lastItems, make: Self.init),
        Form("/t", .absent(\.profile), .lastItems, make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ChatItems {
        let profile = try core.lookup.profile(profile)
        return ChatItems(
            profile: profile, items: try core.lookup.locate(try core.store.items(of: profile.id, range)))
    }
}

extension Argument where Value == ItemRange {
    /// `20`: the newest messages, as people write it; 20 without a number.
    static var lastItems: Argument {
        .onlyRead { reader throws(DecodeError) in .last(reader.isAtEnd ? 20 : try reader.integer()) }
    }
}
