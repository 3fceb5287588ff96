import ByteCoding
import CryptoCore
import HTTP2
import Relay
import SMPProtocol
import SecureTransport
import SystemIO
import Testing
import XFTPProtocol

/// A client of a file relay on loopback, with nothing that a client does by itself.
final class LoopbackFileClient {
    /// A response.
    struct Response {
        var head: [HTTP2Header] = []
        var body: Bytes = []
        var isComplete = false
        var reason: HTTP2Reason?
    }

    private(set) var connection: TLSConnection?
    private(set) var session: FileSession?
    private(set) var end: ConnectionError?
    private(set) var responses: [HTTP2StreamID: Response] = [:]
    let http: HTTP2Session
    private let loop: EventLoop
    private let fingerprint: Bytes
    private var tls: TLSSession?
    private var leafKey: CertificateKey?

    init(port: UInt16, fingerprint: Bytes, loop: EventLoop, alpn: String = XFTP.alpn) throws {
        self.fingerprint = fingerprint
        self.loop = loop
        http = try HTTP2Session(.client)
        connection = try TLSConnection(
            FileDescriptor(owning: try LoopbackClient.connect(port)), side: .client,
            context: TLSContext(clientOf: alpn), loop: loop, blockSize: nil, handshakeDeadline: .seconds(20),
            writeDeadline: .seconds(20)
        ) { [unowned self] event in
            switch event {
            case .secured(let tls): secured(tls)
            case .block(let bytes): receive(bytes)
            case .closed(let error): end = error
            }
        }
        connection?.whenDrained = { [unowned self] in pump() }
    }

    private func secured(_ tls: TLSSession) {
        self.tls = tls
        leafKey = (try? tls.chain.verify(fingerprint: fingerprint)).flatMap {
            if case .ed25519(let key) = $0 { .ed25519(key) } else { nil }
        }
        if tls.alpn == nil { session = FileSession(version: 1, sessionID: tls.sessionID) }
        pump()
    }

    var isSecured: Bool { tls != nil }

    /// Reads the hello of the relay, and returns the block of the client's own.
    func answer(_ hello: Bytes) throws -> Bytes {
        let tls = try #require(tls)
        let handshake = FileClientHandshake(
            fingerprint: fingerprint, sessionID: tls.sessionID, leafKey: try #require(leafKey))
        let (hello, session) = try handshake.answer(try FileBlock.content(of: hello))
        self.session = session
        return try FileBlock.padded(hello.encoded)
    }

    private func receive(_ bytes: Bytes) {
        do {
            try http.receive(bytes)
            for event in http.takeEvents() {
                switch event {
                case .head(let stream, let head): responses[stream, default: Response()].head = head
                case .body(let stream, let bytes):
                    responses[stream, default: Response()].body += bytes
                    try http.consume(bytes.count, of: stream)
                case .end(let stream): responses[stream, default: Response()].isComplete = true
                case .closed(let stream, let reason): responses[stream, default: Response()].reason = reason
                case .goAway: break
                }
            }
            pump()
        } catch {
            Issue.record("the relay sends HTTP/2")
        }
    }

    /// Sends what waits.
    func pump() {
        while let connection, connection.unsentBytes < 1 << 20 {
            guard let bytes = try? http.output(), !bytes.isEmpty else { return }
            connection.send(bytes)
        }
    }

    /// Sends a request with this body.
    func post(_ body: Bytes?) throws -> HTTP2StreamID {
        let stream = try http.request(
            .post("/", authority: "localhost"),
            body: body.map { whole in
                var rest = whole[...]
                return { limit in
                    let piece = Bytes(rest.prefix(limit))
                    rest = rest.dropFirst(piece.count)
                    return rest.isEmpty ? .last(piece) : .bytes(piece)
                }
            })
        pump()
        return stream
    }

    /// The block of a command.
    func block(
        _ command: FileCommand, of id: EntityID = .empty, key: AuthorizationPrivateKey? = nil
    ) throws -> Bytes {
        let session = try #require(session)
        let transmission =
            if let key {
                try Transmission(
                    command.encoded, entityID: id, correlationID: .empty, key: key, session: session.transmission,
                    relayKey: session.relayKey)
            } else {
                Transmission(correlationID: .empty, entityID: id, command: command.encoded)
            }
        return try FileBlock.encode(transmission, session: session)
    }

    func close() {
        connection?.close()
        connection = nil
    }

    // MARK: - Commands

    /// Handles events until the condition holds.
    func run(_ what: Comment, until isDone: () -> Bool) throws {
        try loop.run(what, until: isDone)
    }

    /// Waits for TLS and, with ALPN, for the handshake.
    func greet() throws {
        try run("TLS is there") { isSecured || end != nil }
        guard session == nil else { return }
        let hello = try response(try post(nil))
        #expect(try response(try post(try answer(hello))) == [])
    }

    /// Waits for a response and returns its body.
    func response(_ stream: HTTP2StreamID) throws -> Bytes {
        try run("the request is answered") {
            responses[stream]?.isComplete == true || responses[stream]?.reason != nil || end != nil
        }
        let response = try #require(responses[stream])
        try #require(response.isComplete, "\(String(describing: response.reason))")
        #expect(response.head == .status(200))
        return response.body
    }

    /// Sends a command with the bytes behind it, and waits for the answer and the bytes behind that.
    func ask(
        _ command: FileCommand, of id: EntityID = .empty,
        key: AuthorizationPrivateKey? = nil, body: Bytes = []
    ) throws -> (answer: FileAnswer, body: Bytes) {
        let stream = try post(try block(command, of: id, key: key) + body)
        let response = try self.response(stream)
        let transmission = try FileBlock.decode(
            Bytes(response.prefix(XFTP.blockSize)), session: try #require(session))
        return (try FileAnswer(decoding: transmission.command), Bytes(response.dropFirst(XFTP.blockSize)))
    }

    /// Announces a chunk.
    func announce(_ chunk: TestChunk) throws -> TestChunk {
        var chunk = chunk
        guard case .sids(let senderID, let ids) = try ask(chunk.new(), key: chunk.sender).answer else {
            throw FileRelayError.internal
        }
        (chunk.senderID, chunk.ids) = (senderID, ids)
        return chunk
    }

    /// Announces and uploads a chunk of this size.
    func upload(size: Int = 65536, recipients: Int = 1) throws -> TestChunk {
        let chunk = try announce(TestChunk(SystemRandom().bytes(size), recipients: recipients))
        #expect(try ask(.fput, of: chunk.senderID, key: chunk.sender, body: chunk.data).answer == .ok)
        return chunk
    }

    /// Downloads a chunk; the error of the relay is thrown.
    func download(_ chunk: TestChunk, as recipient: Int = 0) throws -> Bytes {
        let own = X25519.PrivateKey(random: SystemRandom())
        let (answer, body) = try ask(
            .fget(own.publicKey), of: chunk.ids[recipient], key: chunk.keys[recipient])
        if case .err(let error) = answer { throw error }
        guard case .file(let key, let nonce) = answer else { throw FileRelayError.internal }
        var opening = try ChunkOpening(
            size: UInt32(chunk.data.count), digest: SHA256.hash(chunk.data), privateKey: own, key: key, nonce: nonce)
        let data = try opening.decrypt(body)
        try opening.finish()
        return data
    }
}

/// A chunk with the keys of its sender and recipients.
struct TestChunk {
    let data: Bytes
    let sender = AuthorizationPrivateKey.ed25519(Ed25519.PrivateKey(random: SystemRandom()))
    let keys: [AuthorizationPrivateKey]
    var senderID = EntityID.empty
    var ids: [EntityID] = []

    init(_ data: Bytes, recipients: Int = 1) {
        self.data = data
        keys = (0..<recipients).map { _ in .ed25519(Ed25519.PrivateKey(random: SystemRandom())) }
    }

    /// FNEW for the chunk.
    func new(size: Int? = nil, password: ServerPassword? = nil) -> FileCommand {
        .fnew(
            NewChunk(
                senderKey: sender.publicKey, size: UInt32(size ?? data.count), digest: SHA256.hash(data),
                recipientKeys: keys.map(\.publicKey), password: password))
    }
}

/// A relay for files on the loop of the test.
extension RelayWorld {
    /// Starts a relay for files, which uses the whole disk.
    static func forFiles(
        _ change: (inout RelaySettings) throws -> Void = { _ in }, limits: (inout RelayLimits) -> Void = { _ in }
    ) throws -> RelayWorld {
        var settings = RelayLimits.loopback
        limits(&settings)
        return try RelayWorld(limits: settings) { settings in
            settings.filePort = 0
            try change(&settings)
        }
    }

    func connectToFiles(alpn: String = XFTP.alpn) throws -> LoopbackFileClient {
        let server = try #require(server)
        let client = try LoopbackFileClient(
            port: try #require(server.filePort), fingerprint: server.address.fingerprint, loop: loop, alpn: alpn)
        try client.greet()
        return client
    }

    /// The names of the files of chunks.
    func chunkFiles() throws -> [String] {
        try Files.names(in: "\(path)/files")
    }
}
