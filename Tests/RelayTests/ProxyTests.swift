import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import SystemIO
import TestSupport
import Testing

/// A relay as a proxy, with another relay behind it, both on the loop of the test.
@Suite(.timeLimit(.minutes(60))) struct ProxyTests {
    private let send = ClientCommand.send(MessageFlags(notifies: false), body: Bytes("hello".utf8))
    private let blobs = LinkBlobs(fixed: Bytes(repeating: 1, count: 2048), user: Bytes(repeating: 2, count: 13824))

    private func worlds(
        limits: RelayLimits = .loopback, _ change: (inout RelaySettings) throws -> Void = { _ in }
    ) throws -> (near: RelayWorld, far: RelayWorld) {
        let near = try RelayWorld(limits: limits, change)
        return (near, try RelayWorld(on: near.loop))
    }

    /// There are proxies since version 8.
    @Test(arguments: [8, 9, 11, 14, 16, 18] as [UInt16])
    func everyVersionReachesEveryVersion(_ own: UInt16) throws {
        let (near, far) = try worlds()
        let recipient = try far.connect()
        let proxied = try near.proxied(try near.connect(version: own), far.address())
        #expect(proxied.session.versions == VersionRange(8, 20))
        for version in proxied.session.versions.min...proxied.session.versions.max where version != 13 {
            let queue = try far.makeQueue(recipient)
            let key = AuthorizationPrivateKey.x25519(X25519.PrivateKey(random: SystemRandom()))
            if version >= SMP.senderKeys {
                #expect(
                    try near.ask(proxied, .skey(key.publicKey), of: queue.senderID, key: key, version: version) == .ok)
            } else {
                #expect(
                    try far.ask(recipient, .key(key.publicKey), of: queue.recipientID, key: queue.recipientKey) == .ok)
            }
            let body = Bytes(repeating: 65, count: SMP.maximumBody(version: version))
            let largest = ClientCommand.send(MessageFlags(notifies: true), body: body)
            #expect(try near.ask(proxied, largest, of: queue.senderID, key: key, version: version) == .ok)
            try far.run("the message comes") { recipient.received.contains { $0.1 == queue.recipientID } }
            let message = try #require(recipient.received.last { $0.1 == queue.recipientID }).2
            #expect(try queue.read(message).utf8.count == body.count)
            #expect(try near.ask(proxied, send, of: queue.senderID, version: version) == .auth)
            #expect(
                try near.ask(proxied, .sub, of: queue.recipientID, key: queue.recipientKey, version: version)
                    == .prohibited)
        }
    }

    /// A relay that says what nobody asked for is left.
    @Test func endless_destination_loses_its_session() throws {
        let near = try RelayWorld()
        let talking = try OtherRelay(near.loop)
        let client = try near.connect()
        _ = try near.proxied(client, talking.address)
        for _ in 0..<60 { talking.answer(CorrelationID(random: SystemRandom()), .pong) }
        var isLater = false
        near.loop.after(.milliseconds(300)) { isLater = true }
        try near.run("a moment passes") { isLater }
        #expect(talking.isConnected)
        for _ in 0..<60 { talking.answer(CorrelationID(random: SystemRandom()), .pong) }
        try near.run("the proxy goes") { !talking.isConnected }
        #expect(try near.ask(client, .ping) == .pong)
    }

    @Test func allClientsShareASession() throws {
        let (near, far) = try worlds()
        let clients = try (0..<3).map { _ in try near.connect() }
        // The second asks while the session is being opened.
        let ids = try clients.prefix(2).map { try $0.send([(.prxy(far.address(), password: nil), .empty, nil)])[0] }
        try near.run("both are answered") { zip(clients, ids).allSatisfy { $0.answer(to: $1) != nil } }
        guard case .pkey(let first) = clients[0].answer(to: ids[0]),
            case .pkey(let second) = clients[1].answer(to: ids[1])
        else { return #expect(Bool(false)) }
        #expect(first == second)
        #expect(try near.proxied(clients[2], far.address()).session == first)
        #expect(far.server?.statistics.connections == 1)
        #expect(near.server?.statistics.proxiedRelays == 1)
        #expect(near.server?.statistics.proxySessions == 3)
    }

    @Test func aRelayIsItsOwnProxy() throws {
        let world = try RelayWorld()
        let queue = try world.makeQueue(try world.connect(), subscribe: false)
        let proxied = try world.proxied(try world.connect(), world.address())
        #expect(try world.ask(proxied, send, of: queue.senderID) == .ok)
        #expect(world.server?.statistics.forwardedCommands == 1)
        #expect(world.server?.statistics.proxiedCommands == 1)
        world.stop()
    }

    // MARK: - Who may

    @Test func thePasswordIsThatOfNewQueues() throws {
        let password = try ServerPassword("secret")
        let (near, far) = try worlds { $0.password = password }
        let client = try near.connect()
        for attempt in [nil, try ServerPassword("wrong!")] {
            #expect(
                try near.ask(client, .prxy(far.address(), password: attempt)) == .err(.proxy(.password)))
        }
        #expect(far.server?.statistics.acceptedConnections == 0)
        let queue = try far.makeQueue(try far.connect(), subscribe: false)
        #expect(try near.ask(near.proxied(client, far.address(), password: password), send, of: queue.senderID) == .ok)
    }

    @Test func aRelayNeedNotBeAProxy() throws {
        let (near, far) = try worlds { $0.isProxy = false }
        let client = try near.connect()
        #expect(try near.ask(client, .prxy(far.address(), password: nil)) == .err(.proxy(.password)))
        let key = X25519.PrivateKey(random: SystemRandom()).publicKey
        let forward = ClientCommand.pfwd(version: 17, key: key, encrypted: [1])
        #expect(try near.ask(client, forward, of: EntityID(Bytes(1...32))) == .err(.proxy(.noSession)))
    }

    @Test func proxies_do_not_forward_for_proxies() throws {
        let (near, far) = try worlds()
        let proxied = try near.proxied(try near.connect(), far.address())
        #expect(try near.ask(proxied, .prxy(near.address(), password: nil), of: .empty) == .prohibited)
    }

    // MARK: - What goes wrong

    @Test func unreachable_relay_is_paused() throws {
        let (near, far) = try worlds()
        let right = try far.address(), client = try near.connect()
        let wrong = ServerAddress(hosts: right.hosts, port: right.port, fingerprint: Bytes(repeating: 7, count: 32))
        let network = RelayMessage.err(.proxy(.broker(.network)))
        for _ in 0..<5 { #expect(try near.ask(client, .prxy(wrong, password: nil)) == network) }
        #expect(far.server?.statistics.acceptedConnections == 1)
        // The same host with the right fingerprint is another relay.
        _ = try near.proxied(client, right)
        far.stop()
        let closed = ServerAddress(hosts: right.hosts, port: right.port, fingerprint: Bytes(repeating: 8, count: 32))
        #expect(try near.ask(client, .prxy(closed, password: nil)) == network)
        let onion = ServerAddress(hosts: [.onion("abcdefgh.onion")], port: nil, fingerprint: right.fingerprint)
        #expect(try near.ask(client, .prxy(onion, password: nil)) == .err(.proxy(.broker(.host))))
        #expect(near.server?.statistics.failedProxySessions == 7)
    }

    @Test func the_error_of_a_client_that_is_gone_is_not_kept() throws {
        var limits = RelayLimits.loopback
        limits.proxy.openingTime = .milliseconds(300)
        let (near, far) = try worlds(limits: limits)
        let right = try far.address()
        let wrong = ServerAddress(hosts: right.hosts, port: right.port, fingerprint: Bytes(repeating: 7, count: 32))
        let gone = try near.connect()
        try gone.send(.prxy(wrong, password: nil), of: .empty, id: CorrelationID(random: SystemRandom()))
        try near.run("the proxy connects") { far.server?.statistics.acceptedConnections == 1 }
        gone.close()
        try near.run("the attempt fails") { near.server?.statistics.failedProxySessions == 1 }
        let client = try near.connect()
        for _ in 0..<3 {
            #expect(try near.ask(client, .prxy(wrong, password: nil)) == .err(.proxy(.broker(.network))))
        }
        #expect(far.server?.statistics.acceptedConnections == 2)
    }

    @Test func aRelayThatCouldNotBeReachedIsTriedAgain() throws {
        var limits = RelayLimits.loopback
        limits.proxy.failurePause = .zero
        let (near, far) = try worlds(limits: limits)
        let address = try far.address(), client = try near.connect()
        let wrong = ServerAddress(hosts: address.hosts, port: address.port, fingerprint: Bytes(repeating: 7, count: 32))
        for count in 1...3 {
            #expect(try near.ask(client, .prxy(wrong, password: nil)) == .err(.proxy(.broker(.network))))
            #expect(far.server?.statistics.acceptedConnections == count)
        }
    }

    @Test(arguments: [(6, 6), (6, 7), (6, 8), (8, 10), (8, 13), (15, 18), (20, 20), (19, 21)] as [(UInt16, UInt16)])
    func theVersionsOfTheRelay(_ low: UInt16, _ high: UInt16) throws {
        let world = try RelayWorld()
        let relay = try OtherRelay(world.loop, versions: VersionRange(low, high))
        let client = try world.connect()
        let answer = try world.ask(client, .prxy(relay.address, password: nil))
        guard high >= 8 else { return #expect(answer == .err(.proxy(.broker(.transport(.version))))) }
        guard case .pkey(let session) = answer else { return #expect(Bool(false), "\(answer)") }
        #expect(session.versions == VersionRange(max(8, low), min(20, high)))
        try world.run("the hello comes") { relay.version != nil }
        // A relay that does not know the flag of proxies would encrypt from version 11.
        #expect(relay.version == (high < 14 ? min(10, high) : min(20, high)))
        #expect(relay.isProxy == (high >= 14))
    }

    @Test func aRelayThatSaysNothing() throws {
        var limits = RelayLimits.loopback
        limits.proxy.openingTime = .milliseconds(50)
        limits.proxy.silenceDeadline = .milliseconds(50)
        let world = try RelayWorld(limits: limits)
        let relay = try OtherRelay(world.loop)
        relay.isSilent = true
        #expect(
            try world.ask(world.connect(), .prxy(relay.address, password: nil)) == .err(.proxy(.broker(.network))))
    }

    @Test func invalid_responses_are_errors() throws {
        let world = try RelayWorld()
        var answers: [RelayMessage] = [
            .rres(encrypted: Bytes(repeating: 1, count: 16283)), .rres(encrypted: []), .pong, .err(.crypto),
            .err(.blocked(Blocking(reason: .spam))),
        ]
        let relay = try OtherRelay(world.loop) { relay, id, _ in relay.answer(id, answers.removeFirst()) }
        let proxied = try world.proxied(world.connect(), relay.address)
        let expected: [ProtocolError] = [
            .crypto, .crypto, .proxy(.broker(.unexpected("PONG"))), .proxy(.relay(.crypto)),
            .proxy(.relay(.blocked(Blocking(reason: .spam)))),
        ]
        for error in expected {
            #expect(try world.ask(proxied, send, of: EntityID([1])) == .err(error))
        }
        #expect(world.server?.statistics.proxiedCommands == 2)
        #expect(world.server?.statistics.failedProxiedCommands == 3)
    }

    @Test func aCommandThatDoesNotFitIsNotForwarded() throws {
        let (near, far) = try worlds()
        let client = try near.connect()
        let proxied = try near.proxied(client, far.address())
        let key = X25519.PrivateKey(random: SystemRandom()).publicKey
        let forward = ClientCommand.pfwd(version: 17, key: key, encrypted: Bytes(repeating: 0, count: 16250))
        let answer = try near.ask(client, forward, of: EntityID(proxied.session.sessionID))
        #expect(answer == .err(.proxy(.broker(.transport(.largeMessage)))))
    }
}
