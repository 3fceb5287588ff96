import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import SecureTransport
import TestSupport
import Testing

/// Services over real connections, with client certificates in TLS.
@Suite(.timeLimit(.minutes(60))) struct ServiceConnectionTests {
    private func subscribe(
        _ world: RelayWorld, _ client: LoopbackClient, _ service: TestService, notifications: Bool = false
    ) throws -> RelayMessage {
        try world.ask(
            client, notifications ? .nsubs(ServiceQueues.none) : .subs(ServiceQueues.none),
            of: #require(client.serviceID), key: .ed25519(service.key))
    }

    private func tags(_ client: LoopbackClient) -> [MessageTag] {
        client.received.filter(\.0.isEmpty).map(\.2.tag)
    }

    @Test func service_receives_from_all_queues_after_restart() throws {
        let world = try RelayWorld()
        let service = try TestService()
        let client = try world.connect(service: service)
        let id = try #require(client.serviceID)
        let queues = try (0..<3).map { _ in try world.makeQueue(client) }
        let all = ServiceQueues(queues.map(\.recipientID))
        #expect(try subscribe(world, client, service) == .soks(all))
        try world.run("all waiting messages were sent") { tags(client).contains(.alls) }
        world.stop()
        try world.start()
        let sender = try world.connect(version: 20)
        let send = ClientCommand.send(MessageFlags(notifies: false), body: Bytes("hello".utf8))
        #expect(try world.ask(sender, send, of: queues[1].senderID) == .ok)
        let renewed = try service.again(), second = try world.connect(service: renewed)
        #expect(second.serviceID == id)
        #expect(try subscribe(world, second, renewed) == .soks(all))
        try world.run("the message and the end come") { tags(second).contains(.alls) }
        #expect(tags(second) == [.msg, .alls])
        let message = try #require(second.received.first { $0.2.tag == .msg })
        #expect(try queues[1].read(message.2) == "hello")
        // A third session takes over, and the second one is told what it lost.
        let third = try service.again(), last = try world.connect(service: third)
        #expect(try subscribe(world, last, third) == .soks(all))
        try world.run("the former session is told") { tags(second).contains(.ends) }
        #expect(second.received.last?.1 == id)
        #expect(second.received.last?.2 == .ends(all))
        try world.run("the message comes again") { tags(last).contains(.alls) }
        #expect(tags(last) == [.msg, .alls])
    }

    @Test func notifier_service_is_subscribed_with_a_hash() throws {
        let world = try RelayWorld()
        let client = try world.connect(version: 20)
        let queue = try world.makeQueue(client)
        let notifier = AuthorizationPrivateKey.ed25519(Ed25519.PrivateKey(random: SystemRandom()))
        let dhKey = X25519.PrivateKey(random: SystemRandom())
        let made = try world.ask(
            client, .nkey(NotifierKeys(authorizationKey: notifier.publicKey, dhKey: dhKey.publicKey)),
            of: queue.recipientID, key: queue.recipientKey)
        guard case .nid(let ids) = made else {
            Issue.record("\(made)")
            return
        }
        let service = try TestService(.notifier), session = try world.connect(service: service)
        let id = try #require(session.serviceID)
        #expect(try world.ask(session, .nsub, of: ids.notifierID, key: notifier) == .sok(serviceID: id))
        #expect(
            try subscribe(world, session, service, notifications: true) == .soks(ServiceQueues([ids.notifierID])))
        // SECURITY: the role of a certificate does not change.
        let other = try world.connect(service: TestService(.messaging, certificates: service.certificates))
        #expect(other.serviceAnswer == .refused(.badService))
    }

    @Test func certificate_without_its_key_is_refused() throws {
        let world = try RelayWorld()
        let service = try TestService(), other = try TestService()
        // The hello is that of the service, but TLS proves another certificate.
        let server = try #require(world.server)
        let client = try LoopbackClient(
            port: server.port, fingerprint: server.address.fingerprint, loop: world.loop, version: 20,
            context: other.context(), service: service)
        try world.run("the service is answered") { client.serviceAnswer != nil || client.end != nil }
        #expect(client.serviceAnswer == .refused(.badAuthorization))
    }
}
