import ByteCoding
import CryptoCore
import Glibc
import SecureTransport
import SystemIO
import TestSupport
import Testing

/// Client and server on one event loop, over real sockets on loopback.
@Suite struct ConnectionTests {
    static let blockSize = 16384

    /// A server that collects events of its connections, and a client connected to it.
    final class Pair {
        let loop: EventLoop
        let certificates: RelayCertificates
        private(set) var listener: Listener?
        private(set) var server: TLSConnection?
        private(set) var client: TLSConnection?
        private(set) var serverSession: TLSSession?
        private(set) var clientSession: TLSSession?
        private(set) var serverBlocks: [Bytes] = []
        private(set) var clientBlocks: [Bytes] = []
        private(set) var serverEnd: ConnectionError?
        private(set) var clientEnd: ConnectionError?

        init() throws {
            loop = try EventLoop()
            certificates = try RelayCertificates.generate(host: "localhost", random: SystemRandom()).certificates
            let context = try TLSContext(serverWith: certificates)
            listener = try Listener(host: "127.0.0.1", port: 0, loop: loop) { [unowned self] number in
                server = try? TLSConnection(
                    FileDescriptor(owning: number), side: .server, context: context, loop: loop,
                    blockSize: blockSize, handshakeDeadline: .seconds(10), writeDeadline: .seconds(10)
                ) { [unowned self] event in
                    switch event {
                    case .secured(let session): serverSession = session
                    case .block(let block): serverBlocks.append(block)
                    case .closed(let error): serverEnd = error
                    }
                }
            }
        }

        func connect(handshakeDeadline: Duration = .seconds(10)) throws {
            let port = try #require(listener?.port)
            client = try TLSConnection(
                try ConnectionTests.dial(port, loop), side: .client, context: TLSContext(clientOf: "smp/1"), loop: loop,
                blockSize: blockSize, handshakeDeadline: handshakeDeadline, writeDeadline: .seconds(10)
            ) { [unowned self] event in
                switch event {
                case .secured(let session): clientSession = session
                case .block(let block): clientBlocks.append(block)
                case .closed(let error): clientEnd = error
                }
            }
        }

        func run(_ what: Comment, until isDone: () -> Bool) {
            var isLate = false
            let timer = loop.after(.seconds(20)) { isLate = true }
            loop.run { isLate || isDone() }
            timer.cancel()
            #expect(isDone(), what)
        }

        func secure() throws {
            try connect()
            run("both sides are secured") { clientSession != nil && serverSession != nil }
        }
    }

    @Test func bothSidesAgreeOnTheSession() throws {
        let pair = try Pair()
        try pair.secure()
        let client = try #require(pair.clientSession), server = try #require(pair.serverSession)
        #expect(client.sessionID == server.sessionID)
        #expect(client.sessionID.count == 32)
        #expect(client.alpn == "smp/1")
        #expect(server.alpn == "smp/1")
        #expect(client.chain == pair.certificates.chain)
        let leaf = try client.chain.verify(fingerprint: pair.certificates.fingerprint)
        #expect(leaf == .ed25519(pair.certificates.key.publicKey))
    }

    @Test func blocksArriveInOrderInBothDirections() throws {
        let pair = try Pair()
        try pair.secure()
        let count = 60
        let blocks = (0..<count).map { Bytes(repeating: UInt8($0), count: Self.blockSize) }
        for block in blocks {
            pair.client?.send(block)
            pair.server?.send(block)
        }
        pair.run("all blocks arrive") { pair.clientBlocks.count == count && pair.serverBlocks.count == count }
        #expect(pair.clientBlocks == blocks)
        #expect(pair.serverBlocks == blocks)
        #expect(pair.client?.unsentBytes == 0)
    }

    @Test func closingIsNoticedByTheOtherSideOnly() throws {
        let pair = try Pair()
        try pair.secure()
        pair.client?.close()
        pair.run("the server notices") { pair.serverEnd != nil }
        #expect(pair.serverEnd == .closed)
        #expect(pair.clientEnd == nil)
    }

    @Test func aPartialBlockIsNotDelivered() throws {
        let pair = try Pair()
        try pair.secure()
        pair.client?.send(Bytes(repeating: 1, count: Self.blockSize - 1))
        pair.client?.send([2])
        pair.client?.send(Bytes(repeating: 3, count: 100))
        pair.run("the whole block arrives") { pair.serverBlocks.count == 1 }
        pair.client?.close()
        pair.run("the server notices") { pair.serverEnd != nil }
        #expect(pair.serverBlocks == [Bytes(repeating: 1, count: Self.blockSize - 1) + [2]])
    }

    @Test func aSilentServerMissesTheDeadlineOfTheHandshake() throws {
        let loop = try EventLoop()
        var accepted: [Int32] = []
        let listener = try Listener(host: "127.0.0.1", port: 0, loop: loop) { accepted.append($0) }
        var end: ConnectionError?
        let client = try TLSConnection(
            try Self.dial(listener.port, loop), side: .client, context: TLSContext(clientOf: "smp/1"), loop: loop,
            blockSize: Self.blockSize, handshakeDeadline: .milliseconds(30), writeDeadline: .seconds(10)
        ) { event in
            if case .closed(let error) = event { end = error }
        }
        loop.run { end != nil }
        #expect(end == .timedOut(.handshake))
        accepted.forEach { _ = FileDescriptor(owning: $0) }
        _ = (client, listener)
    }

    @Test func other_protocol_fails_handshake() throws {
        let pair = try Pair()
        let port = try #require(pair.listener?.port)
        let plain = try Self.dial(port, pair.loop)
        try plain.write(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        pair.run("the server gives up") { pair.serverEnd != nil }
        #expect(pair.serverEnd == .handshakeFailed)
        _ = consume plain
    }

    @Test func unreachable_and_unknown_hosts_are_distinct_errors() throws {
        let loop = try EventLoop()
        // A port that was just free: nobody listens there.
        let port = try Listener(host: "127.0.0.1", port: 0, loop: loop) { _ in }.port
        #expect(throws: ConnectionError.unreachable(SystemError("connect", number: 111))) {
            _ = try Self.dial(port, loop)
        }
        // Where no name server answers, nobody can say that the host does not exist (RFC 6761 section 6.4).
        let unknown = #expect(throws: ConnectionError.self) {
            _ = try Self.dial(port, loop, host: "name.invalid")
        }
        #expect([.unknownHost, .unreachable(SystemError("look up the host", number: 11))].contains(unknown))
    }

    @Test func aDialerThatWasCancelledReportsNothing() throws {
        let loop = try EventLoop()
        let listener = try Listener(host: "127.0.0.1", port: 0, loop: loop) { _ = FileDescriptor(owning: $0) }
        var isCalled = false
        let dialer = Dialer(host: "127.0.0.1", port: listener.port, deadline: .seconds(5), loop: loop) { _ in
            isCalled = true
        }
        dialer.cancel()
        var isOver = false
        loop.offload {
            usleep(20_000)
        } then: { _ in
            isOver = true
        }
        loop.run { isOver }
        #expect(!isCalled)
    }

    /// Connects to a port of this machine.
    static func dial(_ port: UInt16, _ loop: EventLoop, host: String = "127.0.0.1") throws -> FileDescriptor {
        var number: Int32?
        var failure: ConnectionError?
        let dialer = Dialer(host: host, port: port, deadline: .seconds(20), loop: loop) { result in
            switch consume result {
            case .success(let socket): number = socket.release()
            case .failure(let error): failure = error
            }
        }
        loop.run { number != nil || failure != nil }
        dialer.cancel()
        if let failure { throw failure }
        return FileDescriptor(owning: try #require(number))
    }

}
