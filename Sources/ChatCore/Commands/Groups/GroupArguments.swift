import ByteCoding
import ChatProtocol

extension Argument where Value == GroupTarget {
    /// `#12`
    static func group(_ value: @escaping @Sendable (Command) -> GroupTarget) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in .id(try reader.groupID()) },
            write: { command in
                guard case .id(let id) = value(command) else { return nil }
                return "#\(id.number)"
            })
    }

    /// `#'name'`, or for people `#name`
    static func signedGroupName(_ value: @escaping @Sendable (Command) -> GroupTarget) -> Argument {
        let named = groupName(value)
        return Argument(
            read: { reader throws(DecodeError) in
                guard reader.next == UInt8(ascii: "#") else { throw .invalid("group") }
                return .name(try reader.groupName())
            }, write: named.write)
    }

    /// `#'name'`, or for people `#name` or `name`
    static func groupName(_ value: @escaping @Sendable (Command) -> GroupTarget) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in .name(try reader.groupName()) },
            write: { command in
                guard case .name(let name) = value(command) else { return nil }
                return "#\(CommandText.quoted(name))"
            })
    }
}

extension Argument where Value == MemberTarget {
    /// `2,3`
    static func members(_ value: @escaping @Sendable (Command) -> MemberTarget) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                .ids(try reader.itemIDs().map { GroupMemberID($0.number) })
            },
            write: { command in
                guard case .ids(let ids) = value(command), !ids.isEmpty else { return nil }
                return ids.map { "\($0.number)" }.joined(separator: ",")
            })
    }

    /// `'name'`, or for people `@name` or `name`
    static func memberName(_ value: @escaping @Sendable (Command) -> MemberTarget) -> Argument {
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

extension Argument where Value == GroupMemberID {
    /// `2`: a member.
    static func member(_ value: @escaping @Sendable (Command) -> GroupMemberID) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in GroupMemberID(try reader.integer()) },
            write: { "\(value($0).number)" })
    }
}

extension Argument where Value == GroupRole {
    /// `member`: a role that this program knows.
    static func role(_ value: @escaping @Sendable (Command) -> GroupRole) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in try reader.role() },
            write: { value($0).rawValue })
    }

    /// The same, or nothing for a member like all.
    static func optionalRole(
        _ assumed: GroupRole, _ value: @escaping @Sendable (Command) -> GroupRole
    ) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in reader.isAtEnd ? assumed : try reader.role() },
            write: { value($0).rawValue })
    }
}

extension Argument where Value == GroupRole? {
    /// ` admin`, or nothing.
    static func role(_ value: @escaping @Sendable (Command) -> GroupRole?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in reader.isAtEnd ? nil : try reader.role() },
            write: { command in value(command).map(\.rawValue) ?? "" })
    }
}

extension CommandReader {
    /// `#12`
    mutating func groupID() throws(DecodeError) -> GroupID {
        guard skipExactly("#") else { throw .invalid("group") }
        return GroupID(try integer())
    }

    /// `#name`, `#'name'` or `name`
    mutating func groupName() throws(DecodeError) -> String {
        try name(behind: "#")
    }

    /// A name, perhaps in quotes, with a sign in front of it or without.
    mutating func name(behind sign: StaticString) throws(DecodeError) -> String {
        _ = skipExactly(sign)
        let isQuoted = next == UInt8(ascii: "'"), name = name()
        guard isQuoted || !name.isEmpty else { throw .invalid("name") }
        return name
    }

    /// A role that members can have.
    mutating func role() throws(DecodeError) -> GroupRole {
        let role = GroupRole(rawValue: word())
        guard role.isKnown, role != .relay else { throw .invalid("role") }
        return role
    }
}

extension Lookup {
    /// A group that the caller may know of.
    func group(_ target: GroupTarget) throws -> Group {
        switch target {
        case .id(let id):
            guard let group = try chat(ChatTarget.reference(.group(id))).group else {
                throw ChatError.groupNotFound(id)
            }
            return group
        case .name(let name):
            guard let group = try store.chat(named: name, of: try activeProfile().id)?.group else {
                throw ChatError.membership(.groupNameNotFound(name))
            }
            return group
        }
    }

    /// The members of a group that are meant.
    func members(_ target: MemberTarget, of group: Group) throws -> [GroupMemberID] {
        switch target {
        case .ids(let ids): return ids
        case .name(let name):
            let named = NameMatch(try store.members(named: name, in: group.id)) { !$0.status.isGone }
            guard let member = named.newest else {
                throw ChatError.membership(.memberNameNotFound(group, name))
            }
            return [member.id]
        }
    }

    /// The one member that is meant.
    func member(_ target: MemberTarget, of group: Group) throws -> GroupMember {
        guard let id = try members(target, of: group).first, let member = try store.member(id),
            member.groupID == group.id
        else { throw ChatError.inGroup(.memberNotFound(GroupMemberID(0))) }
        return member
    }
}

extension Form where Command: Sendable {
    /// `/_switch #1 2` and `/switch #name @member`: a member by the numbers, and by the names.
    static func ofMember<each Value: Sendable>(
        _ words: String, named: String, _ group: @escaping @Sendable (Command) -> GroupTarget,
        _ member: @escaping @Sendable (Command) -> MemberTarget, aliases: [String] = [],
        _ arguments: repeat Argument<Command, each Value>,
        make: @escaping @Sendable (GroupTarget, MemberTarget, repeat each Value) -> Command
    ) -> [Form] {
        [Form(words, .group(group), .members(member), repeat each arguments, make: make)]
            + ([named] + aliases).map {
                Form($0, .signedGroupName(group), .memberName(member), repeat each arguments, make: make)
            }
    }
}
