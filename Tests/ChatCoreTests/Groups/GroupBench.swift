import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

@testable import ChatCore

/// A group of alice, with members that are connected with her.
final class GroupBench {
    let bench: Workbench
    let groups: Groups
    let inbox: Inbox
    let id: GroupID
    private var lastMember: UInt8 = 100

    init(role: GroupRole = .member, _ preferences: GroupPreferences = GroupPreferences()) throws {
        let bench = try Workbench()
        self.bench = bench
        groups = bench.groups()
        inbox = bench.inbox()
        id = try bench.store.transaction {
            let id = try bench.store.insertGroup(
                GroupProfile(displayName: "team", fullName: "", preferences: preferences), named: "team",
                of: ProfileID(1), at: bench.now)
            let member = try bench.store.insertMember(
                ChatStore.NewMember(
                    groupID: id, memberID: GroupBench.memberID(1), role: role, category: .user, status: .connected,
                    name: "alice", profile: Profile(displayName: "alice"), contactID: nil, inviter: .unknown,
                    versions: ChatVersion.supported), at: bench.now)
            try bench.store.setMembership(member, of: id)
            return id
        }
    }

    var conversations: Conversations { groups.conversations }

    static func memberID(_ number: UInt8) -> MemberID {
        guard let id = MemberID(Bytes(repeating: number, count: 12)) else { preconditionFailure("a member id") }
        return id
    }

    func group() throws -> Group { try bench.context.lookup.group(.reference(.group(id))) }

    var target: ChatTarget { .reference(.group(id)) }

    /// A member that can be written to.
    func member(
        _ name: String, _ role: GroupRole = .member, _ category: GroupMember.Category = .host,
        status: GroupMember.Status = .connected, isConnected: Bool = true
    ) throws -> GroupMember {
        lastMember += 1
        let memberID = GroupBench.memberID(lastMember)
        let number = try bench.store.transaction {
            try bench.store.take(name, in: ProfileID(1))
            let number = try bench.store.insertMember(
                ChatStore.NewMember(
                    groupID: id, memberID: memberID, role: role, category: category, status: status, name: name,
                    profile: Profile(displayName: name), contactID: nil, inviter: .unknown,
                    versions: ChatVersion.supported), at: bench.now)
            if isConnected {
                let connection = try bench.connection(.ready)
                try bench.store.update(connection, member: number)
            }
            return number
        }
        return try self.member(number)
    }

    /// Adds members that are not connected, until there are so many with the user.
    func fill(to count: Int, withNames takesNames: Bool = false) throws {
        let known = try bench.store.members(of: id).count + 1
        try bench.store.transaction {
            try bench.store.database.run(
                """
                WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
                INSERT INTO group_members (group_id, member_id, role, category, status, name, profile, versions,
                    created_at, updated_at)
                SELECT ?1, CAST(printf('member %06d', n) AS BLOB), 'member', 'pre', 'connected', 'm_' || n,
                    '{"displayName":"m","fullName":""}', '1-16', 0, 0 FROM numbers
                """, id.number, count - known)
            guard takesNames else { return }
            try bench.store.take("m", in: ProfileID(1))
            try bench.store.database.run(
                "INSERT INTO names (profile_id, name) SELECT 1, name FROM group_members WHERE name GLOB 'm_[0-9]*'")
        }
    }

    func member(_ id: GroupMemberID) throws -> GroupMember { try bench.context.lookup.member(id, of: group()) }

    /// Makes another preference hold.
    func set(_ feature: GroupPreferences.Feature, _ setting: GroupPreferences.Setting) throws {
        let group = try group()
        var profile = group.profile, preferences = group.preferences
        preferences[feature] = setting
        profile.preferences = preferences
        try bench.store.transaction { try bench.store.update(id, profile: profile, name: group.name, at: bench.now) }
    }

    // MARK: - Sending

    @discardableResult
    func send(_ text: String, answering quoted: ChatItemID? = nil, to target: ChatTarget? = nil) throws -> ChatItem {
        let sent = try conversations.send(
            SendMessages(target ?? self.target, [ComposedMessage(MessageContent(text), answering: quoted)]))
        guard let item = sent.items.first?.item else { throw ChatError.internal }
        return item
    }

    /// The messages that a member was sent.
    func sent(to member: GroupMember) -> [ChatMessage] {
        bench.agent.sent.filter { $0.connection == member.connection?.id }.flatMap(\.messages)
    }

    // MARK: - Receiving

    /// A message of a member arrives.
    func receive(
        _ event: ChatMessage.Event, _ id: UInt8? = nil, from member: GroupMember, at time: Timestamp? = nil
    ) throws {
        try receive([ChatMessage(id: id.map(Workbench.sharedID), event: event)], from: member, at: time)
    }

    func receive(_ messages: [ChatMessage], from member: GroupMember, at time: Timestamp? = nil) throws {
        for case .payload(let body, _) in ChatPayload.batches(messages.map(\.encoded)) {
            try receive(payload: body, from: member, at: time)
        }
    }

    /// A payload of a member arrives.
    func receive(payload: Bytes, from member: GroupMember, at time: Timestamp? = nil) throws {
        let received = ReceivedMessage(
            number: 1, hash: [], relayTime: time ?? bench.now, integrity: .ok, isPostQuantum: false, body: payload)
        inbox.handle(bench.event(member.connection?.id ?? ConnectionID(0), .connection(.msg(received))))
        if let failure = bench.context.failure { throw failure }
        try bench.store.checkSummaries()
    }

    func receive(
        _ text: String, _ id: UInt8, from member: GroupMember, mentions: Mentions = [:], quote: Quote? = nil,
        scope: MessageScope? = nil, at time: Timestamp? = nil
    ) throws {
        let container = MessageContainer(MessageContent(text), quote: quote, mentions: mentions, scope: scope)
        try receive(.message(container), id, from: member, at: time)
    }

    /// The message of an author as an admin passes it on.
    func forward(
        _ event: ChatMessage.Event, _ id: UInt8, of author: MemberID, named name: String? = nil,
        at time: Timestamp? = nil
    ) -> ChatMessage {
        ChatMessage(
            id: bench.conversations().newSharedID(),
            event: .group(
                .forwarded(
                    ForwardedMessage(
                        ChatMessage(id: Workbench.sharedID(id), event: event), of: author, named: name,
                        at: WireTime(time ?? bench.now)))))
    }

    func delivered(_ item: ChatItem, to member: GroupMember) {
        inbox.handle(
            bench.event(member.connection?.id ?? ConnectionID(0), .sent(token: item.sharedID?.bytes ?? [])))
    }

    func confirmed(_ item: ChatItem, by member: GroupMember) {
        inbox.handle(
            bench.event(
                member.connection?.id ?? ConnectionID(0),
                .rcvd([DeliveryReceipt(token: item.sharedID?.bytes ?? [], isIntact: true)])))
    }

    // MARK: - What is there

    func items(support: GroupMember? = nil) throws -> [ChatItem] {
        try bench.store.allItems(in: .group(id), .last(1000), support: support?.id)
    }

    func texts(support: GroupMember? = nil) throws -> [String] { try items(support: support).map(\.content.plainText) }
}

func text(_ text: String) -> ChatMessage.Event { .message(MessageContainer(MessageContent(text))) }
