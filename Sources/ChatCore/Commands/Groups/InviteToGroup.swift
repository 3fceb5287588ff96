import ByteCoding
public import ChatProtocol

/// Invites a contact to a group. Waits for a relay. (`/_add #1 4 member`, `/add #name contact [role]`)
public struct InviteToGroup: ChatCommand {
    public var group: GroupTarget
    public var contact: ChatTarget
    public var role: GroupRole

    public init(_ group: GroupTarget, _ contact: ChatTarget, as role: GroupRole = .member) {
        self.group = group
        self.contact = contact
        self.role = role
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_add", .group(\.group), .contactNumber(\.contact), .role(\.role), make: { Self($0, $1, as: $2) }),
        named("/add"),
        named("/a"))

    private static func named(_ words: String) -> Form<Self> {
        Form(words, .groupName(\.group), .contactWord(\.contact), .optionalRole(.member, \.role)) {
            Self($0, $1, as: $2)
        }
    }

    public func effect(of response: MemberChange) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> MemberChange {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        let contact = try core.lookup.contact(contact)
        let member = try await core.groups.invite(contact, to: group, as: role)
        return MemberChange(
            .invited, profile, try core.lookup.group(group.id), member, try core.lookup.contact(contact.id))
    }
}

extension Argument where Value == ChatTarget {
    /// `4`: a contact.
    fileprivate static func contactNumber(_ value: @escaping @Sendable (Command) -> ChatTarget) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in .reference(.direct(ContactID(try reader.integer()))) },
            write: { command in
                guard case .reference(.direct(let id)) = value(command) else { return nil }
                return "\(id.number)"
            })
    }

    /// `'name'`, or for people `@name` or `name`
    fileprivate static func contactWord(_ value: @escaping @Sendable (Command) -> ChatTarget) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                .name(try reader.name(behind: "@"))
            },
            write: { command in
                guard case .name(let name) = value(command) else { return nil }
                return "@\(CommandText.quoted(name))"
            })
    }
}
