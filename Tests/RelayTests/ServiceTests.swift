import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import SecureTransport
import Store
import TestSupport
import Testing

/// Services: programs with many queues, which subscribe to all of them with one command (SMP v19).
@Suite struct ServiceTests {
    private let fingerprint = Bytes(repeating: 7, count: 32)

    private func all(_ queues: [TestQueue]) -> ServiceQueues { ServiceQueues(queues.map(\.recipientID)) }

    private func subscribe(_ client: CoreClient, _ own: ServiceQueues = .none) throws -> RelayMessage {
        let service = try #require(client.service)
        return try client.ask(.subs(own), of: service.session.id, key: .ed25519(service.key))
    }

    private func texts(_ events: [Answer], _ queues: [TestQueue]) throws -> [String] {
        try events.map { event in
            guard let queue = queues.first(where: { $0.recipientID == event.entityID }) else {
                return "\(event.message.tag)"
            }
            return try queue.read(event.message)
        }
    }

    @Test func aServiceReceivesFromAllOfItsQueues() throws {
        let world = try CoreWorld()
        let service = try world.connect(service: fingerprint), sender = world.connect()
        let id = try #require(service.service).session.id
        let made = try service.makeQueue()
        let owned = try sender.makeQueue(subscribe: false)
        #expect(try service.own(owned, .sub) == .sok(serviceID: id))
        let queues = [made, owned]
        #expect(try subscribe(service) == .soks(all(queues)))
        #expect(try texts(service.takeEvents(), queues) == ["alls"])
        for (queue, text) in zip(queues, ["one", "two"]) { #expect(try sender.send(text, to: queue) == .ok) }
        #expect(try texts(service.takeEvents(), queues) == ["one", "two"])
        #expect(try service.own(made, .ack(messageID: .empty)) == .ok)
        #expect(try sender.send("three", to: made) == .ok)
        #expect(try texts(service.takeEvents(), queues) == ["three"])
        // A repeated SUBS neither repeats messages nor says that all were sent.
        #expect(try subscribe(service) == .soks(all(queues)))
        #expect(service.takeEvents().isEmpty)
    }

    @Test func associationsSurviveARestart() throws {
        let folder = try TemporaryFolder()
        let world = try CoreWorld("\(folder.path)/relay.db")
        let service = try world.connect(service: fingerprint), sender = world.connect()
        let id = try #require(service.service).session.id
        let queues = try (0..<3).map { _ in try service.makeQueue() }
        #expect(try service.own(queues[2], .del) == .ok)
        try world.restart()
        let again = try world.connect(service: fingerprint), other = world.connect()
        #expect(try #require(again.service).session.id == id)
        #expect(try other.send("late", to: queues[1]) == .ok)
        #expect(try other.send("later", to: queues[1]) == .ok)
        #expect(try subscribe(again) == .soks(all([queues[0], queues[1]])))
        #expect(try texts(again.takeEvents(), queues) == ["late", "alls"])
        #expect(try queues[1].read(again.own(queues[1], .ack(messageID: .empty))) == "later")
        withExtendedLifetime(sender) {}
    }

    @Test func anotherSessionTakesOver() throws {
        let world = try CoreWorld()
        let first = try world.connect(service: fingerprint)
        let queues = try (0..<3).map { _ in try first.makeQueue() }
        #expect(try subscribe(first) == .soks(all(queues)))
        let sender = world.connect()
        #expect(try sender.send("one", to: queues[0]) == .ok)
        _ = first.takeEvents()
        let second = try world.connect(service: fingerprint)
        #expect(try subscribe(second) == .soks(all(queues)))
        let id = try #require(first.service).session.id
        #expect(first.takeEvents() == [Answer(.empty, id, .ends(all(queues)))])
        // What was not acknowledged is delivered again.
        #expect(try texts(second.takeEvents(), queues) == ["one", "alls"])
        #expect(try sender.send("two", to: queues[1]) == .ok)
        #expect(try texts(second.takeEvents(), queues) == ["two"])
        #expect(first.takeEvents().isEmpty)
        #expect(try first.own(queues[1], .ack(messageID: .empty)) == .err(.noMessage))
        second.disconnect()
        #expect(try sender.send("three", to: queues[2]) == .ok)
        #expect(try subscribe(first) == .soks(all(queues)))
        #expect(try texts(first.takeEvents(), queues) == ["one", "two", "three", "alls"])
    }

    @Test func anotherClientEndsTheAssociation() throws {
        let world = try CoreWorld()
        let service = try world.connect(service: fingerprint), client = world.connect()
        let queues = try (0..<2).map { _ in try service.makeQueue() }
        #expect(try subscribe(service) == .soks(all(queues)))
        _ = service.takeEvents()
        #expect(try client.own(queues[0], .sub) == .sok(serviceID: nil))
        #expect(service.takeEvents() == [Answer(.empty, queues[0].recipientID, .end)])
        #expect(try client.send("mine", to: queues[0]) == .ok)
        #expect(try texts(client.takeEvents(), queues) == ["mine"])
        #expect(service.takeEvents().isEmpty)
        #expect(try subscribe(service) == .soks(all([queues[1]])))
        #expect(try client.own(queues[1], .del) == .ok)
        #expect(service.takeEvents() == [Answer(.empty, queues[1].recipientID, .deld)])
        let later = try world.connect(service: fingerprint)
        #expect(try subscribe(later) == .soks(.none))
    }

    @Test func manyWaitingMessagesAreDeliveredAsThereIsRoom() throws {
        let world = try CoreWorld()
        let service = try world.connect(service: fingerprint), sender = world.connect()
        var queues: [TestQueue] = []
        for _ in 0..<40 { queues.append(try service.makeQueue()) }
        service.disconnect()
        for queue in queues { #expect(try sender.send("text", to: queue) == .ok) }
        let again = try world.connect(service: fingerprint)
        let session = try #require(again.service)
        world.core.makeRoom(4, for: again.id)
        _ = try again.submit(.subs(ServiceQueues.none), of: session.session.id, key: .ed25519(session.key))
        try world.endTurn(room: 4)
        #expect(again.takeEvents().count == 4)
        #expect(world.core.hasWaiting(again.id))
        var received = 4
        for _ in 0..<20 where world.core.hasWaiting(again.id) {
            world.core.makeRoom(4, for: again.id)
            try world.endTurn(room: 4)
            received += again.takeEvents().count
        }
        #expect(!world.core.hasWaiting(again.id))
        try world.endTurn(room: 4)
        received += again.takeEvents().count
        // All messages, and ALLS.
        #expect(received == 41)
    }

    @Test func onlyAServiceSignsForItself() throws {
        let world = try CoreWorld()
        let service = try world.connect(service: fingerprint), client = world.connect(version: 20)
        let own = try #require(service.service)
        let queue = try service.makeQueue()
        // Without a service there is nothing to subscribe to.
        #expect(try client.ask(.subs(ServiceQueues.none), of: own.session.id, key: .ed25519(own.key)) == .err(.service))
        #expect(try service.ask(.subs(ServiceQueues.none), of: own.session.id, key: ed25519(world)) == .err(.service))
        #expect(
            try service.ask(.subs(ServiceQueues.none), of: queue.recipientID, key: .ed25519(own.key)) == .err(.service))
        #expect(try service.ask(.nsubs(ServiceQueues.none), of: own.session.id, key: .ed25519(own.key)) == .prohibited)
        // A signature is required for SUB, and refused for others.
        func answer(_ command: ClientCommand, from client: CoreClient, _ signature: Bytes?) throws -> RelayMessage? {
            let plain = Transmission(
                correlationID: CorrelationID(random: world.random), entityID: queue.recipientID,
                command: command.encoded(version: 20))
            let authorization = try Authorization.make(
                for: plain.authorized(in: client.session), key: queue.recipientKey,
                correlationID: plain.correlationID, relayKey: client.relayKey.publicKey)
            let signed = Transmission(
                authorization: authorization, serviceSignature: signature, correlationID: plain.correlationID,
                entityID: plain.entityID, command: plain.command)
            world.core.receive(Received(signed.encoded(in: client.session), session: client.session), from: client.id)
            try world.endTurn()
            return client.answers()[plain.correlationID]
        }
        #expect(try answer(.sub, from: service, nil) == .err(.service))
        #expect(try answer(.sub, from: service, Bytes(repeating: 1, count: 64)) == .err(.service))
        #expect(try answer(.sub, from: client, Bytes(repeating: 1, count: 64)) == .err(.service))
        #expect(try answer(.que, from: service, Bytes(repeating: 1, count: 64)) == .err(.service))
        #expect(try answer(.que, from: service, nil)?.tag == .info)
        // A service receives from all of its queues.
        #expect(throws: ProtocolError.command(.prohibited)) { try service.makeQueue(subscribe: false) }
        #expect(throws: TransportError.badService) { try world.connect(service: fingerprint, .notifier) }
    }

    @Test func notifiersBelongToServicesToo() throws {
        let world = try CoreWorld()
        let client = world.connect()
        let service = try world.connect(service: fingerprint, .notifier)
        let own = try #require(service.service)
        let queue = try client.makeQueue(subscribe: false, withNotifier: true)
        let id = try #require(queue.notifierID), key = try #require(queue.notifierKey)
        #expect(try service.ask(.nsub, of: id, key: key) == .sok(serviceID: own.session.id))
        #expect(try service.own(queue, .sub) == .prohibited)
        service.disconnect()
        #expect(try client.send("loud", to: queue) == .ok)
        let again = try world.connect(service: fingerprint, .notifier)
        let session = try #require(again.service)
        #expect(
            try again.ask(.nsubs(ServiceQueues.none), of: session.session.id, key: .ed25519(session.key))
                == .soks(ServiceQueues([id])))
        world.core.deliverNotifications()
        try world.endTurn()
        #expect(again.takeEvents().map(\.message.tag) == [.nmsg])
        #expect(try client.send("again", to: queue) == .ok)
        world.core.deliverNotifications()
        try world.endTurn()
        #expect(again.takeEvents().map(\.entityID) == [id])
        #expect(try client.own(queue, .ndel) == .ok)
        #expect(again.takeEvents() == [Answer(.empty, id, .deld)])
    }

    @Test func servicesAreLimited() throws {
        var rules = RelayRules()
        rules.serviceLimit = 2
        let world = try CoreWorld(rules: rules)
        let first = try world.connect(service: Bytes(repeating: 1, count: 32))
        let second = try world.connect(service: Bytes(repeating: 2, count: 32))
        _ = try first.makeQueue()
        #expect(throws: TransportError.badService) { try world.connect(service: Bytes(repeating: 3, count: 32)) }
        // One without queues gives its place away after its end.
        second.disconnect()
        #expect(throws: Never.self) { try world.connect(service: Bytes(repeating: 3, count: 32)) }
        rules.mayMakeQueue = { _ in false }
        world.core.apply(rules)
        #expect(throws: TransportError.badService) { try world.connect(service: Bytes(repeating: 4, count: 32)) }
        #expect(throws: Never.self) { try world.connect(service: Bytes(repeating: 1, count: 32)) }
    }

    @Test func introductionsAreVerified() throws {
        let (certificates, _) = try RelayCertificates.generate(host: "bot", random: SystemRandom())
        let key = Ed25519.PrivateKey(random: SystemRandom())
        let signed = SignedServiceKey(key.publicKey, signedBy: certificates.key)
        let chain = certificates.chain
        func verify(_ chain: [Bytes], _ der: Bytes, presented: CertificateChain) throws -> ServiceCredentials {
            try ServiceCredentials(
                verifying: ServiceHello(role: .messaging, chain: chain, signedKey: der), presented: presented)
        }
        let credentials = try verify(chain.certificates, signed.der, presented: chain)
        #expect(credentials.fingerprint == SHA256.hash(chain.certificates[1]))
        #expect(credentials.key == key.publicKey)
        #expect(try SignedServiceKey(der: signed.der) == signed)
        Damage.check(signed.der, ignoring: Damage.unusedBits(in: signed.der)) { try SignedServiceKey(der: $0) }
        let other = try RelayCertificates.generate(host: "other", random: SystemRandom()).certificates
        let stranger = SignedServiceKey(key.publicKey, signedBy: other.key)
        // SECURITY: the identity of another service behind an own leaf proves nothing.
        let mixed = CertificateChain([other.chain.certificates[0], chain.certificates[1]])
        #expect(throws: TransportError.badAuthorization) {
            try verify(chain.certificates, stranger.der, presented: chain)
        }
        #expect(throws: TransportError.badAuthorization) {
            try verify(mixed.certificates, stranger.der, presented: mixed)
        }
        #expect(throws: TransportError.badAuthorization) {
            try verify(chain.certificates, signed.der, presented: other.chain)
        }
        #expect(throws: TransportError.badAuthorization) {
            try verify([], signed.der, presented: CertificateChain([]))
        }
    }
}
