import AttackSupport
import ByteCoding
import CryptoCore
import Glibc
import HTTP2
import SMPProtocol
import SystemIO
import XFTPProtocol

/// Clients that ask too much of a file relay, until standard input ends.
///
///     attacker flood-files FORM xftp://... [CLIENTS]
///
/// FORM is `uploads`, which begins uploads and abandons them, `fill`, which completes uploads, or a kind of frames without content: `data`, `priority`, `settings`,
/// `ping`, `window`, `reset`, `continuation` or `unknown`. The clients connect from 127.0.0.2. Prints `ready` when the first of
/// them has begun, and at the end what they did.
enum FileFloodCommand {
    private static let source = "127.0.0.2"
    /// The unsent bytes above which a client waits.
    private static let window = 256 << 10
    /// The requests of one client at a time.
    private static let streams = 16

    private final class Attacker {
        let client: FileRelayClient
        var chunk: TestChunk?
        /// The response to the hello, then to FNEW.
        var pending: HTTP2StreamID?
        var hasGreeted = false
        var hasFailed = false
        var uploads: [HTTP2StreamID] = []

        init(_ client: FileRelayClient) { self.client = client }
    }

    static func run(_ words: [String]) throws {
        guard words.count >= 2, let server = try? ConfiguredServer(text: words[1], scheme: .xftp).address else {
            stop("flood-files: name a form and a relay")
        }
        let form = words[0]
        guard ["uploads", "fill"].contains(form) || frames(form) != nil else {
            stop("flood-files: there is no form \(form)")
        }
        _ = DescriptorLimit.raise()
        let count = words.count > 2 ? Int(words[2]) ?? 20 : 20
        let loop = try EventLoop()
        var hasEnded = false
        try loop.watch(0, for: .reading) { _ in
            var byte: UInt8 = 0
            hasEnded = unsafe read(0, &byte, 1) < 1
        }
        func connect() throws -> Attacker {
            Attacker(
                try FileRelayClient(
                    port: server.port ?? XFTP.defaultPort, fingerprint: server.fingerprint, loop: loop, from: source))
        }
        var attackers = try (0..<count).map { _ in try connect() }
        var begun = 0, abandoned = 0, refused = 0, connections = count
        func step() {
            guard !hasEnded else { return }
            for index in attackers.indices {
                let attacker = attackers[index]
                if attacker.client.end != nil || attacker.hasFailed {
                    attacker.client.close()
                    guard let again = try? connect() else { continue }
                    attackers[index] = again
                    connections += 1
                } else if attacker.client.isSecured, attacker.client.unsentBytes < window {
                    if let frames = frames(form) {
                        begun += flood(attacker, frames)
                    } else {
                        upload(attacker, completely: form == "fill", &begun, &abandoned, &refused)
                    }
                }
            }
            loop.after(.milliseconds(2), step)
        }
        step()
        loop.run { hasEnded || begun > 0 }
        say("ready")
        loop.run { hasEnded }
        say("begun \(begun) abandoned \(abandoned) refused \(refused) connections \(connections)")
    }

    /// Takes the next step of a client that begins uploads: a hello, a chunk, then uploads of 1000 bytes. A client with as many as
    /// the relay allows resets one. A client that uploads completely sends all of a chunk, and then the next one.
    private static func upload(
        _ attacker: Attacker, completely: Bool, _ begun: inout Int, _ abandoned: inout Int, _ refused: inout Int
    ) {
        let client = attacker.client
        do {
            for upload in attacker.uploads {
                guard let response = client.take(upload) else { continue }
                attacker.uploads.removeAll { $0 == upload }
                if completely { attacker.chunk = nil }
                let answer = try completely ? client.answer(in: response.body).answer : nil
                if answer != .ok { refused += 1 }
            }
            if let pending = attacker.pending {
                guard let response = client.take(pending) else { return }
                attacker.pending = nil
                if client.session == nil {
                    attacker.pending = try client.post(try client.answer(response.body))
                } else if !attacker.hasGreeted {
                    attacker.hasGreeted = true
                } else if case .sids(let senderID, _) = try client.answer(in: response.body).answer {
                    attacker.chunk?.senderID = senderID
                } else {
                    attacker.chunk = nil
                    refused += 1
                }
            } else if client.session == nil {
                attacker.pending = try client.post(nil)
            } else if let chunk = attacker.chunk, completely {
                guard attacker.uploads.isEmpty else { return }
                attacker.uploads = [
                    try client.post(try client.block(.fput, of: chunk.senderID, key: chunk.sender) + chunk.data)
                ]
                begun += 1
            } else if let chunk = attacker.chunk {
                if attacker.uploads.count >= streams {
                    try client.http.reset(attacker.uploads.removeFirst())
                    client.pump()
                    abandoned += 1
                }
                let start = try client.block(.fput, of: chunk.senderID, key: chunk.sender) + chunk.data.prefix(1000)
                var first: Bytes? = start
                attacker.uploads.append(
                    try client.http.request(.post("/", authority: "localhost")) { _ in
                        first.take().map { .bytes($0) } ?? .wait
                    })
                client.pump()
                begun += 1
            } else {
                let chunk = TestChunk(Bytes(repeating: 1, count: 4 << 20))
                attacker.chunk = chunk
                attacker.pending = try client.post(try client.block(chunk.new(), key: chunk.sender))
            }
        } catch {
            attacker.hasFailed = true
            client.close()
        }
    }

    /// Sends many frames past HTTP/2. Returns their number.
    private static func flood(_ attacker: Attacker, _ frames: (before: Bytes, frame: Bytes)) -> Int {
        if !attacker.hasGreeted {
            attacker.hasGreeted = true
            // The preface and the settings of the client come first.
            attacker.client.pump()
            attacker.client.sendRaw(frames.before)
        }
        let count = (32 << 10) / frames.frame.count
        attacker.client.sendRaw(Bytes((0..<count).flatMap { _ in frames.frame }))
        return count
    }

    /// The frames before a flood, and the one that is repeated.
    private static func frames(_ form: String) -> (before: Bytes, frame: Bytes)? {
        func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, _ payload: Bytes = []) -> Bytes {
            [0, 0, UInt8(clamping: payload.count), type, flags, 0, 0, 0, stream] + payload
        }
        let request: Bytes = [0x83, 0x87, 0x84, 0x41, 1, 0x68]
        let open = frame(1, flags: 4, stream: 1, request)
        return switch form {
        case "data": (open, frame(0, stream: 1))
        case "priority": ([], frame(2, stream: 3, [0, 0, 0, 0, 1]))
        case "settings": ([], frame(4, flags: 1))
        case "ping": ([], frame(6, flags: 1, Bytes(repeating: 1, count: 8)))
        case "window": ([], frame(8, [0, 0, 0, 1]))
        case "reset": (open, frame(3, stream: 1, [0, 0, 0, 8]))
        case "continuation": (frame(1, stream: 1, request), frame(9, stream: 1))
        case "unknown": ([], frame(0x42, stream: 1))
        default: nil
        }
    }
}

/// A client that stores, gets and deletes chunks, and measures how long that takes, until standard input ends.
///
///     attacker honest-files xftp://...
///
/// Each round connects, uploads a chunk of 4 MB and downloads it. Ends with 1 if a step takes more than 20 s or is refused. Prints
/// `ready` after the first round, `again` after the second, and at the end the number of rounds, and medians and 99th
/// percentiles in milliseconds.
enum HonestFilesCommand {
    /// The size of a chunk, as large as those of the flood: it does not fit into the space that they leave.
    private static let size = 4 << 20

    static func run(_ words: [String]) throws {
        guard let word = words.first, let server = try? ConfiguredServer(text: word, scheme: .xftp).address else {
            stop("honest-files: name a relay")
        }
        let loop = try EventLoop()
        var hasEnded = false
        try loop.watch(0, for: .reading) { _ in
            var byte: UInt8 = 0
            hasEnded = unsafe read(0, &byte, 1) < 1
        }
        var openings: [Double] = [], uploads: [Double] = [], downloads: [Double] = [], unneeded: [Double] = []
        while !hasEnded {
            let client = try HonestCommand.step("connecting", loop, &openings) {
                try FileRelayClient(
                    port: server.port ?? XFTP.defaultPort, fingerprint: server.fingerprint, loop: loop)
            } until: {
                $0.isSecured || $0.end != nil
            }
            func body(_ what: String, _ times: inout [Double], _ request: () throws -> Bytes?) throws -> Bytes {
                var response: FileRelayClient.Response?
                _ = try HonestCommand.step(what, loop, &times) {
                    try client.post(try request())
                } until: { stream in
                    response = response ?? client.take(stream)
                    return response != nil || client.end != nil
                }
                guard let response, response.isComplete else { stop("honest-files: \(what): the connection ends") }
                return response.body
            }
            func ask(
                _ what: String, _ times: inout [Double], _ command: FileCommand, _ id: EntityID,
                _ key: AuthorizationPrivateKey, _ data: Bytes = []
            ) throws -> (answer: FileAnswer, body: Bytes) {
                try client.answer(
                    in: try body(what, &times) { try client.block(command, of: id, key: key) + data })
            }
            let hello = try body("the hello", &unneeded) { nil }
            _ = try body("the handshake", &unneeded) { try client.answer(hello) }
            let chunk = TestChunk(SystemRandom().bytes(size))
            guard
                case .sids(let senderID, let ids) = try ask("FNEW", &unneeded, chunk.new(), .empty, chunk.sender).answer,
                let id = ids.first, let key = chunk.keys.first
            else { stop("honest-files: FNEW is refused") }
            let stored = try ask("FPUT", &uploads, .fput, senderID, chunk.sender, chunk.data).answer
            guard stored == .ok else { stop("honest-files: FPUT: \(stored)") }
            let own = X25519.PrivateKey(random: SystemRandom())
            let (got, bytes) = try ask("FGET", &downloads, .fget(own.publicKey), id, key)
            guard case .file = got, bytes.count == size + 16 else { stop("honest-files: FGET: \(got)") }
            guard try ask("FDEL", &unneeded, .fdel, senderID, chunk.sender).answer == .ok else {
                stop("honest-files: FDEL is refused")
            }
            client.close()
            if openings.count <= 2 { say(openings.count == 1 ? "ready" : "again") }
        }
        say("rounds \(openings.count) messages \(uploads.count)")
        HonestCommand.report([("connect", openings), ("upload", uploads), ("download", downloads)])
    }
}
