import AgentProtocol
import ByteCoding
import ChatProtocol
import Synchronization

@testable import ChatCore

/// A core that answers from values in memory and records the commands that write.
final class MemoryCore: Core {
    struct State {
        var profiles: [OwnProfile] = []
        var contacts: [Contact] = []
        var items: [LocatedItem] = []
        var calls: [LocatedItem] = []
        var values: [SessionKey: String] = [:]
        var drafts: [Int64: String] = [:]
        var lines: [String] = []
        var stage = OnboardingStage.complete
        /// The error of every command, or of those that write.
        var failure: ChatError?
        var writeFailure: ChatError?
        var commands: [any ChatCommand] = []
        /// The number of all commands, also of those that read.
        var count = 0
    }

    private let state = Mutex(State())

    func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
    }

    /// The commands of a type that were carried out, oldest first.
    func commands<Command: ChatCommand>(_ type: Command.Type) -> [Command] {
        state.withLock { $0.commands.compactMap { $0 as? Command } }
    }

    var texts: [String] {
        commands(SendMessages.self).map { "\($0.number): \($0.messages.map(\.content.text).joined(separator: "|"))" }
    }

    var drafts: [Int64: String] { state.withLock { $0.drafts } }
    var lines: [String] { state.withLock { $0.lines } }
    var count: Int { state.withLock { $0.count } }
    func value(_ key: SessionKey) -> String? { state.withLock { $0.values[key] } }

    func execute<Command: ChatCommand>(_ command: Command) async throws(ChatError) -> Command.Response {
        let result = state.withLock { state -> Result<any ChatResponse, ChatError> in
            state.count += 1
            let failure = state.failure ?? (Command.access == .read ? nil : state.writeFailure)
            if let failure { return .failure(failure) }
            if Command.access != .read { state.commands.append(command) }
            do throws(ChatError) { return .success(try state.answer(to: command)) } catch { return .failure(error) }
        }
        guard let response = try result.get() as? Command.Response else { throw .internal }
        return response
    }
}

extension SendMessages {
    /// The number of the chat.
    var number: Int64 {
        if case .reference(let reference) = chat { reference.number } else { 0 }
    }
}

extension MemoryCore.State {
    fileprivate mutating func answer(to command: any ChatCommand) throws(ChatError) -> any ChatResponse {
        switch command {
        case is ListProfiles: return ProfileList(profiles)
        case let command as ActivateProfile:
            profiles = profiles.map { MemoryCore.profile($0, isActive: $0.id == command.id) }
            return ActiveProfile(try profile(command.id))
        case let command as SummarizeChats:
            let profile = try profile(command.profile)
            let chats = contacts.filter { $0.profileID == profile.id }.map { contact in
                ChatSummary(.direct(contact), items.last { $0.chat.reference == .direct(contact.id) }?.item)
            }
            return ChatSummaries(profile: profile, chats: chats, pending: [])
        case let command as ListContacts:
            let profile = try profile(command.profile)
            return ContactList(profile, contacts.filter { $0.profileID == profile.id })
        case let command as ListRequests: return RequestList(profile: try profile(command.profile), requests: [])
        case let command as ListCalls:
            let profile = try profile(command.profile)
            return CallList(profile, calls.filter { $0.chat.profileID == profile.id })
        case let command as FindChat:
            let profile = try profile(command.profile)
            guard case .name(let name) = command.chat,
                let found = contacts.first(where: { $0.profileID == profile.id && $0.name == name })
            else { throw .contactNotFoundByName("") }
            return ChatInfo(profile: profile, chat: .direct(found))
        case let command as ReadChat: return try history(command)
        case let command as ShowItem:
            guard let item = items.first(where: { $0.item.id == command.item }) else {
                throw .itemNotFound(command.item)
            }
            return ChatItems(profile: try profile(item.chat.profileID), items: [item])
        default: return try sessionAnswer(to: command)
        }
    }

    private mutating func sessionAnswer(to command: any ChatCommand) throws(ChatError) -> any ChatResponse {
        switch command {
        case let command as SetDraft:
            drafts[try contact(command.chat).id.number] = command.draft?.text
            return CommandOK()
        case let command as ShowDraft:
            let contact = try contact(command.chat)
            return ChatDraft(.direct(contact), drafts[contact.id.number].map { Draft(text: $0) })
        case let command as SetSessionValue:
            values[command.key] = command.value
            return CommandOK()
        case let command as ShowSessionValue: return SessionValue(key: command.key, value: values[command.key])
        case let command as AddLine:
            lines.append(command.line)
            return CommandOK()
        case is ListLines: return SessionLines(lines)
        case is ShowOnboarding: return Onboarding(stage)
        case let command as MarkChatRead:
            let contact = try contact(command.chat)
            return CommandOK(try profile(contact.profileID))
        case let command as MarkItemsRead:
            let contact = try contact(command.chat)
            return ItemsRead(profile: try profile(contact.profileID), chat: .direct(contact))
        case let command as RejectCall:
            let contact = try contact(command.chat)
            guard let call = calls.first(where: { $0.chat.reference == .direct(contact.id) }) else {
                throw .noCall(contact.name)
            }
            calls.removeAll { $0.chat.reference == .direct(contact.id) }
            return CallChange(try profile(contact.profileID), call)
        case let command as SendMessages:
            let contact = try contact(command.chat)
            let sent = command.messages.map { message in
                MemoryCore.located(
                    (items.map(\.item.id.number).max() ?? 0) + 1, contact, message.content.text, .sent, .sendNew)
            }
            items += sent
            return MessagesSent.newItems(try profile(contact.profileID), sent)
        default: throw .notesNotFound(NoteFolderID(0))
        }
    }

    private func profile(_ id: ProfileID?) throws(ChatError) -> OwnProfile {
        guard let found = profiles.first(where: { id == nil ? $0.isActive : $0.id == id }) else {
            throw .noActiveProfile
        }
        return found
    }

    private func contact(_ target: ChatTarget) throws(ChatError) -> Contact {
        guard case .reference(.direct(let id)) = target,
            let contact = contacts.first(where: { $0.id == id })
        else { throw .contactNotFound(ContactID(0)) }
        return contact
    }

    private func history(_ command: ReadChat) throws(ChatError) -> ChatHistory {
        let contact = try contact(command.chat)
        let all = items.filter { $0.chat.reference == .direct(contact.id) }.map(\.item)
        let found =
            switch command.range {
            case .last(let count): Array(all.suffix(count))
            case .before(let id, let count): Array(all.filter { $0.id < id }.suffix(count))
            case .after(let id, let count): Array(all.filter { id < $0.id }.prefix(count))
            case .around, .initial: all
            }
        return ChatHistory(profile: try profile(contact.profileID), chat: .direct(contact), items: found)
    }
}

// MARK: - Values

extension MemoryCore {
    static let time = Timestamp(milliseconds: 1_790_000_000_120)

    static func profile(
        _ number: Int64, _ name: String, isActive: Bool = false, isMuted: Bool = false, unread: Int = 0,
        home: Int64? = nil
    ) -> OwnProfile {
        OwnProfile(
            id: ProfileID(number), name: name, profile: Profile(displayName: name), isActive: isActive,
            sendsReceipts: true, isMuted: isMuted, unreadCount: unread, createdAt: time,
            home: home.map { ContactID($0) })
    }

    static func profile(_ profile: OwnProfile, isActive: Bool) -> OwnProfile {
        OwnProfile(
            id: profile.id, name: profile.name, profile: profile.profile, isActive: isActive, sendsReceipts: true,
            isMuted: profile.isMuted, unreadCount: profile.unreadCount, createdAt: time, home: profile.home)
    }

    static func contact(
        _ number: Int64, _ name: String, of profile: Int64 = 1, unread: Int = 0, isMuted: Bool = false
    ) -> Contact {
        let connection = ContactConnection(
            id: ConnectionID(number), profileID: ProfileID(profile), contactID: ContactID(number), status: .ready,
            isInitiated: true, link: nil, shortLink: nil, requestedName: nil,
            version: AgreedChatVersion(peer: VersionRange(1, 16)),
            quantumResistance: QuantumResistance(isWanted: true, protectsSent: true, protectsReceived: true),
            createdAt: time, updatedAt: time, authErrorCount: 0, quotaErrorCount: 0, isRefused: false,
            movesOwnQueue: false, movesContactQueue: false, synchronization: .ok, storedIncognito: nil)
        var contact = Contact(
            id: ContactID(number), profileID: ProfileID(profile), name: name,
            storedProfile: StoredProfile(text: #"{"displayName":"\#(name)","fullName":""}"#), status: .active,
            connection: connection, sendsReceipts: nil, unreadCount: unread, createdAt: time, updatedAt: time,
            activeAt: time)
        contact.isMuted = isMuted
        return contact
    }

    static func located(
        _ number: Int64, _ contact: Contact, _ text: String, _ direction: ChatItem.Direction = .received,
        _ status: ChatItem.Status = .receivedNew
    ) -> LocatedItem {
        located(number, contact, .message(MessageContent(text)), direction, status)
    }

    static func located(
        _ number: Int64, _ contact: Contact, _ content: ChatItem.Content, _ direction: ChatItem.Direction = .received,
        _ status: ChatItem.Status = .receivedNew
    ) -> LocatedItem {
        LocatedItem(
            chat: .direct(contact),
            item: ChatItem(
                id: ChatItemID(number), chat: .direct(contact.id), direction: direction, content: content,
                status: status, sharedID: nil, time: time, createdAt: time, quote: nil, isForwarded: false,
                editedAt: nil, deletedAt: nil, reactions: []))
    }
}
