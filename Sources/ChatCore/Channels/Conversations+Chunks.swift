import AgentProtocol
import ByteCoding
import ChatProtocol

extension Conversations {
    /// Stores a chunk of a roster for relays of a channel. It goes behind what waits for them. Must be called within a
    /// transaction; ``handOver(_:)`` follows it.
    func enqueue(_ chunk: FileChunk, to relays: [GroupMember], of group: Group) throws -> [Int64] {
        let deliveries = try relays.compactMap { relay -> (GroupMemberID, MemberDelivery)? in
            guard let connection = relay.connection, !relay.status.isGone, connection.status != .failed,
                connection.status != .deleted, !connection.isDisabled
            else { return nil }
            let waits = try !connection.status.canSend || store.hasPendingGroupMessages(for: relay.id)
            return (relay.id, waits ? .pending : connection.isInactive ? .inactive : .owed)
        }
        guard !deliveries.isEmpty else { return [] }
        return [
            try store.insertGroupMessage(
                chunk.encoded, token: newSharedID().bytes, notifies: false, items: [], of: group.id, to: deliveries,
                at: now)
        ]
    }
}
