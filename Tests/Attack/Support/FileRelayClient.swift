public import ByteCoding
import CryptoCore
import Glibc
public import HTTP2
public import SMPProtocol
public import SecureTransport
public import SystemIO
public import XFTPProtocol

/// A client of a file relay on loopback, with nothing that a client does by itself.
public final class FileRelayClient {
    /// A response.
    public struct Response {
        /// The headers.
        public var head: [HTTP2Header] = []
        /// The received part of the body.
        public var body: Bytes = []
        /// True if the response is complete.
        public var isComplete = false
        /// The reason for the end of the stream.
        public var reason: HTTP2Reason?
    }

    /// The session after the handshake.
    public private(set) var session: FileSession?
    /// The reason for the end of the connection.
    public private(set) var end: ConnectionError?
    /// The responses to requests.
    public private(set) var responses: [HTTP2StreamID: Response] = [:]
    /// The HTTP/2 side.
    public let http: HTTP2Session
    /// The loop of the connection.
    public let loop: EventLoop
    private var connection: TLSConnection?
    private let fingerprint: Bytes
    private var tls: TLSSession?
    private var leafKey: CertificateKey?

    /// Connects to a port of this machine.
    ///
    /// - Parameter source: The loopback address to connect from; nil for the usual one.
    public init(
        port: UInt16, fingerprint: Bytes, loop: EventLoop, alpn: String = XFTP.alpn, from source: String? = nil
    ) throws {
        self.fingerprint = fingerprint
        self.loop = loop
        http = try HTTP2Session(.client)
        connection = try TLSConnection(
            FileDescriptor(owning: try LoopbackSocket.connect(port, from: source)), side: .client,
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

    /// True after the TLS handshake.
    public var isSecured: Bool { tls != nil }

    /// The number of bytes that the relay has not accepted.
    public var unsentBytes: Int { connection?.unsentBytes ?? 0 }

    /// Reads the hello of the relay, and returns the block of the client's own.
    ///
    /// - Throws: ``FileRelayError/handshake`` for a relay with another certificate, and errors of the protocol.
    public func answer(_ hello: Bytes) throws -> Bytes {
        guard let tls, let leafKey else { throw FileRelayError.handshake }
        let handshake = FileClientHandshake(fingerprint: fingerprint, sessionID: tls.sessionID, leafKey: leafKey)
        let (hello, session) = try handshake.answer(try FileBlock.content(of: hello))
        self.session = session
        return try FileBlock.padded(hello.encoded)
    }

    private func receive(_ bytes: Bytes) {
        do throws(HTTP2Error) {
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
            close()
            end = .invalidTraffic
        }
    }

    /// Forgets the response to a request, and returns it if it is complete.
    public func take(_ stream: HTTP2StreamID) -> Response? {
        guard let response = responses[stream], response.isComplete || response.reason != nil else { return nil }
        responses[stream] = nil
        return response
    }

    /// Sends queued output.
    public func pump() {
        while let connection, connection.unsentBytes < 1 << 20 {
            guard let bytes = try? http.output(), !bytes.isEmpty else { return }
            connection.send(bytes)
        }
    }

    /// Sends bytes past HTTP/2.
    public func sendRaw(_ bytes: Bytes) { connection?.send(bytes) }

    /// Sends a request with this body.
    public func post(_ body: Bytes?) throws -> HTTP2StreamID {
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

    /// Returns the block of a command.
    ///
    /// - Throws: ``FileRelayError/session`` before the handshake.
    public func block(
        _ command: FileCommand, of id: EntityID = .empty, key: AuthorizationPrivateKey? = nil
    ) throws -> Bytes {
        guard let session else { throw FileRelayError.session }
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

    /// Returns the answer in the body of a response, and the bytes behind it.
    ///
    /// - Throws: ``FileRelayError/session`` before the handshake, and errors of decoding.
    public func answer(in body: Bytes) throws -> (answer: FileAnswer, body: Bytes) {
        guard let session else { throw FileRelayError.session }
        let transmission = try FileBlock.decode(Bytes(body.prefix(XFTP.blockSize)), session: session)
        return (try FileAnswer(decoding: transmission.command), Bytes(body.dropFirst(XFTP.blockSize)))
    }

    /// Closes the connection.
    public func close() {
        connection?.close()
        connection = nil
    }
}

/// A chunk with the keys of its sender and recipients.
public struct TestChunk {
    /// The bytes.
    public let data: Bytes
    /// The key of the sender.
    public let sender: AuthorizationPrivateKey = .ed25519(Ed25519.PrivateKey(random: SystemRandom()))
    /// The keys of the recipients.
    public let keys: [AuthorizationPrivateKey]
    /// The id for the sender, after the answer of the relay.
    public var senderID = EntityID.empty
    /// The ids for the recipients.
    public var ids: [EntityID] = []

    /// Creates a chunk, which no relay has.
    public init(_ data: Bytes, recipients: Int = 1) {
        self.data = data
        keys = (0..<recipients).map { _ in .ed25519(Ed25519.PrivateKey(random: SystemRandom())) }
    }

    /// Returns the command FNEW for the chunk.
    public func new(size: Int? = nil, password: ServerPassword? = nil) -> FileCommand {
        .fnew(
            NewChunk(
                senderKey: sender.publicKey, size: UInt32(size ?? data.count), digest: SHA256.hash(data),
                recipientKeys: keys.map(\.publicKey), password: password))
    }
}

/// Connected sockets on loopback.
public enum LoopbackSocket {
    /// Returns a connected, non-blocking socket.
    ///
    /// - Parameter source: The loopback address to connect from; nil for the usual one.
    public static func connect(_ port: UInt16, from source: String? = nil) throws -> Int32 {
        let number = try systemCall("create a socket") { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
        if let source {
            try systemCall("bind") { unsafe withAddress(source, 0) { unsafe Glibc.bind(number, $0, $1) } }
        }
        try systemCall("connect") { unsafe withAddress("127.0.0.1", port) { unsafe Glibc.connect(number, $0, $1) } }
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
        return number
    }

    private static func withAddress(
        _ text: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        unsafe address.sin_addr.s_addr = inet_addr(text)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
