import ByteCoding
import CryptoCore
import Glibc
import SecureTransport
import SystemIO
import TestSupport
import Testing

/// What happens when one side does not read.
@Suite(.timeLimit(.minutes(60))) struct FlowTests {
    static let blockSize = 16384

    /// Two secured connections over a pair of sockets.
    private final class Pair {
        let loop: EventLoop
        private(set) var client: TLSConnection?
        private(set) var server: TLSConnection?
        private(set) var clientBlocks = 0
        private(set) var serverBlocks = 0
        private(set) var serverEnd: ConnectionError?
        private(set) var drained = 0
        private var secured = 0

        init(writeDeadline: Duration = .seconds(20)) throws {
            loop = try EventLoop()
            var ends: [Int32] = [0, 0]
            let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
            try systemCall("create sockets") { unsafe socketpair(AF_UNIX, type, 0, &ends) }
            let certificates = try RelayCertificates.generate(host: "localhost", random: SystemRandom()).certificates
            server = try make(ends[0], .server, TLSContext(serverWith: certificates), writeDeadline) { pair, event in
                switch event {
                case .secured: pair.secured += 1
                case .block: pair.serverBlocks += 1
                case .closed(let error): pair.serverEnd = error
                }
            }
            client = try make(ends[1], .client, TLSContext(clientOf: "smp/1"), writeDeadline) { pair, event in
                switch event {
                case .secured: pair.secured += 1
                case .block: pair.clientBlocks += 1
                case .closed: break
                }
            }
            server?.whenDrained = { [unowned self] in drained += 1 }
            try run("both sides are secured") { secured == 2 }
        }

        private func make(
            _ socket: Int32, _ side: TLSConnection.Side, _ context: TLSContext, _ writeDeadline: Duration,
            _ handler: @escaping (Pair, TLSConnection.Event) -> Void
        ) throws -> TLSConnection {
            try TLSConnection(
                FileDescriptor(owning: socket), side: side, context: context, loop: loop, blockSize: blockSize,
                handshakeDeadline: .seconds(20), writeDeadline: writeDeadline
            ) { [unowned self] event in handler(self, event) }
        }

        func run(_ what: Comment, until isDone: () -> Bool) throws {
            var isLate = false
            let timer = loop.after(.seconds(20)) { isLate = true }
            loop.run { isLate || isDone() }
            timer.cancel()
            try #require(isDone(), what)
        }

        /// Lets the loop handle whatever is ready.
        func turn(_ count: Int = 20) {
            var left = count
            func again() {
                left -= 1
                if left > 0 { loop.after(.zero, again) }
            }
            loop.after(.zero, again)
            loop.run { left <= 0 }
        }

        func closeClient() {
            client?.close()
            client = nil
        }
    }

    private let block = Bytes(repeating: 7, count: blockSize)

    @Test func paused_connection_reports_no_blocks() throws {
        let pair = try Pair()
        pair.server?.pauseReading()
        for _ in 0..<200 { pair.client?.send(block) }
        pair.turn()
        #expect(pair.serverBlocks == 0)
        #expect((pair.client?.unsentBytes ?? 0) > 0)
        pair.server?.resumeReading()
        try pair.run("all blocks arrive") { pair.serverBlocks == 200 }
        #expect(pair.client?.unsentBytes == 0)
    }

    @Test func pause_takes_effect_between_received_blocks() throws {
        let pair = try Pair()
        pair.server?.pauseReading()
        for _ in 0..<5 { pair.client?.send(block) }
        pair.turn()
        // What OpenSSL has read ahead does not make the socket readable; it must come all the same.
        for count in 1...5 {
            pair.server?.resumeReading()
            try pair.run("a block arrives") { pair.serverBlocks >= count }
            pair.server?.pauseReading()
            pair.turn()
        }
        #expect(pair.serverBlocks == 5)
    }

    @Test func drained_connection_calls_handler() throws {
        let pair = try Pair()
        pair.server?.send(block)
        try pair.run("the block arrives") { pair.clientBlocks == 1 }
        #expect(pair.drained == 0, "nothing had to wait")
        pair.client?.pauseReading()
        for _ in 0..<200 { pair.server?.send(block) }
        pair.turn()
        #expect((pair.server?.unsentBytes ?? 0) > 0)
        pair.client?.resumeReading()
        try pair.run("the server is told") { pair.drained == 1 }
        #expect(pair.server?.unsentBytes == 0)
        try pair.run("all blocks arrive") { pair.clientBlocks == 201 }
    }

    @Test func blocked_reader_exceeds_write_deadline() throws {
        let pair = try Pair(writeDeadline: .milliseconds(50))
        pair.client?.pauseReading()
        for _ in 0..<200 { pair.server?.send(block) }
        try pair.run("the server gives up") { pair.serverEnd != nil }
        #expect(pair.serverEnd == .timedOut(.writing))
    }

    @Test func aConnectionThatBreaksDuringAPauseIsReported() throws {
        let pair = try Pair()
        // Unread bytes turn the close into a reset.
        pair.client?.pauseReading()
        pair.server?.send(block)
        pair.turn()
        pair.server?.pauseReading()
        pair.closeClient()
        try pair.run("the server notices") { pair.serverEnd != nil }
    }
}
