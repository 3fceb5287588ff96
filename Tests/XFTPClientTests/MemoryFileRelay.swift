import ByteCoding
import CryptoCore
import HTTP2
import SMPProtocol
import SecureTransport
import SystemIO
import XFTPProtocol

/// A file relay in memory behind real TLS and HTTP/2, whose answers a test can replace.
final class MemoryFileRelay: @unchecked Sendable {
    // Safe because everything happens on the thread of the loop.

    /// A stored chunk.
    struct Chunk {
        let size: UInt32
        let digest: Bytes
        let senderKey: AuthorizationKey
        var recipients: [EntityID: AuthorizationKey] = [:]
        var content: Bytes?
    }

    /// A wrong answer to the download of a chunk.
    enum Misbehaviour: CaseIterable {
        /// Bytes are missing, are too many, or never end.
        case short, long, endless
        /// Nothing follows the answer.
        case empty
        /// Another chunk, with a tag of its own.
        case otherChunk
        /// A byte of the chunk, or of the tag, is another one.
        case changedByte, changedTag
        /// The answer to another command, a block that cannot be read, or a status that is an error.
        case otherAnswer, noise, status
        /// Half of the chunk, and then silence.
        case silence

        func body(_ body: Bytes) -> Bytes {
            switch self {
            case .short: Bytes(body.dropLast(1000))
            case .long: body + Bytes(repeating: 0, count: 1000)
            case .empty: []
            case .changedByte: [body[0] ^ 1] + body.dropFirst()
            case .changedTag: body.dropLast() + [(body.last ?? 0) ^ 1]
            case .silence: Bytes(body.prefix(body.count / 2))
            case .endless, .otherChunk, .otherAnswer, .noise, .status: body
            }
        }
    }

    let loop: EventLoop
    let certificates: RelayCertificates
    private let versions: VersionRange
    private let context: TLSContext
    private var listener: Listener?
    private var connections: [ObjectIdentifier: Connection] = [:]
    private(set) var chunks: [EntityID: Chunk] = [:]
    /// The number of received commands by tag.
    private(set) var counts: [FileCommandTag: Int] = [:]
    /// The number of accepted connections.
    private(set) var accepted = 0
    /// Replaces the answer to a command; nil lets the relay answer.
    var intercept: (FileCommand) -> FileAnswer? = { _ in nil }
    /// True for commands that get no answer.
    var ignores: (FileCommand) -> Bool = { _ in false }
    /// Changes the encrypted body of a download.
    var tamper: (Bytes) -> Bytes = { $0 }
    /// Changes the relay's hello.
    var tamperHello: (FileServerHello) -> FileServerHello = { $0 }
    /// How the relay answers downloads instead of with the chunk.
    var misbehaviour: Misbehaviour?
    /// The password for new chunks.
    var password: ServerPassword?
    /// The number of requests of a connection that the relay reads at a time, with the smallest window of HTTP/2; nil for all. Set
    /// before connections are accepted.
    var requestsAtOnce: Int?
    /// The number of connections, of those that are open, whose chunks the relay reads; nil for all.
    var readConnections: Int?
    /// The time until an answer is sent.
    var answerDelay = Duration.zero

    init(_ loop: EventLoop, versions: VersionRange = XFTP.versions, port: UInt16 = 0, alpn: String = XFTP.alpn) throws {
        self.loop = loop
        self.versions = versions
        certificates = try RelayCertificates.generate(host: "localhost", random: SystemRandom()).certificates
        context = try TLSContext(serverWith: certificates, alpn: alpn)
        listener = try Listener(host: "127.0.0.1", port: port, loop: loop) { [unowned self] number in accept(number) }
    }

    var address: ServerAddress {
        ServerAddress(hosts: [.ipv4("127.0.0.1")], port: listener?.port, fingerprint: certificates.fingerprint)
    }

    func count(_ tag: FileCommandTag) -> Int { counts[tag] ?? 0 }

    /// Ends all connections.
    func hangUp() {
        for connection in connections.values { connection.close() }
        connections = [:]
    }

    /// Changes a byte of every stored chunk.
    func corruptAll() {
        for (id, chunk) in chunks where chunk.content?.isEmpty == false {
            chunks[id]?.content?[0] ^= 1
        }
    }

    private func accept(_ number: Int32) {
        guard
            let connection = try? Connection(
                FileDescriptor(owning: number), relay: self, number: accepted, versions: versions, context: context)
        else { return }
        connections[ObjectIdentifier(connection)] = connection
        accepted += 1
    }

    fileprivate func forget(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = nil
        for other in connections.values { other.readOn() }
    }

    // MARK: - Commands

    fileprivate func answer(_ transmission: Transmission, _ body: Bytes, session: FileSession, key: X25519.PrivateKey)
        -> (
            FileAnswer, Bytes
        )?
    {
        guard let command = try? FileCommand(decoding: transmission.command) else {
            return (.err(.command(.syntax)), [])
        }
        counts[command.tag, default: 0] += 1
        if ignores(command) { return nil }
        if let answer = intercept(command) { return (answer, []) }
        let authorized = transmission.authorized(in: session.transmission)
        func isAuthorized(by authorizationKey: AuthorizationKey) -> Bool {
            transmission.authorization.verifies(
                authorized, key: authorizationKey, correlationID: transmission.correlationID, relayKey: key)
        }
        let id = transmission.entityID
        switch command {
        case .ping: return (.pong, [])
        case .fnew(let new):
            guard isAuthorized(by: new.senderKey), password == nil || new.password == password else {
                return (.err(.authorization), [])
            }
            guard XFTP.chunkSizes.contains(new.size) else { return (.err(.size), []) }
            let id = EntityID(SystemRandom().bytes(XFTP.idSize))
            chunks[id] = Chunk(size: new.size, digest: new.digest, senderKey: new.senderKey)
            return (.sids(senderID: id, recipientIDs: add(new.recipientKeys, to: id)), [])
        case .fadd(let keys):
            guard let chunk = chunks[id], isAuthorized(by: chunk.senderKey) else { return (.err(.authorization), []) }
            return (.rids(add(keys, to: id)), [])
        case .fput:
            guard let chunk = chunks[id], isAuthorized(by: chunk.senderKey) else { return (.err(.authorization), []) }
            guard body.count == Int(chunk.size) else { return (.err(.size), []) }
            guard SHA256.hash(body) == chunk.digest else { return (.err(.digest), []) }
            chunks[id]?.content = body
            return (.ok, [])
        case .fdel:
            guard let chunk = chunks[id], isAuthorized(by: chunk.senderKey) else { return (.err(.authorization), []) }
            chunks[id] = nil
            return (.ok, [])
        case .fget(let recipientKey):
            guard let chunk = chunks.values.first(where: { $0.recipients[id] != nil }),
                let authorizationKey = chunk.recipients[id], isAuthorized(by: authorizationKey)
            else { return (.err(.authorization), []) }
            guard var content = chunk.content else { return (.err(.noFile), []) }
            if misbehaviour == .otherAnswer { return (.ok, []) }
            if misbehaviour == .otherChunk { content[0] ^= 1 }
            let nonce = Nonce(random: SystemRandom())
            let own = X25519.PrivateKey(random: SystemRandom())
            guard var stream = try? ChunkStream.sealing(own, with: recipientKey, nonce: nonce) else {
                return (.err(.crypto), [])
            }
            let encrypted = stream.encrypt(content)
            let body = tamper(encrypted + stream.tag())
            return (.file(key: own.publicKey, nonce: nonce), misbehaviour?.body(body) ?? body)
        case .fack:
            guard let owner = chunks.first(where: { $0.value.recipients[id] != nil })?.key,
                let authorizationKey = chunks[owner]?.recipients[id], isAuthorized(by: authorizationKey)
            else { return (.err(.authorization), []) }
            chunks[owner]?.recipients[id] = nil
            return (.ok, [])
        }
    }

    private func add(_ keys: [AuthorizationKey], to id: EntityID) -> [EntityID] {
        keys.map { key in
            let recipient = EntityID(SystemRandom().bytes(XFTP.idSize))
            chunks[id]?.recipients[recipient] = key
            return recipient
        }
    }

    // MARK: - Connections

    /// One connection of a client.
    fileprivate final class Connection {
        private unowned let relay: MemoryFileRelay
        private let versions: VersionRange
        private let http: HTTP2Session
        private let key = X25519.PrivateKey(random: SystemRandom())
        private var tls: TLSConnection?
        private var handshake: FileRelayHandshake?
        private var hasGreeted = false
        private var session: FileSession?
        private var bodies: [HTTP2StreamID: Bytes] = [:]
        /// The requests without an answer, oldest first.
        private var open: [HTTP2StreamID] = []
        /// The requests that are complete.
        private var complete: Set<HTTP2StreamID> = []
        /// The numbers of received bytes that were not read.
        private var unread: [HTTP2StreamID: Int] = [:]
        private let number: Int
        /// How many of the open connections are older.
        private var place: Int { relay.connections.values.count { $0.number < number } }

        init(
            _ socket: consuming FileDescriptor, relay: MemoryFileRelay, number: Int, versions: VersionRange,
            context: TLSContext
        ) throws {
            self.relay = relay
            self.versions = versions
            self.number = number
            var limits = HTTP2Limits()
            if relay.requestsAtOnce != nil || relay.readConnections != nil {
                (limits.streamWindow, limits.connectionWindow) = (65535, 65535)
            }
            http = try HTTP2Session(.server, limits: limits)
            tls = try TLSConnection(
                socket, side: .server, context: context, loop: relay.loop, blockSize: nil,
                handshakeDeadline: .seconds(10), writeDeadline: .seconds(10)
            ) { [unowned self] event in
                switch event {
                case .secured(let session): secured(session)
                case .block(let bytes): try? receive(bytes)
                case .closed: relay.forget(self)
                }
            }
            tls?.whenDrained = { [unowned self] in try? write() }
        }

        func close() {
            tls?.close()
        }

        private func secured(_ session: TLSSession) {
            handshake = FileRelayHandshake(
                versions: versions, sessionID: session.sessionID, chain: relay.certificates.chain.certificates,
                signer: relay.certificates.key, key: key.publicKey)
            guard session.alpn == nil else { return }
            // Version 1 has no handshake.
            hasGreeted = true
            self.session = FileSession(version: 1, sessionID: session.sessionID)
        }

        private func receive(_ bytes: Bytes) throws {
            try http.receive(bytes)
            for event in http.takeEvents() {
                switch event {
                case .head(let id, _):
                    bodies[id] = []
                    open.append(id)
                case .body(let id, let bytes):
                    bodies[id]? += bytes
                    unread[id, default: 0] += bytes.count
                case .end(let id): complete.insert(id)
                case .closed(let id, _): forget(id)
                case .goAway: break
                }
            }
            try work()
            try write()
        }

        private func forget(_ id: HTTP2StreamID) {
            bodies[id] = nil
            unread[id] = nil
            complete.remove(id)
            open.removeAll { $0 == id }
        }

        /// Reads what waited until an older connection was closed.
        func readOn() {
            try? work()
            try? write()
        }

        /// Reads the requests that may be read, and answers those that are complete.
        private func work() throws {
            for id in open.prefix(relay.requestsAtOnce ?? open.count) {
                let isChunk = (bodies[id]?.count ?? 0) > XFTP.blockSize
                if isChunk, let count = relay.readConnections, place >= count { continue }
                if let count = unread.removeValue(forKey: id) { try http.consume(count, of: id) }
                guard complete.remove(id) != nil else { continue }
                if relay.answerDelay > .zero {
                    _ = relay.loop.after(relay.answerDelay) { [weak self] in try? self?.close(id) }
                } else {
                    try close(id)
                }
            }
        }

        /// Answers a request, and reads the next one.
        private func close(_ id: HTTP2StreamID) throws {
            guard let body = bodies[id] else { return }
            forget(id)
            try finish(id, body)
            try work()
            try write()
        }

        private func finish(_ id: HTTP2StreamID, _ body: Bytes) throws {
            guard hasGreeted, let handshake else {
                hasGreeted = true
                guard let hello = handshake?.hello else { return }
                return try respond(id, try FileBlock.padded(relay.tamperHello(hello).encoded))
            }
            let block = Bytes(body.prefix(XFTP.blockSize))
            guard let session else {
                do throws(TransportError) {
                    session = try handshake.accept((try? FileBlock.content(of: block)) ?? [])
                    try? respond(id, [])
                } catch {
                    try? respond(id, try FileBlock.padded(FileRelayError.handshake.encoded))
                }
                return
            }
            guard let transmission = try? FileBlock.decode(block, session: session) else {
                return try answer(id, .err(.block), .empty, .empty, [])
            }
            let chunk = Bytes(body.dropFirst(XFTP.blockSize))
            guard let (result, content) = relay.answer(transmission, chunk, session: session, key: key) else { return }
            try answer(id, result, transmission.correlationID, transmission.entityID, content)
        }

        private func answer(
            _ id: HTTP2StreamID, _ answer: FileAnswer, _ correlationID: CorrelationID, _ entityID: EntityID,
            _ content: Bytes
        ) throws {
            guard let session else { return }
            let transmission = Transmission(
                correlationID: correlationID, entityID: entityID, command: answer.encoded(version: session.version))
            let block = try FileBlock.encode(transmission, session: session)
            guard case .file = answer, let misbehaviour = relay.misbehaviour else {
                return try respond(id, block + content)
            }
            try respond(
                id, (misbehaviour == .noise ? SystemRandom().bytes(block.count) : block) + content,
                status: misbehaviour == .status ? 500 : 200, then: misbehaviour)
        }

        private func respond(
            _ id: HTTP2StreamID, _ body: Bytes, status: Int = 200, then misbehaviour: Misbehaviour? = nil
        ) throws {
            var rest = body[...]
            try http.respond(to: id, .status(status)) { count in
                let part = rest.prefix(count)
                rest = rest.dropFirst(part.count)
                if !rest.isEmpty { return .bytes(Bytes(part)) }
                switch misbehaviour {
                case .endless: return .bytes(part.isEmpty ? Bytes(repeating: 7, count: count) : Bytes(part))
                case .silence: return part.isEmpty ? .wait : .bytes(Bytes(part))
                default: return .last(Bytes(part))
                }
            }
            try write()
        }

        private func write() throws {
            while let tls, tls.unsentBytes < 1 << 20 {
                let bytes = try http.output()
                if bytes.isEmpty { return }
                tls.send(bytes)
            }
        }
    }
}
