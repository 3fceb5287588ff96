import AgentProtocol
import ChatCore
import Commands
import Navigation

/// Reads of the store for screens, each of one thing.
struct StoreReader {
    let core: any Core
    /// Failures in lookups that return nil.
    let failures: StoreFailures
    /// Reads the settings of the terminal from the configuration files.
    var terminalSettings: @Sendable () -> TerminalSettings = { TerminalSettings() }

    func execute<Command: ChatCommand>(_ command: Command) async throws -> Command.Response {
        try await core.execute(command)
    }

    func profiles() async throws -> [OwnProfile] {
        try await execute(ListProfiles()).profiles
    }

    /// The profiles; none if the store cannot be read, which is reported.
    func profilesIfReadable() async -> [OwnProfile] {
        await failures.value { try await profiles() } ?? []
    }

    func profile(_ number: Int64) async throws -> OwnProfile? {
        try await profiles().first { $0.id.number == number }
    }

    /// A chat with its newest entries, or those before one, oldest first.
    func chat(_ chat: ChatReference, _ range: ItemRange = .last(0)) async throws -> (chat: Chat, items: [ChatItem]) {
        let history = try await execute(ReadChat(.reference(chat), range)), target = history.chat.sendingTarget
        guard case .support = target else { return (history.chat, history.items) }
        return (history.chat, try await execute(ReadChat(target, range)).items)
    }

    /// A contact, by its number.
    func contact(_ number: Int64) async throws -> Contact {
        let id = ContactID(number)
        guard let contact = try await chat(.direct(id)).chat.contact else { throw ChatError.contactNotFound(id) }
        return contact
    }

    func chats(of profile: Int64, count: Int?) async throws -> ChatSummaries {
        try await execute(SummarizeChats(ProfileID(profile), count: count))
    }

    func contacts(of profile: Int64) async throws -> [Contact] {
        try await execute(ListContacts(ProfileID(profile))).contacts
    }

    /// The chats of a profile that have unread entries.
    func unread(of profile: Int64) async throws -> [ChatReference: UnreadCount] {
        try await execute(CountUnread(ProfileID(profile))).chats
    }

    func groups(of profile: Int64) async throws -> [Group] {
        try await execute(ListGroups(ProfileID(profile))).groups
    }

    func group(_ id: GroupID) async throws -> Group {
        guard let group = try await chat(.group(id)).chat.group else { throw ChatError.groupNotFound(id) }
        return group
    }

    /// The members of a group besides the user.
    func members(of id: GroupID) async throws -> [GroupMember] {
        try await execute(ListMembers(.id(id))).members.filter { !$0.isUser }
    }

    /// The chat of a member with the moderators of a group, with its newest entries, oldest first.
    func supportChat(_ group: GroupID, _ member: GroupMemberID, count: Int) async throws -> (Chat, [ChatItem]) {
        let history = try await execute(ReadChat(.support(group, member), .last(count)))
        return (history.chat, history.items)
    }

    func hasLink(_ id: GroupID) async throws -> Bool {
        do {
            _ = try await execute(ShowGroupLink(.id(id)))
            return true
        } catch ChatError.membership(.noLink) {
            return false
        }
    }

    func requests(of profile: Int64) async throws -> [ReceivedRequest] {
        try await execute(ListRequests(ProfileID(profile))).requests
    }

    /// The calls that wait for an answer.
    func calls(of profile: Int64) async throws -> [LocatedItem] {
        try await execute(ListCalls(ProfileID(profile))).calls
    }

    func hasAddress(_ profile: Int64) async throws -> Bool {
        do {
            _ = try await execute(ShowAddress(ProfileID(profile)))
            return true
        } catch ChatError.noAddress {
            return false
        }
    }

    func item(_ number: Int64) async throws -> LocatedItem {
        let id = ChatItemID(number)
        guard let item = try await execute(ShowItem(id)).items.first else { throw ChatError.itemNotFound(id) }
        return item
    }

    /// The entries of a conversation that hold words, oldest first.
    func search(_ words: String, in chat: Chat, count: Int) async throws -> [ChatItem] {
        var query = ItemQuery()
        (query.chat, query.words, query.count) = (chat.reference, words, count)
        return try await execute(FindItems(chat.profileID, query)).items.map(\.item)
    }
}

extension StoreReader: Directory {
    func profile(of subject: Subject) async -> Int64? {
        switch subject.kind {
        case .profile: return await failures.value { try await profile(subject.number)?.id.number } ?? nil
        case .message: return await failures.value { try await item(subject.number).chat.profileID.number }
        default:
            guard let chat = ChatSubject(subject) else { return nil }
            return await failures.value { try await self.chat(ChatReference(chat)).chat.profileID.number }
        }
    }

    func isSupported(_ screen: AnyScreen) async -> Bool {
        (try? ScreenViews.registry.renderer(for: screen)) != nil
    }

    func homeKind(of number: Int64) async -> HomeScreen.Kind {
        guard let profile = await failures.value({ try await profile(number) }) ?? nil else { return .chats }
        return StoreReader.homeKind(of: profile)
    }

    static func homeKind(of profile: OwnProfile) -> HomeScreen.Kind {
        profile.home.map { .conversation($0.number) } ?? .chats
    }
}

extension StoreReader: AddressNames {
    func name(of subject: Subject) async -> String? {
        switch subject.kind {
        case .profile: return await failures.value { try await profile(subject.number)?.name } ?? nil
        default:
            guard let chat = ChatSubject(subject) else { return nil }
            return await failures.value { try await self.chat(ChatReference(chat)).chat.name }
        }
    }

    func profile(named name: String) async -> Int64? {
        await profilesIfReadable().first { $0.name == name }?.id.number
    }

    func chat(named name: String, in profile: Int64) async -> ChatSubject? {
        await failures.value { try await execute(FindChat(.name(name), of: ProfileID(profile))) }?.chat.reference
            .subject
    }

    func member(named name: String, of group: Int64) async -> Int64? {
        NameMatch(await everyone(in: group).filter { $0.name == name }) { !$0.status.isGone }.newest?.id.number
    }

    func name(ofMember member: Int64, of group: Int64) async -> String? {
        await everyone(in: group).first { $0.id.number == member }?.name
    }

    /// The members of a group, and the user behind them, whose name may be that of a member.
    private func everyone(in group: Int64) async -> [GroupMember] {
        let list = await failures.value { try await execute(ListMembers(.id(GroupID(group)))) }
        return list.map { $0.members + [$0.group.membership] } ?? []
    }

    func chat(numbered number: Int64) async -> ChatSubject? {
        for chat in [ChatReference.direct(ContactID(number)), .notes(NoteFolderID(number))] {
            if await failures.value({ try await self.chat(chat) }) != nil { return chat.subject }
        }
        return nil
    }
}
