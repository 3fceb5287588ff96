import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
import TestSupport

/// One side of a connection: a person of the simulation and its connection.
struct SimulatedEnd: Hashable, Comparable {
    let person: Int
    let connection: ConnectionID

    static func < (left: SimulatedEnd, right: SimulatedEnd) -> Bool {
        (left.person, left.connection.number) < (right.person, right.connection.number)
    }
}

/// A piece of a conversation between two agents.
struct SimulatedPacket {
    enum Content {
        /// Somebody asks at an address, with a link for the answer.
        case request(ConnectionRequest, Bytes)
        case confirmation(Bytes, from: SimulatedEnd)
        case information(Bytes)
        case hello
        case message(Bytes, token: Bytes)
    }

    let content: Content
    let target: SimulatedEnd
    /// The place of the packet among those of its sender, for those that come twice.
    let number: Int
    let source: SimulatedEnd
    /// When a relay accepted it.
    var relayTime = Timestamp(milliseconds: 0)
}

/// Time, chance, links, and the queues of all relays. Order is kept in each queue and nowhere else.
final class SimulatedRelays {
    private(set) var now = Timestamp(milliseconds: 1_700_000_000_000)
    var random: SeededRandom
    private var queues: [SimulatedEnd: [SimulatedPacket]] = [:]
    private var ends: [Bytes: SimulatedEnd] = [:]
    private static let ratchetKey = X448.PrivateKey(random: SeededRandom(seed: 448)).publicKey
    private static let queueKey = X25519.PrivateKey(random: SeededRandom(seed: 25519)).publicKey

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    func pass(_ duration: Duration) { now = now + duration }

    /// True once in a while.
    func happens(_ percent: Double) -> Bool { Double.random(in: 0..<100, using: &random) < percent }

    // MARK: - Links

    /// Makes the link of a connection.
    func link(to end: SimulatedEnd, isAddress: Bool, clientText: String? = nil) -> ConnectionRequest {
        let senderID = random.bytes(24)
        ends[senderID] = end
        let location = QueueLocation(
            server: Workbench.otherServer, senderID: EntityID(senderID), dhKey: SimulatedRelays.queueKey,
            mode: isAddress ? .contact : .messaging)
        let queues = ConnectionQueues(
            versions: VersionRange(2, 7), queues: [QueueAddress(versions: VersionRange(1, 4), location: location)],
            clientText: clientText)
        guard !isAddress else { return .contact(queues) }
        let key = SimulatedRelays.ratchetKey
        return .invitation(queues, RatchetOffer(versions: VersionRange(2, 3), key1: key, key2: key, kemKey: nil))
    }

    func end(of link: ConnectionLink) -> SimulatedEnd? {
        guard case .full(let request) = link else { return nil }
        return request.queues.queues.first.flatMap { ends[$0.location.senderID.bytes] }
    }

    // MARK: - Queues

    func accept(_ packet: SimulatedPacket) {
        var packet = packet
        packet.relayTime = now
        queues[packet.target, default: []].append(packet)
    }

    /// The queues of a person that are not empty, in an order of their own.
    func filled(of isIncluded: (Int) -> Bool) -> [SimulatedEnd] {
        queues.filter { !$0.value.isEmpty && isIncluded($0.key.person) }.keys.sorted().shuffled(using: &random)
    }

    /// The first packet of a queue, which stays there if its acknowledgement is lost.
    func take(from end: SimulatedEnd, staying: Bool) -> SimulatedPacket? {
        guard let packet = queues[end]?.first else { return nil }
        if !staying { queues[end]?.removeFirst() }
        return packet
    }
}
