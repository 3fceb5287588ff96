import AgentProtocol
import ChatProtocol
import SMPProtocol

/// Finds what a command names, as far as its caller may know of it.
///
/// Each function throws the ``ChatError`` for what is not there.
struct Lookup {
    let store: ChatStore

    init(_ store: ChatStore) {
        self.store = store
    }

    // MARK: - Profiles

    /// True if the caller may know of a profile. The active one is what everybody sees.
    func isVisible(_ profile: OwnProfile) -> Bool {
        !profile.isHidden || profile.isActive || OpenedProfiles.ids.contains(profile.id)
    }

    /// All profiles that the caller may know of.
    func visibleProfiles() throws -> [OwnProfile] {
        try store.profiles().filter(isVisible)
    }

    /// The profile that an event belongs to, hidden or not.
    func owner(_ id: ProfileID) throws -> OwnProfile {
        guard let profile = try store.profile(id) else { throw ChatError.profileNotFound(id) }
        return profile
    }

    /// A profile that the caller may know of.
    func profile(_ id: ProfileID) throws -> OwnProfile {
        guard let profile = try store.profile(id), isVisible(profile) else { throw ChatError.profileNotFound(id) }
        return profile
    }

    /// The profile of a command: the active one if it names none.
    func profile(_ id: ProfileID?) throws -> OwnProfile {
        if let id { try profile(id) } else { try activeProfile() }
    }

    func activeProfile() throws -> OwnProfile {
        guard let profile = try store.activeProfile() else { throw ChatError.noActiveProfile }
        return profile
    }

    // MARK: - Contacts and connections

    func contact(_ id: ContactID) throws -> Contact {
        guard let contact = try store.contact(id) else { throw ChatError.contactNotFound(id) }
        return contact
    }

    /// The contact of a connection, with that connection, which need not be its current one; nil if it has none.
    func contact(through connection: ContactConnection) throws -> Contact? {
        guard var contact = try connection.contactID.map({ try contact($0) }) else { return nil }
        contact.connection = connection
        return contact
    }

    /// The contact of a command about what only contacts have.
    func contact(_ target: ChatTarget) throws -> Contact {
        let chat = try chat(target)
        guard let contact = chat.contact else { throw ChatError.contactNotActive(chat.name) }
        return contact
    }

    /// A contact as it is now, with its profile.
    func info(_ id: ContactID) throws -> ContactInfo {
        let contact = try contact(id)
        return ContactInfo(try profile(contact.profileID), contact)
    }

    /// The connection of an active contact, with its profile.
    func connected(_ chat: ChatTarget) throws -> (OwnProfile, Contact, ConnectionID) {
        let contact = try contact(chat)
        guard contact.status == .active, let connection = contact.connection, connection.status != .failed else {
            throw ChatError.contactNotActive(contact.name)
        }
        return (try profile(contact.profileID), contact, connection.id)
    }

    func connection(_ id: ConnectionID) throws -> ContactConnection {
        guard let connection = try store.connection(id) else { throw ChatError.connectionNotFound(id) }
        return connection
    }

    /// A connection that has no contact, with its profile.
    func pending(_ id: ConnectionID) throws -> (OwnProfile, ContactConnection) {
        let connection = try connection(id)
        guard connection.contactID == nil, connection.memberID == nil, connection.status != .deleted,
            try !store.isAddress(id),
            let profile = try store.profile(connection.profileID), isVisible(profile)
        else { throw ChatError.connectionNotFound(id) }
        return (profile, connection)
    }

    func address(of profile: OwnProfile) throws -> Address {
        guard let address = try store.address(of: profile.id) else { throw ChatError.noAddress }
        return address
    }

    func request(_ target: RequestTarget) throws -> ReceivedRequest {
        switch target {
        case .id(let id):
            guard let request = try store.request(id) else { throw ChatError.requestNotFound(id) }
            return request
        case .name(let name):
            let named = try store.requests(named: name, of: try activeProfile().id)
            guard let request = NameMatch(named, isLiving: { $0.connectionID == nil }).newest else {
                throw ChatError.requestNotFoundByName(name)
            }
            return request
        }
    }

    // MARK: - Chats and items

    func chat(_ reference: ChatReference) throws -> Chat {
        guard let chat = try store.chat(reference) else { throw ChatError.chatNotFound(reference) }
        return chat
    }

    /// The chat of a command. A chat of a hidden profile exists only for callers that know the password.
    func chat(_ target: ChatTarget) throws -> Chat {
        switch target {
        case .reference(let reference):
            let chat = try self.chat(reference)
            guard try isVisible(chat) else { throw ChatError.chatNotFound(reference) }
            return chat
        case .name(let name):
            guard let chat = try store.chat(named: name, of: try activeProfile().id) else {
                throw ChatError.contactNotFoundByName(name)
            }
            return chat
        case .groupName(let name):
            return .group(try group(GroupTarget.name(name)))
        case .channel(let id):
            guard var group = try chat(.reference(.group(id))).group else { throw ChatError.groupNotFound(id) }
            guard group.isChannel else { throw ChatError.commandSyntax }
            guard group.membership.role == .owner else { throw ChatError.inGroup(.role(group, required: .owner)) }
            group.speaksAsChannel = true
            return .group(group)
        case .support(let id, let memberID):
            guard let group = try chat(.reference(.group(id))).group else { throw ChatError.groupNotFound(id) }
            guard let memberID, memberID != group.membership.id else {
                return .group(group.supporting(group.membership))
            }
            guard let member = try store.member(memberID), member.groupID == id else {
                throw ChatError.inGroup(.memberNotFound(memberID))
            }
            return .group(group.supporting(member))
        }
    }

    /// A group of a command, or what is meant of it.
    func group(_ target: ChatTarget) throws -> Group {
        let chat = try chat(target)
        guard let group = chat.group else { throw ChatError.contactNotFoundByName(chat.name) }
        return group
    }

    /// A member of a group.
    func member(_ id: GroupMemberID, of group: Group) throws -> GroupMember {
        guard let member = try store.member(id), member.groupID == group.id else {
            throw ChatError.inGroup(.memberNotFound(id))
        }
        return member
    }

    /// A member with a connection, with its group and the profile.
    func connected(
        _ member: MemberTarget, of group: GroupTarget
    ) throws -> (OwnProfile, Group, GroupMember, ConnectionID) {
        let group = try self.group(group), member = try self.member(member, of: group)
        guard let connection = member.connection, connection.status != .failed, connection.status != .deleted else {
            throw ChatError.membership(.memberNotActive)
        }
        return (try profile(group.profileID), group, member, connection.id)
    }

    /// A group where the conversation is meant that an entry belongs to.
    func scope(_ chat: Chat, of item: ChatItem) throws -> Chat {
        guard let group = chat.group, group.supportID != item.supportID else { return chat }
        return .group(group.supporting(try item.supportID.flatMap { try store.member($0) }))
    }

    private func isVisible(_ chat: Chat) throws -> Bool {
        try store.profile(chat.profileID).map(isVisible) ?? false
    }

    func item(_ id: ChatItemID) throws -> ChatItem {
        guard let item = try store.item(id) else { throw ChatError.itemNotFound(id) }
        return item
    }

    /// The last message of a chat that begins with a text, as people name one.
    func item(_ beginning: String, _ direction: ChatItem.Direction? = nil, in chat: ChatTarget) throws -> ChatItemID {
        let chat = try self.chat(chat)
        guard let id = try store.lastMessage(beginning: beginning, direction, in: chat.reference) else {
            throw ChatError.itemNotFoundByText(beginning)
        }
        return id
    }

    /// An item of a profile that the caller may know of.
    func visibleItem(_ id: ChatItemID) throws -> LocatedItem {
        let item = try item(id), chat = try chat(item.chat)
        guard try isVisible(chat) else { throw ChatError.itemNotFound(id) }
        return LocatedItem(chat: try scope(chat, of: item), item: item)
    }

    /// Items with their chats.
    func locate(_ items: [ChatItem]) throws -> [LocatedItem] {
        var chats: [ChatReference: Chat] = [:]
        return try items.map { item in
            let chat = try chats[item.chat] ?? chat(item.chat)
            chats[item.chat] = chat
            return LocatedItem(chat: try scope(chat, of: item), item: item)
        }
    }
}
