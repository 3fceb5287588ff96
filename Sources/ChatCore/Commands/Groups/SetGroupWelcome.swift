import ByteCoding
import ChatProtocol

/// Sets what new members of a group are told, or that they are told nothing. (`/set welcome #name TEXT`,
/// `/delete welcome #name`)
public struct SetGroupWelcome: ChatCommand {
    public var group: GroupTarget
    public var welcome: String?

    public init(_ group: GroupTarget, _ welcome: String?) {
        self.group = group
        self.welcome = welcome
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/set welcome", .groupName(\.group), welcome, make: { Self($0, $1) }),
        Form("/delete welcome", .groupName(\.group), .absent(\.welcome), make: { Self($0, $1) }),
        Form("/group_descr", .groupName(\.group), anyWelcome, make: { Self($0, $1) }))

    private static let welcome = Argument<Self, String?>(
        read: Argument<Self, String>.words("text", { $0.welcome ?? "" }).read,
        write: { $0.welcome == nil ? nil : Argument<Self, String>.words("text", { $0.welcome ?? "" }).write($0) })

    /// A text, or nothing for none.
    private static let anyWelcome = Argument<Self, String?>(
        read: { reader throws(DecodeError) in reader.isAtEnd ? nil : try welcome.read(&reader) }, write: welcome.write)

    public func perform(on core: isolated LocalCore) async throws -> GroupUpdate {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        var presented = group.profile
        presented.welcome = welcome
        return GroupUpdate(profile, group, try await core.groups.update(group, presented))
    }
}
