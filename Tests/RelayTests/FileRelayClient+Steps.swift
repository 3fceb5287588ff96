import AttackSupport
import ByteCoding
import CryptoCore
import HTTP2
import Relay
import SMPProtocol
import SecureTransport
import SystemIO
import Testing
import XFTPProtocol

/// The steps of a test.
extension FileRelayClient {
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
        return try answer(in: response)
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

    /// Begins the upload of a new chunk, and sends the first bytes of it.
    func beginUpload(size: Int = 65536, sending count: Int = 1000) throws -> BegunUpload {
        let chunk = try announce(TestChunk(SystemRandom().bytes(size)))
        let start = try block(.fput, of: chunk.senderID, key: chunk.sender) + chunk.data.prefix(count)
        let body = BegunUpload(chunk, [.bytes(start)], rest: Bytes(chunk.data.dropFirst(count)))
        body.stream = try http.request(.post("/", authority: "localhost")) { _ in body.next() }
        pump()
        return body
    }

    /// Sends more of a begun upload: all of the rest, or a part of it.
    func go(on upload: BegunUpload, _ count: Int? = nil) throws {
        upload.add(count)
        if let stream = upload.stream { try http.resume(stream) }
        pump()
    }

    /// Waits for the answer to an upload.
    func answer(to upload: BegunUpload) throws -> FileAnswer {
        try answer(in: try response(try #require(upload.stream))).answer
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

/// An upload that is not complete.
final class BegunUpload {
    let chunk: TestChunk
    fileprivate(set) var stream: HTTP2StreamID?
    private var pieces: [HTTP2Piece]
    private var rest: Bytes

    fileprivate init(_ chunk: TestChunk, _ pieces: [HTTP2Piece], rest: Bytes) {
        (self.chunk, self.pieces, self.rest) = (chunk, pieces, rest)
    }

    fileprivate func next() -> HTTP2Piece { pieces.isEmpty ? .wait : pieces.removeFirst() }

    fileprivate func add(_ count: Int?) {
        pieces.append(count.map { .bytes(Bytes(rest.prefix($0))) } ?? .last(rest))
        rest = Bytes(rest.dropFirst(count ?? rest.count))
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

    func connectToFiles(alpn: String = XFTP.alpn, from source: String? = nil) throws -> FileRelayClient {
        let server = try #require(server)
        let client = try FileRelayClient(
            port: try #require(server.filePort), fingerprint: server.address.fingerprint, loop: loop, alpn: alpn,
            from: source)
        try client.greet()
        return client
    }

    /// The names of the files of chunks.
    func chunkFiles() throws -> [String] {
        try Files.names(in: "\(path)/files")
    }
}
