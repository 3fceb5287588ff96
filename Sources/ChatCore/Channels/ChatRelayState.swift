import AgentProtocol
import ByteCoding
import Store

/// What a chat relay has and has to do, read from its store.
public struct ChatRelayState: Sendable {
    /// A channel that it serves, or has left.
    public struct Channel: Hashable, Sendable {
        public let group: Group
        /// The number of members without owners and relays.
        public let subscribers: Int
        /// The number of messages that wait for recipients, one for each recipient.
        public let deliveries: Int

        /// True if it passes on what is written there.
        public var isServed: Bool { group.serves }
    }

    /// The profile that is the chat relay; nil if the store has none.
    public let profile: OwnProfile?
    /// The address for owners; nil before it is made.
    public let address: String?
    public let channels: [Channel]
    /// The number of owners whose requests are being carried out.
    public let requests: Int

    public var servedChannels: Int { channels.filter(\.isServed).count }
    public var subscribers: Int { channels.reduce(0) { $0 + $1.subscribers } }
    public var deliveries: Int { channels.reduce(0) { $0 + $1.deliveries } }
}

extension LocalCore {
    /// Sets what the chat relay of the store takes as long as this core is open.
    public func setChatRelayPolicy(_ policy: ChatRelayPolicy) throws(ChatError) {
        groups.relayPolicy = policy
        do { try groups.tellCapabilities() } catch { throw ChatError(error) }
    }

    /// What the chat relay of the store has done since this core was opened.
    public var chatRelayActivity: ChatRelayActivity { groups.relayActivity }

    /// The number of encrypted messages that no message relay has taken yet.
    public func waitingMessages() throws(ChatError) -> Int {
        do { return try agent.waitingMessages() } catch { throw ChatError(error) }
    }

    /// What the chat relay of the store has and has to do.
    public func chatRelayState() throws(ChatError) -> ChatRelayState {
        do {
            let profile = try store.chatRelay().flatMap { try store.profile($0) }
            let groups = try profile.map { try store.groups(of: $0.id) } ?? []
            return ChatRelayState(
                profile: profile, address: try profile.flatMap { try store.address(of: $0.id)?.link.short },
                channels: try groups.filter(\.isServedByUser).map { group in
                    ChatRelayState.Channel(
                        group: group, subscribers: try store.countSubscribers(of: group.id),
                        deliveries: try store.countRelaying(in: group.id))
                }, requests: try store.relayRequests().count)
        } catch {
            throw ChatError(error)
        }
    }
}

extension ChatStore {
    /// The number of members of a channel without its owners and relays.
    fileprivate func countSubscribers(of id: GroupID) throws -> Int {
        try database.first(
            """
            SELECT count(*) FROM group_members WHERE group_id = ? AND category != 'user'
                AND role NOT IN ('owner', 'relay') AND status IN (\(ChatStore.belongingStatuses))
            """, id.number
        ) { row throws(StoreError) in try row.int() } ?? 0
    }

    /// The number of messages of a channel that wait for recipients, one for each recipient.
    fileprivate func countRelaying(in id: GroupID) throws -> Int {
        let members = "category != 'user' AND role != 'relay' AND status IN (\(ChatStore.belongingStatuses))"
        return try database.first(
            """
            SELECT
                (SELECT count(*) FROM relay_tasks AS tasks, group_members AS members
                 WHERE tasks.group_id = ?1 AND members.group_id = ?1 AND \(members)
                     AND members.group_member_id != tasks.sender_id)
                + (SELECT count(*) FROM relay_jobs AS jobs, group_members AS members
                 WHERE jobs.group_id = ?1 AND members.group_id = ?1 AND \(members)
                     AND members.group_member_id > jobs.cursor)
                + (SELECT count(*) FROM group_messages AS messages JOIN group_deliveries AS deliveries
                     USING (group_message_id)
                 WHERE messages.group_id = ?1 AND deliveries.status IN ('owed', 'pending', 'inactive', 'new'))
            """, id.number
        ) { row throws(StoreError) in try row.int() } ?? 0
    }
}
