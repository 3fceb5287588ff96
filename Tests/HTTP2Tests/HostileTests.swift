import ByteCoding
import CryptoCore
import HTTP2
import TestSupport
import Testing

/// Bytes of a peer that does not follow RFC 9113.
@Suite(.timeLimit(.minutes(60))) struct HostileTests {
    private static let preface = Bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private static func frame(
        _ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: Bytes = []
    ) -> Bytes {
        let count = UInt32(payload.count)
        var bytes: Bytes = [UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255), type, flags]
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(stream >> shift & 255)) }
        return bytes + payload
    }

    private static let settings = frame(4)

    @Test(arguments: [
        Bytes("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), Bytes(repeating: 0, count: 64),
        [0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3] + Bytes(repeating: 7, count: 64),
    ])
    func another_protocol_is_an_error(bytes: Bytes) throws {
        let server = try HTTP2Session(.server)
        #expect(throws: HTTP2Error.invalid) { try server.receive(bytes) }
        #expect(throws: HTTP2Error.invalid) { try server.output() }
        #expect(server.isFinished && server.takeEvents() == [])
    }

    /// Violations that the session reports to the peer before it ends.
    @Test(arguments: [
        // No SETTINGS at first, a frame that is too long, a stream of the server, a HEADERS on stream 0.
        frame(6, flags: 0, Bytes(repeating: 0, count: 8)), settings + [0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1],
        settings + frame(1, flags: 5, stream: 2, [0x82]), settings + frame(1, flags: 5, [0x82]),
        // Header compression that is broken, DATA without HEADERS, CONTINUATION alone, a window above the limit.
        settings + frame(1, flags: 5, stream: 1, [0xff, 0xff, 0xff, 0xff, 0xff]),
        settings + frame(0, flags: 1, stream: 1, [1]),
        settings + frame(9, flags: 4, stream: 1, [0x82]), settings + frame(8, [0x7f, 0xff, 0xff, 0xff]),
        // PUSH_PROMISE of a client, PING and SETTINGS of the wrong size.
        settings + frame(5, flags: 4, stream: 1, [0, 0, 0, 2, 0x82]), settings + frame(6, [1]),
        settings + frame(4, [1]),
    ])
    func a_violation_ends_the_session(bytes: Bytes) throws {
        let server = try HTTP2Session(.server)
        try server.receive(Self.preface + bytes)
        _ = try server.output()
        #expect(server.isFinished)
        #expect(server.takeEvents().heads.isEmpty)
    }

    /// A table entry of 4 KB that each byte of the headers repeats.
    @Test func a_header_bomb_stays_small() throws {
        let server = try HTTP2Session(.server)
        let value = Bytes(repeating: 0x61, count: 4000)
        let entry: Bytes = [0x40, 1, 0x78, 0x7f, 0xa1, 0x1e] + value
        let request: Bytes = [0x83, 0x87, 0x84, 0x41, 1, 0x68]
        let bomb = request + entry + Bytes(repeating: 0xbe, count: 10_000)
        try server.receive(Self.preface + Self.settings + Self.frame(1, flags: 5, stream: 1, bomb))
        #expect(server.takeEvents() == [])
        #expect(try server.output().count < 200)
    }

    @Test(arguments: [6, 4]) func a_flood_of_frames_that_are_acknowledged_is_stopped(type: Int) throws {
        let server = try HTTP2Session(.server)
        let ping = Self.frame(UInt8(type), type == 6 ? Bytes(repeating: 1, count: 8) : [])
        try server.receive(Self.preface + Self.settings)
        #expect(throws: HTTP2Error.flooded) { try server.receive(Bytes((0..<500).flatMap { _ in ping })) }
    }

    /// A flood of frames without content, and the side that gets it.
    struct Flood: Sendable, CustomTestStringConvertible {
        let name: String
        var atServer = true
        var before: Bytes = []
        let frame: Bytes

        var testDescription: String { name }
    }

    private static let request: Bytes = [0x83, 0x87, 0x84, 0x41, 1, 0x68]
    private static let open = frame(1, flags: 4, stream: 1, request)
    private static let floods = [
        Flood(name: "empty DATA", before: open, frame: frame(0, stream: 1)),
        Flood(
            name: "DATA of padding", before: open,
            frame: frame(0, flags: 8, stream: 1, [9] + Bytes(repeating: 0, count: 9))),
        Flood(
            name: "DATA of a closed stream", before: open + frame(3, stream: 1, [0, 0, 0, 8]),
            frame: frame(0, stream: 1)),
        Flood(name: "PRIORITY", frame: frame(2, stream: 3, [0, 0, 0, 0, 1])),
        Flood(name: "RST_STREAM", before: open, frame: frame(3, stream: 1, [0, 0, 0, 8])),
        Flood(name: "SETTINGS", frame: frame(4)), Flood(name: "SETTINGS acknowledged", frame: frame(4, flags: 1)),
        Flood(name: "PING", frame: frame(6, Bytes(repeating: 1, count: 8))),
        Flood(name: "PING acknowledged", frame: frame(6, flags: 1, Bytes(repeating: 1, count: 8))),
        Flood(name: "GOAWAY", frame: frame(7, [0, 0, 0, 0, 0, 0, 0, 0])),
        Flood(name: "WINDOW_UPDATE", frame: frame(8, [0, 0, 0, 1])),
        Flood(name: "WINDOW_UPDATE of a stream", before: open, frame: frame(8, stream: 1, [0, 0, 0, 1])),
        Flood(
            name: "CONTINUATION", before: frame(1, stream: 1, request), frame: frame(9, stream: 1)),
        Flood(name: "unknown frames", frame: frame(0x42, stream: 1)),
        Flood(
            name: "interim responses", atServer: false,
            frame: frame(1, flags: 4, stream: 1, [8, 3, 0x31, 0x30, 0x33])),
        Flood(
            name: "empty DATA of a response", atServer: false, before: frame(1, flags: 4, stream: 1, [0x88]),
            frame: frame(0, stream: 1)),
        Flood(name: "PING of a server", atServer: false, frame: frame(6, Bytes(repeating: 1, count: 8))),
        Flood(name: "WINDOW_UPDATE of a server", atServer: false, frame: frame(8, [0, 0, 0, 1])),
    ]

    /// The number of frames that a session takes before it stops.
    private static func taken(
        _ flood: Flood, _ limits: HTTP2Limits, most: Int, at time: (Int) -> ContinuousClock.Instant
    ) throws -> Int? {
        let session = try HTTP2Session(flood.atServer ? .server : .client, limits: limits)
        if !flood.atServer { _ = try session.request(post, body: pieces(of: [1])) }
        _ = try session.output()
        try session.receive((flood.atServer ? preface : []) + settings + flood.before, at: time(0))
        for number in 0..<most {
            do throws(HTTP2Error) {
                try session.receive(flood.frame, at: time(number))
                _ = try session.output()
                _ = session.takeEvents()
            } catch {
                // The library itself stops CONTINUATION.
                #expect(error == .flooded || flood.name == "CONTINUATION")
                return number
            }
            if session.isFinished { return number }
        }
        return nil
    }

    @Test(arguments: floods) func a_flood_without_content_is_stopped(flood: Flood) throws {
        let now = ContinuousClock.now
        let taken = try #require(try Self.taken(flood, HTTP2Limits(), most: 2000) { _ in now })
        // The few bytes that the session answers pay for some frames.
        #expect(taken <= HTTP2Limits().frames + 50)
    }

    @Test(arguments: ["PING", "WINDOW_UPDATE", "PRIORITY"]) func time_pays_for_frames(name: String) throws {
        let flood = try #require(Self.floods.first { $0.name == name }), now = ContinuousClock.now
        var limits = HTTP2Limits()
        (limits.frames, limits.frameRate) = (10, 100)
        #expect(try Self.taken(flood, limits, most: 5000) { now + .milliseconds(11 * $0) } == nil)
        #expect(try Self.taken(flood, limits, most: 5000) { now + .milliseconds(9 * $0) } != nil)
    }

    @Test func continuations_without_end_are_stopped() throws {
        let server = try HTTP2Session(.server)
        try server.receive(Self.preface + Self.settings + Self.frame(1, flags: 1, stream: 1, [0x83]))
        #expect(throws: HTTP2Error.self) {
            for _ in 0..<10_000 where !server.isFinished {
                try server.receive(Self.frame(9, stream: 1, Bytes(repeating: 0x84, count: 1000)))
                _ = try server.output()
            }
            if server.isFinished { throw HTTP2Error.flooded }
        }
    }

    /// A recorded conversation with single bytes changed, removed and added never traps, at either side.
    @Test(arguments: [true, false]) func damaged_bytes_never_trap(atServer: Bool) throws {
        let (toServer, toClient) = try Self.recording()
        let good = atServer ? toServer : toClient
        var generator = SeededRandom(seed: 77)
        for round in 0..<3000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 2: bytes.remove(at: index)
                default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
                }
            }
            try Self.feed(bytes, atServer: atServer, seed: UInt64(round))
        }
    }

    /// Each frame of a kind and size, valid or not, in any order.
    @Test(arguments: [true, false]) func random_frames_never_trap(atServer: Bool) throws {
        var generator = SeededRandom(seed: 78)
        for round in 0..<3000 {
            var bytes: Bytes = []
            if atServer { bytes += Self.preface }
            if round % 10 > 0 { bytes += Self.settings }
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                let payload = Bytes(
                    (0..<Int.random(in: 0...40, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }
                )
                let request: Bytes = [0x83, 0x87, 0x84, 0x41, 1, 0x68]
                bytes += Self.frame(
                    .random(in: 0...10, using: &generator), flags: .random(in: 0...255, using: &generator) & 0x2d,
                    stream: .random(in: 0...7, using: &generator), Bool.random(using: &generator) ? request : payload)
            }
            try Self.feed(bytes, atServer: atServer, seed: UInt64(round))
        }
    }

    /// Feeds a session in random pieces, with a user who answers all requests.
    private static func feed(_ bytes: Bytes, atServer: Bool, seed: UInt64) throws {
        var generator = SeededRandom(seed: seed)
        let session = try HTTP2Session(atServer ? .server : .client)
        if !atServer { for _ in 0..<3 { _ = try session.request(post, body: pieces(of: [1, 2, 3])) } }
        var rest = bytes[...], open: [HTTP2StreamID: Int] = [:]
        do throws(HTTP2Error) {
            while !rest.isEmpty, !session.isFinished {
                let piece = rest.prefix(Int.random(in: 1...200, using: &generator))
                rest = rest.dropFirst(piece.count)
                try session.receive(Bytes(piece))
                for event in session.takeEvents() {
                    switch event {
                    case .head(let stream, _):
                        #expect(open[stream] == nil)
                        open[stream] = 0
                        if atServer { try session.respond(to: stream, .status(200), body: pieces(of: Bytes(piece))) }
                    case .body(let stream, let bytes):
                        #expect(open[stream] != nil)
                        try session.consume(bytes.count, of: stream)
                    case .end(let stream): #expect(open[stream] != nil)
                    case .closed(let stream, _): open[stream] = nil
                    case .goAway: break
                    }
                }
                while try !session.output().isEmpty {}
            }
        } catch {
            #expect(session.isFinished)
        }
    }

    /// The bytes of three exchanges in both directions.
    private static func recording() throws -> (toServer: Bytes, toClient: Bytes) {
        let client = try HTTP2Session(.client), server = try HTTP2Session(.server)
        for size in [0, 300, 1000] {
            _ = try client.request(post, body: pieces(of: Bytes(repeating: 9, count: size), size: 400))
        }
        var toServer: Bytes = [], toClient: Bytes = []
        for _ in 0..<20 {
            let up = try client.output(), down = try server.output()
            toServer += up
            toClient += down
            try server.receive(up)
            try client.receive(down)
            for event in server.takeEvents() {
                if case .end(let stream) = event {
                    try server.respond(
                        to: stream, .status(200), body: pieces(of: Bytes(repeating: 8, count: 700), size: 300))
                }
                if case .body(let stream, let bytes) = event { try server.consume(bytes.count, of: stream) }
            }
        }
        return (toServer, toClient)
    }
}
