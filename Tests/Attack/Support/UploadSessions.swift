public import ByteCoding
import CryptoCore
import HTTP2
import Relay
import SMPProtocol
import SystemIO
import XFTPProtocol

/// A file relay and clients of it, which begin, continue, end and break off uploads as bytes tell them, and send frames of their
/// own. What holds for a relay at all times is checked after each sequence.
///
/// One object is used for many sequences, on one thread.
public final class UploadSessions {
    /// A promise that the relay has not kept.
    public struct Broken: Error, CustomStringConvertible {
        /// The promise.
        public let description: String
    }

    private struct Upload {
        let stream: HTTP2StreamID
        let client: Int
        let pieces: Pieces
    }

    /// The body of an upload.
    private final class Pieces {
        var next: [HTTP2Piece] = []
        var rest: Bytes
        init(_ rest: Bytes) { self.rest = rest }
    }

    private let folder: String
    private let loop: EventLoop
    private let server: RelayServer
    private var clients: [FileRelayClient] = []
    private var spoiled: [FileRelayClient] = []
    private var chunks: [TestChunk] = []
    private var uploads: [Upload] = []

    /// The largest number of bytes of the files.
    private static let quota = 1 << 20
    private static let clientLimit = 3
    private static let chunkLimit = 4

    /// Starts a relay in a new folder, which is removed by ``end()``.
    public init(_ folder: String) throws {
        self.folder = folder
        loop = try EventLoop()
        var settings = RelaySettings(hosts: [.ipv4("127.0.0.1")], port: 0)
        settings.listen = .ipv4("127.0.0.1")
        settings.filePort = 0
        settings.fileMegabytes = UploadSessions.quota >> 20
        settings.uploadsPerAddress = 4
        settings.filesPerHour = 100_000_000
        settings.reserveMegabytes = 0
        try RelayFolder.create(at: folder, settings: settings)
        var limits = RelayLimits(settings)
        limits.uploadYield = .milliseconds(1)
        limits.uploadSilence = .milliseconds(100)
        limits.lookInterval = .milliseconds(20)
        server = try RelayServer(
            RelayFolder(opening: folder), on: loop, limits: limits,
            clock: { Timestamp(milliseconds: SystemClock.milliseconds()) }, random: SystemRandom())
    }

    /// Stops the relay and removes its folder.
    public func end() throws {
        server.stop()
        try Files.removeTree(folder)
    }

    /// Plays a sequence.
    ///
    /// - Throws: ``Broken`` for a broken promise, and errors of this side.
    public func play(_ input: Bytes) throws {
        var reader = ByteReader(input)
        while let operation = try? reader.uint8(), let value = try? reader.uint8() {
            try perform(operation % 10, Int(value), &reader)
            try check((server.fileSpace ?? 0) <= UploadSessions.quota, "the files exceed the limit")
        }
        try finish()
    }

    private func check(_ condition: Bool, _ promise: String) throws {
        if !condition { throw Broken(description: promise) }
    }

    /// Handles events until the condition holds.
    private func run(_ what: String, until isDone: () -> Bool) throws {
        var isLate = false
        let timer = loop.after(.seconds(20)) { isLate = true }
        loop.run { isLate || isDone() }
        timer.cancel()
        try check(isDone(), what)
    }

    private func perform(_ operation: UInt8, _ value: Int, _ reader: inout ByteReader) throws {
        switch operation {
        case 0: if clients.count < UploadSessions.clientLimit { try connect() }
        case 1: try announce([65536, 262_144][value % 2])
        case 2: try begin(value)
        case 3, 4:
            guard !uploads.isEmpty else { return }
            let upload = uploads[value % uploads.count]
            let count = operation == 3 ? value * 257 : Int.max
            let piece = Bytes(upload.pieces.rest.prefix(count))
            upload.pieces.rest = Bytes(upload.pieces.rest.dropFirst(piece.count))
            // Every other end is wrong: without the rest, or with too much.
            upload.pieces.next.append(
                operation == 3 ? .bytes(piece) : .last([piece, [], piece + [0], piece][value / 64]))
            try? clients[upload.client].http.resume(upload.stream)
            clients[upload.client].pump()
            if operation == 4 { uploads.remove(at: value % uploads.count) }
        case 5:
            guard !uploads.isEmpty else { return }
            let upload = uploads.remove(at: value % uploads.count)
            try? clients[upload.client].http.reset(upload.stream)
            clients[upload.client].pump()
        case 6:
            guard !chunks.isEmpty, let client = anyClient(value) else { return }
            let chunk = chunks[value % chunks.count]
            guard let answer = try ask(client, .fdel, of: chunk.senderID, key: chunk.sender) else { return }
            try check([.ok, .err(.authorization)].contains(answer), "FDEL: \(answer)")
        case 7:
            guard !chunks.isEmpty, let client = anyClient(value), let key = chunks[value % chunks.count].keys.first,
                let id = chunks[value % chunks.count].ids.first
            else { return }
            let own = X25519.PrivateKey(random: SystemRandom())
            guard let answer = try ask(client, .fget(own.publicKey), of: id, key: key) else { return }
            switch answer {
            case .file, .err(.noFile), .err(.authorization): break
            default: try check(false, "FGET: \(answer)")
            }
        case 8:
            guard let client = anyClient(value), let index = clients.firstIndex(where: { $0 === client }) else {
                return
            }
            client.sendRaw((try? reader.take(min(value, reader.remaining))) ?? [])
            // Its further requests may be a part of the last frame, and so without an answer.
            spoiled.append(client)
            forget(index)
        default:
            guard !clients.isEmpty else { return }
            let index = value % clients.count
            clients[index].close()
            forget(index)
        }
        // What was sent arrives, or a part of it.
        var isOver = false
        loop.after(.milliseconds(value % 4 == 0 ? 2 : 0)) { isOver = true }
        loop.run { isOver }
    }

    private func anyClient(_ value: Int) -> FileRelayClient? {
        let open = clients.filter { $0.end == nil && $0.session != nil }
        return open.isEmpty ? nil : open[value % open.count]
    }

    private func forget(_ index: Int) {
        clients.remove(at: index)
        uploads = uploads.compactMap { upload in
            guard upload.client != index else { return nil }
            return Upload(
                stream: upload.stream, client: upload.client > index ? upload.client - 1 : upload.client,
                pieces: upload.pieces)
        }
    }

    // MARK: - Steps

    private func connect() throws {
        guard let port = server.filePort else { return }
        let client = try FileRelayClient(port: port, fingerprint: server.address.fingerprint, loop: loop)
        try run("the relay answers TLS") { client.isSecured || client.end != nil }
        guard let hello = try body(client, nil) else { return client.close() }
        guard try body(client, try client.answer(hello)) != nil else { return client.close() }
        clients.append(client)
    }

    /// Returns the body of the response; nil if the connection or the stream ends without one.
    private func body(_ client: FileRelayClient, _ request: Bytes?) throws -> Bytes? {
        guard let stream = try? client.post(request) else { return nil }
        var response: FileRelayClient.Response?
        try run("the relay answers a request") {
            response = response ?? client.take(stream)
            return response != nil || client.end != nil
        }
        return response?.isComplete == true ? response?.body : nil
    }

    private func ask(
        _ client: FileRelayClient, _ command: FileCommand, of id: EntityID = .empty, key: AuthorizationPrivateKey
    ) throws -> FileAnswer? {
        try body(client, try client.block(command, of: id, key: key)).flatMap { try client.answer(in: $0).answer }
    }

    private func announce(_ size: Int) throws {
        guard chunks.count < UploadSessions.chunkLimit, let client = anyClient(size) else { return }
        var chunk = TestChunk(Bytes(repeating: UInt8(chunks.count), count: size))
        switch try ask(client, chunk.new(), key: chunk.sender) {
        case .sids(let senderID, let ids):
            (chunk.senderID, chunk.ids) = (senderID, ids)
            chunks.append(chunk)
        case .err(.quota), nil: break
        case let other: try check(false, "FNEW: \(String(describing: other))")
        }
    }

    private func begin(_ value: Int) throws {
        guard !chunks.isEmpty, let client = anyClient(value),
            let index = clients.firstIndex(where: { $0 === client }), client.http.streamCount < 16
        else { return }
        let chunk = chunks[value % chunks.count], pieces = Pieces(chunk.data)
        let start = try client.block(.fput, of: chunk.senderID, key: chunk.sender)
        pieces.next = [.bytes(start)]
        guard
            let stream = try? client.http.request(
                .post("/", authority: "localhost"),
                body: { _ in pieces.next.isEmpty ? .wait : pieces.next.removeFirst() })
        else { return }
        uploads.append(Upload(stream: stream, client: index, pieces: pieces))
        client.pump()
    }

    /// Ends all connections and deletes all chunks. Nothing may be left then.
    private func finish() throws {
        for client in clients + spoiled { client.close() }
        (clients, spoiled, uploads) = ([], [], [])
        try run("closed connections end") { server.statistics.connections == 0 }
        try check(names().allSatisfy { !$0.hasSuffix(".part") }, "a draft is left")
        if !chunks.isEmpty { try connect() }
        guard let client = clients.first else { return chunks = [] }
        for chunk in chunks {
            let answer = try ask(client, .fdel, of: chunk.senderID, key: chunk.sender)
            try check([.ok, .err(.authorization)].contains(answer), "FDEL at the end: \(String(describing: answer))")
        }
        chunks = []
        client.close()
        clients = []
        try run("the last connection ends") { server.statistics.connections == 0 }
        try check(server.fileSpace == 0, "\(server.fileSpace ?? 0) bytes are in use without a chunk")
        try check(names().isEmpty, "a file is left")
    }

    private func names() throws -> [String] { try Files.names(in: "\(folder)/files") }
}
