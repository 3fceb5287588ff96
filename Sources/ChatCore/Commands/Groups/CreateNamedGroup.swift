import ByteCoding
import ChatProtocol

/// Makes a group with the features that people expect: direct messages among members, and history for new ones.
/// (`/group [incognito] NAME [DESCRIPTION]`)
public struct CreateNamedGroup: ChatCommand {
    public var name: String
    public var description: String?
    public var isIncognito: Bool

    public init(_ name: String, description: String? = nil, isIncognito: Bool = false) {
        self.name = name
        self.description = description
        self.isIncognito = isIncognito
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        form("/group"),
        form("/g"))

    private static func form(_ words: String) -> Form<Self> {
        Form(words, .incognito(\.isIncognito), .newGroupName(\.name), .optionalWords("text", \.description)) {
            Self($1, description: $2, isIncognito: $0)
        }
    }

    public func effect(of response: GroupChange) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> GroupChange {
        let profile = try core.lookup.activeProfile()
        let presented = GroupProfile(
            displayName: name, shortDescription: description, preferences: .newGroup)
        let group = try core.groups.create(presented, of: profile, isIncognito: isIncognito)
        return GroupChange(.created, profile, group)
    }
}

extension Argument where Value == String {
    /// `'name'`, or for people `#name` or `name`
    static func newGroupName(_ value: @escaping @Sendable (Command) -> String) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in try reader.groupName() },
            write: { "#\(CommandText.quoted(value($0)))" })
    }
}
