import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
import TestSupport
import Testing

/// Requests to an address, as values.
@Suite struct AddressConnectionTests {
    private static func owner(seed: UInt64) throws -> TestSide {
        let random = SeededRandom(seed: seed)
        return TestSide(
            connection: .address(try TestSide.queue(random, mode: .contact)), random: random)
    }

    private static func requester(
        _ owner: TestSide, seed: UInt64, _ information: Bytes = Bytes("requester".utf8)
    ) throws -> TestSide {
        let random = SeededRandom(seed: seed)
        guard case .contact(let queues)? = owner.connection.address else { throw DecodeError.invalid("address") }
        let (connection, step) = try Connection.requester(
            queues, information: information, replyServer: TestSide.server, random: random, postQuantum: .off)
        var side = TestSide(connection: connection, random: random)
        side.take(step)
        return side
    }

    @Test func aRequestIsAnInvitationToItsSender() throws {
        var owner = try Self.owner(seed: 1), requester = try Self.requester(owner, seed: 2)
        let request = try requester.work()
        #expect(request.count == 1 && requester.events == [.joined])
        try owner.receive(request)
        guard case .req(.invitation(let queues, let offer), let information)? = owner.events.first else {
            Issue.record("the owner is asked")
            return
        }
        #expect(information == Bytes("requester".utf8))
        #expect(requester.connection.invitation == .invitation(queues, offer))
        // The owner joins, and is no part of the address any more.
        let random = SeededRandom(seed: 3)
        let (connection, step) = try Connection.joiner(
            queues, offer, information: Bytes("owner".utf8), replyServer: TestSide.server, random: random,
            postQuantum: .off)
        var accepting = TestSide(connection: connection, random: random)
        accepting.take(step)
        try requester.receive(try accepting.work())
        #expect(requester.events == [.joined, .conf(information: Bytes("owner".utf8), supportsPostQuantum: false)])
        try requester.allow()
        try accepting.receive(try requester.work())
        #expect(accepting.connection.status == .ready && requester.connection.status == .ready)
        try accepting.send("welcome")
        try requester.receive(try accepting.work())
        #expect(requester.messages.map(\.text) == ["welcome"])
        // Many may use the address.
        #expect(owner.connection.status == .new && owner.connection.address != nil)
    }

    @Test func repeated_request_is_recognized() throws {
        let owner = try Self.owner(seed: 4)
        var first = try Self.requester(owner, seed: 5), second = try Self.requester(owner, seed: 6)
        let envelope = AgentEnvelope(version: 7, .invitation(link: "simplex:/invitation#/?v=2-7", info: [1]))
        guard case .contact(let queues)? = owner.connection.address,
            let target = queues.first.agreed(with: MessageEnvelope.versions), let queue = owner.connection.receiveQueue
        else { throw DecodeError.invalid("address") }
        var bodies: Set<Bytes> = [], hashes: Set<Bytes?> = []
        for _ in 0..<3 {
            guard case .send(_, let body) = try target.requesting(envelope.encoded, random: first.random) else {
                return
            }
            bodies.insert(body)
            hashes.insert(try queue.open(body).repetitionHash)
        }
        #expect(bodies.count == 3 && hashes.count == 1)
        for body in try first.work() + second.work() { hashes.insert(try queue.open(body).repetitionHash) }
        #expect(hashes.count == 3 && !hashes.contains(nil))
    }

    /// Hosts of `!` grow fivefold when the request is written again, which is how it is kept.
    @Test func requests_that_grow_when_they_are_written_are_refused() throws {
        var owner = try Self.owner(seed: 9), person = try Self.requester(owner, seed: 10)
        _ = try person.work()
        guard case .contact(let queues)? = owner.connection.address,
            let target = queues.first.agreed(with: MessageEnvelope.versions)
        else { throw DecodeError.invalid("address") }
        for count in [2, 56] {
            let hosts = Array(repeating: String(repeating: "!", count: 250), count: count).joined(separator: ",")
            let link = LinkWithHosts.text(hosts)
            let envelope = AgentEnvelope(version: 7, .invitation(link: link, info: [])).encoded
            guard case .send(_, let body) = try target.requesting(envelope, random: owner.random) else { return }
            if count == 2 {
                try owner.receive(body)
            } else {
                #expect(throws: ReceptionError.self) { try owner.receive(body) }
            }
        }
        #expect(owner.events.count == 1)
    }

    private enum LinkWithHosts {
        /// An invitation whose queue is of version 1, with further hosts.
        static func text(_ hosts: String) -> String {
            let key = X25519.PrivateKey(random: SystemRandom()).publicKey
            let offer = X3DHPrivateKeys(proposesKEM: false, random: RandomRatchetKeys(SystemRandom())).offer(
                RatchetVersion.supported)
            let location = QueueLocation(
                server: ServerAddress(
                    hosts: [.domain("relay.example")], port: nil, fingerprint: Bytes(repeating: 1, count: 32)),
                senderID: EntityID(Bytes(repeating: 1, count: 24)), dhKey: key, mode: .messaging)
            let queues = ConnectionQueues(
                versions: AgentVersion.supported,
                queues: [QueueAddress(versions: VersionRange(1, 4), location: location)])
            let whole = ConnectionRequest.invitation(queues, offer).description
            // The address of the queue is escaped inside of the link.
            return whole.replacing("%26dh%3D", with: "%26srv%3D\(hosts.replacing(",", with: "%2C"))%26dh%3D")
        }
    }

    @Test func onlyInvitationsAreRequests() throws {
        var owner = try Self.owner(seed: 7)
        guard case .contact(let queues)? = owner.connection.address,
            let target = queues.first.agreed(with: MessageEnvelope.versions), let link = owner.connection.address
        else { throw DecodeError.invalid("address") }
        func send(_ content: AgentEnvelope.Content) throws {
            let envelope = AgentEnvelope(version: 7, content).encoded
            guard case .send(_, let body) = try target.requesting(envelope, random: owner.random) else { return }
            try owner.receive(body)
        }
        #expect(throws: ReceptionError.unexpected) { try send(.message(encrypted: [1])) }
        #expect(throws: ReceptionError.unexpected) { try send(.confirmation(nil, encrypted: [1])) }
        #expect(throws: ReceptionError.unexpected) { try send(.invitation(link: link.description, info: [])) }
        #expect(throws: ReceptionError.self) { try send(.invitation(link: "simplex:/nothing", info: [])) }
        #expect(owner.events.isEmpty && owner.tasks.isEmpty)
        // Whoever is no address is asked for nothing.
        var pair = try TestPair(seed: 8)
        let envelope = AgentEnvelope(version: 7, .invitation(link: link.description, info: []))
        let queue = try #require(pair.initiator.connection.receiveQueue)
        let other = AgreedQueueAddress(version: 4, location: queue.location)
        guard case .send(_, let body) = try other.requesting(envelope.encoded, random: owner.random) else { return }
        #expect(throws: ReceptionError.repeated) { try pair.initiator.receive(body) }
    }

    @Test func informationMustFitTheRequest() throws {
        let owner = try Self.owner(seed: 9)
        var limit = 0
        do {
            _ = try Self.requester(owner, seed: 10, Bytes(repeating: 0, count: 20_000))
        } catch Connection.Failure.tooLarge(let found) {
            limit = found
        }
        #expect(limit > 14_000)
        var largest = try Self.requester(owner, seed: 11, Bytes(repeating: 0, count: limit))
        #expect(try largest.work().count == 1)
        #expect(throws: Connection.Failure.tooLarge(limit: limit)) {
            try Self.requester(owner, seed: 12, Bytes(repeating: 0, count: limit + 1))
        }
    }

    @Test func deleting_address_deletes_its_link() throws {
        var owner = try Self.owner(seed: 13)
        owner.take(owner.connection.delete())
        let names = owner.tasks.map { task in
            switch task {
            case .deleteLink: "LDEL"
            case .deleteReceiveQueue: "DEL"
            default: "other"
            }
        }
        #expect(names == ["LDEL", "DEL"] && owner.connection.address == nil)
    }
}
