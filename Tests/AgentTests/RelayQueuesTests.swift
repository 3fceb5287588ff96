import AgentProtocol
import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing

@testable import Agent

/// The counts of the queues at a relay.
@Suite struct RelayQueuesTests {
    private func subscription(_ number: UInt8, at relay: RelayQueues) -> Subscription {
        let server = ServerAddress(
            hosts: [.ipv4("127.0.0.1")], port: 5223, fingerprint: Bytes(repeating: 1, count: 32))
        let key = Ed25519.PrivateKey(random: SeededRandom(seed: UInt64(number)))
        let queue = Subscribable(
            connectionID: ConnectionID(Int64(number)), profileID: ProfileID(1), server: server,
            recipientID: EntityID(Bytes(repeating: number, count: 24)), key: .ed25519(key), role: .current)
        let subscription = Subscription(queue, at: relay)
        relay.add(subscription)
        return subscription
    }

    @Test func a_queue_that_is_removed_while_it_is_read_is_counted_once() {
        let relay = RelayQueues()
        let removed = subscription(1, at: relay), other = subscription(2, at: relay)
        #expect(relay.unfinished == 2)
        removed.state = .busy
        relay.remove(removed)
        #expect(relay.unfinished == 1)
        // The relay answers the acknowledgement of the last message.
        removed.state = .empty
        #expect(relay.unfinished == 1)
        relay.remove(removed)
        other.state = .empty
        #expect(relay.unfinished == 0 && relay.count == 1)
    }
}
