import ByteCoding
import CryptoCore
import SMPClient
import SMPProtocol
import SecureTransport
import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite struct RelaySessionTests {
    /// Events of a session, readable from its task.
    private final class Events: Sendable {
        private let seen = Mutex<[String]>([])

        var all: [String] { seen.withLock { $0 } }

        func note(_ event: RelaySession.Event) {
            seen.withLock { seen in
                switch event {
                case .opened: break
                case .message(let id, let message): seen.append("\(message.tag.rawValue) \(Hex.encode(id.bytes))")
                case .closed(let error): seen.append("\(error)")
                }
            }
        }
    }

    private static func open(
        _ address: ServerAddress, _ loop: EventLoop, answerDeadline: Duration = .seconds(10),
        forwardedDeadline: Duration = .seconds(20), events: Events = Events()
    ) async throws -> RelaySession {
        var parameters = SessionParameters()
        parameters.forwardedDeadline = forwardedDeadline
        parameters.answerDeadline = answerDeadline
        var session: RelaySession?
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            var waiting: CheckedContinuation<Void, any Error>? = continuation
            session = RelaySession(with: address, parameters: parameters, loop: loop, random: SystemRandom()) { event in
                events.note(event)
                switch event {
                case .opened: waiting?.resume()
                case .closed(let error): waiting?.resume(throwing: error)
                case .message: return
                }
                waiting = nil
            }
        }
        return try #require(session)
    }

    private static func pong(_ relay: ScriptedRelay, _ transmission: Transmission, _ command: ClientCommand) {
        relay.answer(transmission, .pong)
    }

    @Test(arguments: [6, 7, 9, 11, 14, 16, 18] as [UInt16])
    func agreesOnEveryVersion(version: UInt16) throws {
        let loop = try EventLoop()
        let relay = try ScriptedRelay(loop, versions: VersionRange(6, version), script: Self.pong)
        let address = relay.address
        let agreed = try loop.run {
            let session = try await Self.open(address, loop)
            for _ in 0..<3 {
                #expect(try await session.request(.ping) == .pong)
            }
            defer { session.close() }
            return session.version
        }
        #expect(agreed == version)
    }

    @Test func commandsOfOneTurnShareABlock() throws {
        let loop = try EventLoop()
        let relay = try ScriptedRelay(loop, script: Self.pong)
        let address = relay.address
        let count = try loop.run {
            let session = try await Self.open(address, loop)
            let answers = Mutex(0)
            for _ in 0..<200 {
                session.send(.ping) { answer in
                    if case .success(.pong) = answer { answers.withLock { $0 += 1 } }
                }
            }
            // The answer to the last command comes after all others.
            _ = try await session.request(.ping)
            session.close()
            return answers.withLock { $0 }
        }
        #expect(count == 200)
        #expect(relay.blocks <= 2)
    }

    @Test func answersAreMatchedByTheirIdAndEventsReachTheHandler() throws {
        let loop = try EventLoop()
        let queue = EntityID([7])
        let relay = try ScriptedRelay(loop) { relay, transmission, command in
            // An event before the answer, in the same block.
            relay.send([
                (.empty, queue, .end), (transmission.correlationID, queue, .ok), (.empty, queue, .deld),
            ])
        }
        let address = relay.address
        let events = Events()
        try loop.run {
            let session = try await Self.open(address, loop, events: events)
            #expect(try await session.request(RelayRequest(.sub, entityID: queue)) == .ok)
            session.close()
        }
        #expect(events.all == ["END 07", "DELD 07"])
    }

    @Test func refusalsAreErrors() throws {
        let loop = try EventLoop()
        let relay = try ScriptedRelay(loop) { relay, transmission, _ in
            relay.answer(transmission, .err(.authorization))
        }
        let address = relay.address
        #expect(throws: SessionError.refused(.authorization)) {
            try loop.run { _ = try await Self.open(address, loop).request(RelayRequest(.sub, entityID: EntityID([1]))) }
        }
    }

    @Test func answersThatDoNotFitAreErrorsOfTheirCommandOnly() throws {
        let loop = try EventLoop()
        let relay = try ScriptedRelay(loop) { relay, transmission, command in
            // PONG must not name an entity.
            let entityID = command == .que ? EntityID([1]) : EntityID.empty
            relay.send([(transmission.correlationID, entityID, .pong)])
        }
        let address = relay.address
        try loop.run {
            let session = try await Self.open(address, loop)
            await #expect(throws: SessionError.unexpectedAnswer) {
                try await session.request(RelayRequest(.que, entityID: EntityID([1])))
            }
            #expect(try await session.request(.ping) == .pong)
            session.close()
        }
    }

    @Test func silent_relay_exceeds_response_deadline() throws {
        let loop = try EventLoop()
        let relay = try ScriptedRelay(loop) { _, _, _ in }
        let address = relay.address
        let events = Events()
        #expect(throws: SessionError.timedOut) {
            try loop.run {
                let session = try await Self.open(address, loop, answerDeadline: .milliseconds(50), events: events)
                _ = try await session.request(.ping)
            }
        }
        #expect(events.all == ["timedOut"])
    }

    /// The hosts of a relay that say nothing cannot hold an attempt up for as long as all of them together.
    @Test func manyHostsHaveOneDeadline() throws {
        let loop = try EventLoop()
        var sockets: [FileDescriptorBox] = []
        let listener = try Listener(host: "127.0.0.1", port: 0, loop: loop) { sockets.append(FileDescriptorBox($0)) }
        let address = ServerAddress(
            hosts: Array(repeating: .ipv4("127.0.0.1"), count: 16), port: listener.port,
            fingerprint: Bytes(repeating: 7, count: 32))
        var parameters = SessionParameters()
        parameters.handshakeDeadline = .milliseconds(400)
        parameters.openingDeadline = .milliseconds(600)
        var end: SessionError?
        let session = RelaySession(with: address, parameters: parameters, loop: loop, random: SystemRandom()) { event in
            if case .closed(let error) = event { end = error }
        }
        var isLate = false
        let timer = loop.after(.seconds(4)) { isLate = true }
        loop.run { isLate || end != nil }
        timer.cancel()
        #expect(end == .connection(.timedOut(.connecting)))
        #expect(sockets.count == 2)
        session.close()
    }

    /// A socket that is closed with the test.
    private final class FileDescriptorBox {
        let descriptor: FileDescriptor
        init(_ number: Int32) { descriptor = FileDescriptor(owning: number) }
    }

    /// Answers to nothing keep no command waiting.
    @Test(.timeLimit(.minutes(5))) func unrequested_responses_are_not_progress() throws {
        func keepTalking(_ relay: ScriptedRelay, _ transmission: Transmission) {
            relay.send([(CorrelationID(random: SystemRandom()), .empty, .pong)])
            relay.loop.after(.milliseconds(20)) { keepTalking(relay, transmission) }
        }
        let loop = try EventLoop()
        let relay = try ScriptedRelay(loop) { relay, transmission, _ in keepTalking(relay, transmission) }
        let address = relay.address
        #expect(throws: SessionError.timedOut) {
            try loop.run {
                let session = try await Self.open(address, loop, answerDeadline: .milliseconds(200))
                _ = try await session.request(.ping)
            }
        }
    }

    @Test func aLostConnectionEndsAllCommands() throws {
        let loop = try EventLoop()
        let relay = try ScriptedRelay(loop) { relay, _, _ in relay.hangUp() }
        let address = relay.address
        let events = Events()
        #expect(throws: SessionError.connection(.closed)) {
            try loop.run {
                let session = try await Self.open(address, loop, events: events)
                _ = try await session.request(.ping)
            }
        }
        #expect(events.all == ["connection(SecureTransport.ConnectionError.closed)"])
    }

    @Test func oversized_body_is_rejected_locally() throws {
        let loop = try EventLoop()
        let relay = try ScriptedRelay(loop) { relay, transmission, _ in relay.answer(transmission, .ok) }
        let address = relay.address
        try loop.run {
            let session = try await Self.open(address, loop)
            for (size, fits) in [(16048, true), (16049, false)] {
                let body = Bytes(repeating: 1, count: size)
                let command = RelayRequest(.send(MessageFlags(notifies: false), body: body), entityID: EntityID([1]))
                let answer = try? await session.request(command)
                #expect((answer != nil) == fits)
            }
            session.close()
        }
    }

    // MARK: - Who the relay is

    @Test func anotherFingerprintIsRefused() throws {
        let loop = try EventLoop()
        let relay = try ScriptedRelay(loop, script: Self.pong)
        let address = ServerAddress(
            hosts: relay.address.hosts, port: relay.address.port, fingerprint: Bytes(repeating: 1, count: 32))
        #expect(throws: SessionError.connection(.wrongIdentity(.fingerprint))) {
            try loop.run { _ = try await Self.open(address, loop) }
        }
    }

    @Test func aHelloForAnotherSessionIsRefused() throws {
        let loop = try EventLoop()
        let relay = try ScriptedRelay(loop, script: Self.pong)
        relay.tamper = { hello in
            ServerHello(
                versions: hello.versions, sessionID: hello.sessionID.reversed(), credentials: hello.credentials)
        }
        let address = relay.address
        #expect(throws: SessionError.handshake(.session)) {
            try loop.run { _ = try await Self.open(address, loop) }
        }
    }

    @Test func aSessionKeyOfAnotherSignerIsRefused() throws {
        let loop = try EventLoop()
        let relay = try ScriptedRelay(loop, script: Self.pong)
        relay.tamper = { hello in
            let stranger = Ed25519.PrivateKey(random: SystemRandom())
            let key = SignedSessionKey(X25519.PrivateKey(random: SystemRandom()).publicKey, signedBy: stranger)
            return ServerHello(
                versions: hello.versions, sessionID: hello.sessionID,
                credentials: hello.credentials.map { SessionCredentials(chain: $0.chain, signedKey: key) })
        }
        let address = relay.address
        #expect(throws: SessionError.handshake(.badAuthorization)) {
            try loop.run { _ = try await Self.open(address, loop) }
        }
    }

    @Test func relay_without_common_version_is_rejected() throws {
        let loop = try EventLoop()
        let later = VersionRange(SMP.versions.max + 1, SMP.versions.max + 5)
        let relay = try ScriptedRelay(loop, versions: later, script: Self.pong)
        let address = relay.address
        #expect(throws: SessionError.handshake(.version)) {
            try loop.run { _ = try await Self.open(address, loop) }
        }
    }

    @Test func onionHostsAreNeverLookedUp() throws {
        let loop = try EventLoop()
        let address = ServerAddress(hosts: [.onion("abc.onion")], port: nil, fingerprint: [])
        #expect(throws: SessionError.noRoute(.proxyRequired)) {
            try loop.run { _ = try await Self.open(address, loop) }
        }
    }

    @Test func forwarded_command_has_longer_deadline() throws {
        let loop = try EventLoop()
        let relay = try ScriptedRelay(loop) { relay, transmission, command in
            guard case .prxy = command else { return relay.answer(transmission, .pong) }
            relay.loop.after(.milliseconds(300)) { relay.answer(transmission, .err(.proxy(.broker(.network)))) }
        }
        let address = relay.address
        try loop.run {
            let session = try await Self.open(address, loop, answerDeadline: .milliseconds(100))
            defer { session.close() }
            await #expect(throws: SessionError.refused(.proxy(.broker(.network)))) {
                try await session.request(RelayRequest(.prxy(address, password: nil)))
            }
            #expect(try await session.request(.ping) == .pong)
        }
    }

    @Test func aForwardedCommandWithoutAnAnswerEndsAlone() throws {
        let loop = try EventLoop()
        let relay = try ScriptedRelay(loop) { relay, transmission, command in
            if case .ping = command { relay.answer(transmission, .pong) }
        }
        let address = relay.address
        try loop.run {
            let session = try await Self.open(address, loop, forwardedDeadline: .milliseconds(100))
            defer { session.close() }
            await #expect(throws: SessionError.timedOut) {
                try await session.request(RelayRequest(.prxy(address, password: nil)))
            }
            #expect(try await session.request(.ping) == .pong)
        }
    }

    @Test func unresponsive_proxy_ends_the_session() throws {
        let loop = try EventLoop()
        let relay = try ScriptedRelay(loop) { _, _, _ in }
        let address = relay.address, events = Events()
        try loop.run {
            let session = try await Self.open(
                address, loop, answerDeadline: .milliseconds(100), forwardedDeadline: .milliseconds(100),
                events: events)
            await #expect(throws: SessionError.timedOut) {
                try await session.request(RelayRequest(.prxy(address, password: nil)))
            }
            #expect(events.all.isEmpty)
            for _ in 0..<1000 where events.all.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
            #expect(events.all == ["timedOut"])
            session.close()
        }
    }
}
