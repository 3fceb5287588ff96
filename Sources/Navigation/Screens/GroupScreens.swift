public import ByteCoding
public import JSONCoding

/// A screen of one group without further values, whose address is its word after the chat.
public protocol GroupBound: Screen {
    /// The number of the group.
    var group: Int64 { get }
    /// Creates the screen of a group.
    init(group: Int64)
}

extension GroupBound {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(group: try fields.integer("group"))
    }

    /// The fields of the JSON form.
    public var fields: JSONObject { ["group": .integer(group)] }
    /// The group.
    public var subjects: [Subject] { [Subject(.group, group)] }
    /// The chat of the group.
    public var parent: (any Screen)? { ChatScreen(.group(group)) }

    /// Reads the word after the chat of a group.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> Self? {
        guard case .group(let group)? = (parent.value as? ChatScreen)?.chat, reader.skip(word) else { return nil }
        return Self(group: group)
    }
}

/// The members of a group.
public struct MembersScreen: GroupBound {
    /// The name of the type in stored paths.
    public static let name = "members"
    /// The word in addresses.
    public static let word = "members"

    /// The number of the group.
    public let group: Int64

    /// Creates a members screen from its parts.
    public init(group: Int64) {
        self.group = group
    }
}

/// The link through which others join a group.
public struct GroupLinkScreen: GroupBound {
    /// The name of the type in stored paths.
    public static let name = "group-link"
    /// The word in addresses.
    public static let word = "link"

    /// The number of the group.
    public let group: Int64

    /// Creates a group link screen from its parts.
    public init(group: Int64) {
        self.group = group
    }
}

/// The permissions of the members of a group.
public struct GroupPreferencesScreen: GroupBound {
    /// The name of the type in stored paths.
    public static let name = "group-preferences"
    /// The word in addresses.
    public static let word = "preferences"

    /// The number of the group.
    public let group: Int64

    /// Creates a group preferences screen from its parts.
    public init(group: Int64) {
        self.group = group
    }
}

/// The members of a group that wait for its moderators.
public struct SupportScreen: GroupBound {
    /// The name of the type in stored paths.
    public static let name = "support"
    /// The word in addresses.
    public static let word = "support"

    /// The number of the group.
    public let group: Int64

    /// Creates a support screen from its parts.
    public init(group: Int64) {
        self.group = group
    }
}

/// The chat of a member with the moderators of a group.
public struct SupportChatScreen: Screen {
    /// The name of the type in stored paths.
    public static let name = "support-chat"
    /// The word in addresses. It has none of its own: the name of the member follows the list.
    public static let word = "support-chat"

    /// The number of the group.
    public let group: Int64
    /// The number of the member, which may be the user.
    public let member: Int64

    /// Creates a support chat screen from its parts.
    public init(group: Int64, member: Int64) {
        (self.group, self.member) = (group, member)
    }

    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(group: try fields.integer("group"), member: try fields.integer("member"))
    }

    /// The fields of the JSON form.
    public var fields: JSONObject { ["group": .integer(group), "member": .integer(member)] }
    /// The group. A member that is gone is shown as such.
    public var subjects: [Subject] { [Subject(.group, group)] }
    /// The list of support chats.
    public var parent: (any Screen)? { SupportScreen(group: group) }
    /// The name of the member.
    public var addressParts: [AddressPart] { [.member(member, group: group)] }

    /// Reads a name after the list of support chats.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> SupportChatScreen? {
        guard let group = (parent.value as? SupportScreen)?.group else { return nil }
        return SupportChatScreen(group: group, member: try await reader.member(of: group))
    }
}

/// A member of a group.
public struct MemberScreen: Screen {
    /// The name of the type in stored paths.
    public static let name = "member"
    /// The word in addresses. It has none of its own: the name of the member follows the list.
    public static let word = "member"

    /// The number of the group.
    public let group: Int64
    /// The number of the member.
    public let member: Int64

    /// Creates a member screen from its parts.
    public init(group: Int64, member: Int64) {
        (self.group, self.member) = (group, member)
    }

    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(group: try fields.integer("group"), member: try fields.integer("member"))
    }

    /// The fields of the JSON form.
    public var fields: JSONObject { ["group": .integer(group), "member": .integer(member)] }
    /// The group. A member that is gone is shown as such.
    public var subjects: [Subject] { [Subject(.group, group)] }
    /// The list of members.
    public var parent: (any Screen)? { MembersScreen(group: group) }
    /// The name of the member.
    public var addressParts: [AddressPart] { [.member(member, group: group)] }

    /// Reads a name after the list of members.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> MemberScreen? {
        guard let group = (parent.value as? MembersScreen)?.group else { return nil }
        return MemberScreen(group: group, member: try await reader.member(of: group))
    }
}
