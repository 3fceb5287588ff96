import AttackSupport
import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import SecureTransport
import SystemIO
import TestSupport
import Testing

/// The relay over real connections on loopback. What commands do is tested with the core.
@Suite(.timeLimit(.minutes(60))) struct RelayServerTests {
    private let send = ClientCommand.send(MessageFlags(notifies: false), body: Bytes("hello".utf8))

    @Test(arguments: [6, 7, 11, 14, 18] as [UInt16], [true, false])
    func aMessageGoesThroughInEveryVersion(_ version: UInt16, _ encryptsBlocks: Bool) throws {
        let world = try RelayWorld()
        let client = try world.connect(version: version, encryptsBlocks: encryptsBlocks)
        #expect(client.session?.cipher.isEncrypting == (encryptsBlocks && version >= 11))
        let queue = try world.makeQueue(client, request: version < 9 ? nil : QueueRequest(mode: .messaging))
        #expect(try world.ask(client, send, of: queue.senderID) == .ok)
        try world.run("the message comes") { client.messageCount == 1 }
        let message = try #require(client.received.first { $0.2.tag == .msg })
        #expect(try queue.read(message.2) == "hello")
        #expect(message.1 == queue.recipientID)
        #expect(try world.ask(client, .ack(messageID: .empty), of: queue.recipientID, key: queue.recipientKey) == .ok)
    }

    @Test func anotherALPNThanOursIsNone() throws {
        let world = try RelayWorld()
        let client = try world.dial(version: 0, alpn: "h2")
        try world.run("the relay's hello comes") { client.hello != nil }
        #expect(client.hello?.versions == VersionRange(6, 6))
    }

    @Test func helloesThatCannotBeAcceptedCloseTheConnection() throws {
        let world = try RelayWorld()
        let fingerprint = try #require(world.server?.address.fingerprint)
        let hellos = [
            ClientHello(version: 18, fingerprint: Bytes(repeating: 1, count: 32), key: nil).encoded,
            ClientHello(version: 5, fingerprint: fingerprint, key: nil).encoded,
            ClientHello(version: SMP.versions.max + 1, fingerprint: fingerprint, key: nil).encoded,
            Bytes("hello".utf8), [],
        ]
        for hello in hellos {
            let client = try world.dial(version: 0)
            try world.run("the relay's hello comes") { client.hello != nil }
            client.sendPlain(hello)
            try world.run("the connection is closed") { client.end != nil }
            #expect(client.plainBlocks.count == 1)
        }
        #expect(world.server?.statistics.failedHandshakes == hellos.count)
        #expect(world.server?.statistics.connections == 0)
    }

    @Test func aServiceIsRefusedWithAReason() throws {
        let world = try RelayWorld()
        let fingerprint = try #require(world.server?.address.fingerprint)
        let client = try world.dial(version: 0)
        try world.run("the relay's hello comes") { client.hello != nil }
        let service = ServiceHello(role: .notifier, chain: [[1, 2, 3]], signedKey: [4, 5, 6])
        client.sendPlain(ClientHello(version: 18, fingerprint: fingerprint, key: nil, service: service).encoded)
        try world.run("the connection is closed") { client.end != nil }
        #expect(client.plainBlocks.count == 2)
        let answer = try ServiceAnswer(decoding: Padding.unpad(#require(client.plainBlocks.last)))
        #expect(answer == .refused(.badAuthorization))
    }

    @Test func connectionsOverTheLimitAreClosed() throws {
        let world = try RelayWorld { $0.connectionLimit = 2 }
        let clients = try [world.connect(), world.connect()]
        let third = try world.dial()
        try world.run("the third is closed") { third.end != nil }
        #expect(world.server?.statistics.refusedConnections == 1)
        clients[0].close()
        try world.run("the relay notices") { world.server?.statistics.connections == 1 }
        #expect(try world.ask(world.connect(), .ping) == .pong)
        #expect(try world.ask(clients[1], .ping) == .pong)
    }

    @Test func silent_connection_is_closed() throws {
        var limits = RelayLimits()
        limits.handshakeDeadline = .milliseconds(100)
        let world = try RelayWorld(limits: limits)
        // One says nothing at all, one does not answer the relay's hello.
        let silent = FileDescriptor(owning: try LoopbackSocket.connect(#require(world.server?.port)))
        let client = try world.dial(version: 0)
        try world.run("both are closed") { world.server?.statistics.failedHandshakes == 2 }
        try world.run("the client notices") { client.end != nil }
        _ = consume silent
    }

    @Test func idleConnectionsAreClosedUnlessTheyAreSubscribed() throws {
        var limits = RelayLimits()
        limits.idleLimit = .milliseconds(50)
        limits.housekeepingInterval = .milliseconds(20)
        let world = try RelayWorld(limits: limits)
        let subscribed = try world.connect()
        _ = try world.makeQueue(subscribed)
        let idle = try world.connect()
        try world.run("the idle one is closed") { idle.end != nil }
        #expect(try world.ask(subscribed, .ping) == .pong)
    }

    // MARK: - Balance

    /// A client with `count` queues that hold a message each, made by another client.
    private func fill(_ world: RelayWorld, _ count: Int) throws -> [TestQueue] {
        let maker = try world.connect()
        let queues = try (0..<count).map { _ in try world.makeQueue(maker, subscribe: false) }
        for queue in queues { #expect(try world.ask(maker, send, of: queue.senderID) == .ok) }
        maker.close()
        return queues
    }

    @Test func slow_reader_gets_bounded_responses() throws {
        let world = try RelayWorld()
        let queues = try fill(world, 40), asked = try fill(world, 1)[0]
        let client = try world.connect(), other = try world.connect()
        client.connection?.pauseReading()
        try client.send(queues.map { (.sub, $0.recipientID, $0.recipientKey) })
        // The answers to these take 24 MB, more than the sockets between the two hold.
        let count = 1500, rounds = 600
        let before = try #require(world.server?.statistics.commands)
        for _ in 0..<count { try client.send([(.get, asked.recipientID, asked.recipientKey)]) }
        // In so many turns the relay would have carried out everything.
        for _ in 0..<rounds { #expect(try world.ask(other, .ping) == .pong) }
        let carriedOut = try #require(world.server?.statistics.commands) - before - rounds
        // What the relay lets wait, and what the sockets hold: with the usual limits 10 MB.
        #expect((40..<800).contains(carriedOut))
        client.connection?.resumeReading()
        try world.run("everything is answered") { client.received.count == 40 + 40 + count }
        #expect(client.messageCount == 40 + count)
    }

    @Test func client_with_unread_events_is_closed() throws {
        var limits = RelayLimits()
        limits.unreadEvents = 8
        let world = try RelayWorld(limits: limits)
        let reader = try world.connect(), idle = try world.connect(), other = try world.connect()
        // Each of these queues can end a subscription of `idle`, and that takes a block: more than the sockets hold.
        let queues = try (0..<1500).map { _ in try world.makeQueue(idle) }
        let read = try world.makeQueue(reader)
        idle.connection?.pauseReading()
        for queue in queues where world.server?.statistics.connections == 3 {
            #expect(try world.ask(other, .sub, of: queue.recipientID, key: queue.recipientKey) == .sok(serviceID: nil))
        }
        #expect(world.server?.statistics.connections == 2)
        #expect(try world.ask(other, .sub, of: read.recipientID, key: read.recipientKey) == .sok(serviceID: nil))
        try world.run("who reads is told") { reader.received.last?.2 == .end }
    }

    @Test func blocked_client_is_closed() throws {
        var limits = RelayLimits()
        limits.writeDeadline = .milliseconds(200)
        let world = try RelayWorld(limits: limits)
        let queues = try fill(world, 1)
        let client = try world.connect()
        client.connection?.pauseReading()
        for _ in 0..<2000 { try client.send([(.get, queues[0].recipientID, queues[0].recipientKey)]) }
        try world.run("the relay closes the connection") { world.server?.statistics.connections == 0 }
        #expect(try world.ask(world.connect(), .ping) == .pong)
    }

    @Test func aFloodOfCommandsDoesNotHoldUpOthers() throws {
        let world = try RelayWorld()
        let flooder = try world.connect(), other = try world.connect()
        // How many commands a turn of the loop carries out.
        var last = 0, most = 0, isFlooding = true
        func sample() {
            let commands = world.server?.statistics.commands ?? 0
            (most, last) = (max(most, commands - last), commands)
            if isFlooding { world.loop.after(.zero, sample) }
        }
        sample()
        for _ in 0..<100 { try flooder.send(Array(repeating: (.ping, .empty, nil), count: 255)) }
        #expect(try world.ask(other, .ping) == .pong)
        #expect(flooder.received.count < 2000)
        try world.run("the flood is answered") { flooder.received.count == 25_500 }
        isFlooding = false
        // One block of the flood, and the other client.
        #expect((255...256).contains(most))
    }

    // MARK: - Damage

    @Test func blocksThatDoNotParseAreAnsweredAndOthersClose() throws {
        let world = try RelayWorld()
        let client = try world.connect()
        client.sendContent([0])
        try world.run("the error comes") { client.received.count == 1 }
        #expect(client.received.first?.2 == .err(.block))
        #expect(try world.ask(client, .ping) == .pong)
        client.connection?.send(Bytes(repeating: 7, count: SMP.blockSize))
        try world.run("the connection is closed") { client.end != nil }
    }

    @Test func stateSurvivesARestart() throws {
        let world = try RelayWorld()
        let client = try world.connect()
        let queue = try world.makeQueue(client, subscribe: false)
        #expect(try world.ask(client, send, of: queue.senderID) == .ok)
        world.stop()
        try world.run("the connection is closed") { client.end != nil }
        try world.start()
        let again = try world.connect()
        #expect(try world.ask(again, .sub, of: queue.recipientID, key: queue.recipientKey) == .sok(serviceID: nil))
        try world.run("the message comes") { again.messageCount == 1 }
    }
}
