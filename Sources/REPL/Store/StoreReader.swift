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

    /// A contact with its newest entries, or those before one, oldest first.
    func chat(_ contact: Int64, _ range: ItemRange = .last(0)) async throws -> (contact: Contact, items: [ChatItem]) {
        let target = ChatTarget.reference(.direct(ContactID(contact)))
        let history = try await execute(ShowChat(target, range))
        return (history.chat, history.items)
    }

    func chats(
        of profile: Int64, count: Int?
    ) async throws -> (chats: [ChatPreview], pending: [ContactConnection]) {
        let list = try await execute(ListChats(ProfileID(profile), includesPending: true, count: count))
        return (list.chats, list.pending)
    }

    func contacts(of profile: Int64) async throws -> [Contact] {
        try await execute(ListContacts(ProfileID(profile))).contacts
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
    func search(_ words: String, in contact: Contact, count: Int) async throws -> [ChatItem] {
        var query = ItemQuery()
        (query.contact, query.words, query.count) = (contact.id, words, count)
        return try await execute(FindItems(contact.profileID, query)).items.map(\.item)
    }
}

extension StoreReader: Directory {
    func profile(of subject: Subject) async -> Int64? {
        switch subject.kind {
        case .profile: return await failures.value { try await profile(subject.number)?.id.number } ?? nil
        case .contact: return await failures.value { try await chat(subject.number).contact.profileID.number }
        case .message: return await failures.value { try await item(subject.number).contact.profileID.number }
        default: return nil
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
        case .contact: return await failures.value { try await chat(subject.number).contact.name }
        default: return nil
        }
    }

    func subject(_ kind: Subject.Kind, named name: String, in profile: Int64?) async -> Subject? {
        switch kind {
        case .profile: return await profilesIfReadable().first { $0.name == name }.map { .profile($0.id.number) }
        case .contact:
            let command = ShowContact(profile.map { ProfileID($0) }, name: name)
            guard let contact = await failures.value({ try await execute(command).contact }) else { return nil }
            return .contact(contact.id.number)
        default: return nil
        }
    }
}
