import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store
import Testing

@testable import ChatCore

/// A kind of conversation in which messages are played.
enum ConversationKind: String, CaseIterable, Sendable {
    case direct
    case notes
    /// A group of two members.
    case group
    /// The conversation of a member with the only moderator of a group.
    case support

    /// True if there is another side that gets messages and sends some.
    var hasPeer: Bool { self != .notes }

    /// The kinds with another side.
    static var withPeer: [ConversationKind] { allCases.filter(\.hasPeer) }

    /// The status of a message that nobody has confirmed yet.
    var written: String { hasPeer ? "snd_new" : "snd_rcvd ok complete" }

    /// The events that the other side gets; none where there is none.
    func told(_ events: [String]) -> [String] { hasPeer ? events : [] }
}

/// A conversation of alice with at most one other side, on a workbench.
final class ConversationBench {
    let kind: ConversationKind
    let bench: Workbench
    let target: ChatTarget
    private let team: GroupBench?
    private let member: GroupMember?
    private let contact: Contact?

    init(_ kind: ConversationKind, fullDelete: Bool = false) throws {
        self.kind = kind
        switch kind {
        case .direct, .notes:
            let bench = try Workbench()
            self.bench = bench
            (team, member) = (nil, nil)
            guard kind == .direct else {
                contact = nil
                target = .reference(.notes(try bench.profiles().openNotes(of: bench.profile()).id))
                return
            }
            contact = try bench.contact()
            target = .reference(.direct(try #require(contact).id))
            if fullDelete { try allowFullDelete() }
        case .group, .support:
            let team = try GroupBench(
                GroupPreferences(["timedMessages": .object(["enable": "on"])]))
            if fullDelete { try team.set(.fullDelete, .init(true)) }
            bench = team.bench
            self.team = team
            contact = nil
            member = try team.member("bob", kind == .support ? .moderator : .member)
            target = kind == .support ? .support(team.id, nil) : team.target
        }
    }

    private func allowFullDelete() throws {
        let allowed: JSONObject = ["fullDelete": .object(["allow": "always"])]
        let contact = try #require(contact)
        try bench.store.transaction { try bench.store.setPreferences(allowed, of: contact.id) }
        let profile = Profile(displayName: "bob", preferences: .object(allowed))
        bench.inbox().handle(bench.message(.profile(profile), from: contact))
        _ = bench.events()
    }

    // MARK: - The process

    private lazy var conversations = bench.conversations()
    private lazy var inbox = bench.inbox()
    private lazy var expiry = bench.expiry()

    /// Starts again over what is on disk, and finishes what a crash interrupted, in the order of a core that opens.
    func recover() throws {
        inbox = bench.inbox()
        bench.agent.handler = { [unowned self] in inbox.handle($0) }
        try inbox.replay()
        try inbox.groups.retryPending()
        try conversations.retryPendingMessages()
    }

    /// Ends the process before anything of `body` is on the chat's disk.
    func crashBeforeStoring(_ body: () throws -> Void) throws {
        try bench.store.database.execute(script: "PRAGMA query_only=ON")
        do {
            try body()
            Issue.record("nothing was stored")
        } catch {
            bench.context.failure = nil
        }
        try bench.store.database.execute(script: "PRAGMA query_only=OFF")
    }

    /// Has an event of the agent recorded. The agent hands it over again until it is.
    private func handle(_ content: AgentEvent.Content) {
        let event = bench.event(connection, content)
        bench.agent.unrecorded.append(event)
        inbox.handle(event)
    }

    // MARK: - What the user does

    @discardableResult
    func send(
        _ text: String, answering quoted: ChatItemID? = nil, ttl: Int64? = nil, once key: String? = nil
    ) throws -> ChatItem {
        let command = SendMessages(
            target, [ComposedMessage(MessageContent(text), answering: quoted)], once: key, ttl: ttl)
        return try #require(try conversations.send(command).items.first).item
    }

    @discardableResult
    func edit(_ item: ChatItem, _ text: String) throws -> ItemEdited {
        try conversations.edit(EditItem(target, item.id, MessageContent(text)))
    }

    func react(_ item: ChatItem, isAdded: Bool = true) throws {
        let reaction = try #require(Reaction(emoji: "👍"))
        _ = try conversations.react(React(target, item.id, reaction, isAdded: isAdded))
    }

    @discardableResult
    func delete(_ item: ChatItem, _ mode: DeletionMode) throws -> ItemsDeleted {
        try conversations.delete(DeleteItems(target, [item.id], mode))
    }

    @discardableResult
    func drop(_ item: ChatItem) throws -> ItemsDeleted { try conversations.drop(item.id) }

    func info(_ item: ChatItem) throws -> ItemInfo { try conversations.info(item.id, in: target) }

    /// Reads all messages.
    func read() throws {
        let chat = try bench.context.lookup.chat(target)
        try bench.store.transaction {
            try bench.store.markRead(chat.reference, support: chat.group?.supportID, at: bench.now)
        }
        try expiry.schedule()
    }

    // MARK: - What the other side does

    private var scope: MessageScope? { kind == .support ? .support(GroupBench.memberID(1)) : nil }

    private var connection: ConnectionID {
        member?.connection?.id ?? contact?.connection?.id ?? ConnectionID(0)
    }

    func receive(_ event: ChatMessage.Event, _ id: UInt8? = nil) throws {
        let message = ChatMessage(id: id.map(Workbench.sharedID), event: event)
        let received = ReceivedMessage(
            number: 1, hash: [], relayTime: bench.now, integrity: .ok, isPostQuantum: false, body: message.encoded)
        handle(.connection(.msg(received)))
        if let failure = bench.context.failure { throw failure }
        try bench.store.checkSummaries()
    }

    func receive(_ text: String, _ id: UInt8, ttl: Int64? = nil, quote: Quote? = nil) throws {
        try receive(.message(MessageContainer(MessageContent(text), ttl: ttl, quote: quote, scope: scope)), id)
    }

    /// The other side changes what its message says.
    func receiveEdit(of id: UInt8, _ text: String) throws {
        try receive(.update(MessageUpdate(Workbench.sharedID(id), MessageContent(text), scope: scope)))
    }

    func receiveDeletion(of id: UInt8) throws {
        try receive(.deletion(MessageDeletion(Workbench.sharedID(id), scope: scope)))
    }

    /// The other side gives a message of the user a reaction.
    func receiveReaction(to item: ChatItem, isAdded: Bool = true) throws {
        let reaction = try #require(Reaction(emoji: "👍"))
        let author = team == nil ? nil : GroupBench.memberID(1)
        try receive(
            .reaction(
                MessageReaction(try #require(item.sharedID), reaction, isAdded: isAdded, of: author, scope: scope)))
    }

    func delivered(_ item: ChatItem) {
        handle(.sent(token: item.sharedID?.bytes ?? []))
    }

    func confirmed(_ item: ChatItem, isIntact: Bool = true) {
        handle(.rcvd([DeliveryReceipt(token: item.sharedID?.bytes ?? [], isIntact: isIntact)]))
    }

    func refused(_ item: ChatItem) {
        handle(.merr(token: item.sharedID?.bytes ?? [], .refused))
    }

    // MARK: - What is there

    func items() throws -> [ChatItem] {
        let chat = try bench.context.lookup.chat(target)
        return try bench.store.items(in: chat.reference, .last(1000), support: chat.group?.supportID)
    }

    func item(_ id: ChatItemID) throws -> ChatItem? { try bench.store.item(id) }

    /// Each message in one line: its direction, text, status, and what was done to it.
    func lines() throws -> [String] {
        try items().filter { $0.content.isMessage }.map { item in
            var line = "\(item.direction == .sent ? ">" : "<") \(item.content.plainText) \(item.status.text)"
            if item.quotedID != nil { line += ", answers" }
            if item.editedAt != nil { line += ", edited" }
            if item.deletedAt != nil { line += ", deleted" }
            for given in item.reactions { line += given.direction == .sent ? ", own 👍" : ", 👍" }
            return line
        }
    }

    /// The names of the events that the other side gets, in their order.
    func wire() -> [String] {
        bench.agent.sent.filter { $0.connection == connection }.flatMap(\.messages).map(\.event.name)
    }

    var unreadCount: Int {
        get throws {
            let chat = try bench.context.lookup.chat(target)
            guard kind == .support else { return chat.unreadCount }
            return try #require(chat.group).membership.supportChat?.unreadCount ?? 0
        }
    }
}
