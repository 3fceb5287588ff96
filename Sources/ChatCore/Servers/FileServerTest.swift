import Agent
import AgentProtocol
import ByteCoding
import CryptoCore
import SMPClient
import SMPProtocol
import SystemIO
import XFTPClient
import XFTPProtocol

/// Uses a file relay once, as a file would: creates a chunk, uploads, downloads and deletes it.
///
/// All steps share one deadline. The test lives until it ends by itself.
final class FileServerTest {
    private let server: ConfiguredServer
    private let random: any RandomSource
    private let senderKey: AuthorizationPrivateKey
    private let recipientKey: AuthorizationPrivateKey
    private let content: Bytes
    private let folder: String
    private var session: FileRelaySession?
    /// Nil while the session is opened.
    private var step: ServerTestFailure.Step?
    private let finish: ServerTestEnd<ServerTestFailure?>

    private init(
        of server: ConfiguredServer, random: any RandomSource, folder: String,
        finish: @escaping (ServerTestFailure?) -> Void
    ) {
        self.server = server
        self.random = random
        self.folder = folder
        self.finish = ServerTestEnd(report: finish)
        senderKey = .ed25519(Ed25519.PrivateKey(random: random))
        recipientKey = .ed25519(Ed25519.PrivateKey(random: random))
        content = random.bytes(Int(XFTP.chunkSizes[0]))
    }

    /// Tests a file relay.
    ///
    /// - Parameter folder: The folder for the chunk while the test runs.
    /// - Returns: Nil if all is well.
    /// - Throws: ``SystemError`` if the folder cannot be used.
    static func run(
        of server: ConfiguredServer, in environment: any AgentEnvironment, loop: EventLoop, folder: String
    ) async throws -> ServerTestFailure? {
        let place = try Files.createTemporaryFolder(in: folder, prefix: "test-")
        defer { try? Files.removeTree(place) }
        try Files.create("\(place)/sent", [])
        return await withCheckedContinuation { continuation in
            let test = FileServerTest(of: server, random: environment.random, folder: place) {
                continuation.resume(returning: $0)
            }
            test.begin(in: environment, loop)
        }
    }

    private func begin(in environment: any AgentEnvironment, _ loop: EventLoop) {
        var parameters = FileSessionParameters()
        parameters.route = environment.network.route
        // The handler keeps the test alive, and goes with the session.
        session = FileRelaySession(with: server.address, parameters: parameters, loop: loop, random: random) { event in
            switch event {
            case .opened: self.create()
            case .closed(let error): self.end(.failure(error))
            }
        }
        finish.stop { self.close() }
        finish.stop(environment.after(environment.requestDeadline) { self.end(.failure(.timedOut)) })
    }

    // MARK: - Steps

    private func create() {
        step = .createFile
        let chunk = NewChunk(
            senderKey: senderKey.publicKey, size: UInt32(content.count), digest: SHA256.hash(content),
            recipientKeys: [recipientKey.publicKey], password: server.password)
        session?.send(FileRequest(.fnew(chunk), key: senderKey)) { answer in
            guard case .success(.sids(let sender, let recipients)) = answer, let recipient = recipients.first else {
                return self.end(answer)
            }
            self.upload(sender, recipient)
        }
    }

    private func upload(_ sender: EntityID, _ recipient: EntityID) {
        step = .uploadFile
        let chunk: ChunkFile
        do throws(SystemError) {
            let file = try FileDescriptor(creating: "\(folder)/sent")
            try file.write(content, at: 0)
            chunk = ChunkFile(file, start: 0, size: UInt32(content.count))
        } catch {
            return end(.failure(.file(error)))
        }
        session?.upload(chunk, id: sender, key: senderKey) { answer in
            guard case .success(.ok) = answer else { return self.end(answer) }
            self.download(sender, recipient)
        }
    }

    private func download(_ sender: EntityID, _ recipient: EntityID) {
        step = .downloadFile
        let chunk: ChunkFile
        do throws(SystemError) {
            chunk = ChunkFile(
                try FileDescriptor(creating: "\(folder)/received"), start: 0, size: UInt32(content.count))
        } catch {
            return end(.failure(.file(error)))
        }
        session?.download(into: chunk, digest: SHA256.hash(content), id: recipient, key: recipientKey) { answer in
            if case .failure(.wrongChunk) = answer { self.step = .compareFile }
            guard case .success(.file) = answer else { return self.end(answer) }
            self.delete(sender)
        }
    }

    private func delete(_ sender: EntityID) {
        step = .deleteFile
        session?.send(FileRequest(.fdel, entityID: sender, key: senderKey)) { answer in
            guard case .success(.ok) = answer else { return self.end(answer) }
            self.finish(nil)
        }
    }

    // MARK: - The end

    private func end(_ answer: FileRelaySession.Answer) {
        guard case .failure(let error) = answer else {
            return finish(ServerTestFailure(step ?? .handshake, .unexpected))
        }
        finish(ServerTestFailure(step ?? ServerTestFailure.Step(of: error), RelayProblem(error)))
    }

    private func close() {
        session?.close()
        session = nil
    }
}

extension ServerTestFailure.Step {
    /// The step at which a session was not opened.
    fileprivate init(of error: FileSessionError) {
        switch error {
        case .connection(let error): self.init(of: SessionError.connection(error))
        case .noRoute: self = .connect
        case .timedOut: self = .connect
        default: self = .handshake
        }
    }
}

extension RelayProblem {
    /// The problem of a file relay.
    init(_ error: FileSessionError) {
        switch error {
        case .connection(let error): self.init(SessionError.connection(error))
        case .noRoute(let error): self.init(SessionError.noRoute(error))
        case .handshake(let error): self.init(SessionError.handshake(error))
        case .timedOut: self = .timedOut
        case .refused(.authorization): self = .authorization
        case .refused(.blocked(let blocking)): self = .blocked(reason: blocking.reason.rawValue)
        case .refused(.quota): self = .full
        case .refused(let error): self = .refused(String(decoding: error.encoded, as: UTF8.self))
        case .unexpectedAnswer, .tooLarge, .unusableKey, .wrongChunk: self = .unexpected
        case .file(let error): self = .unreachable(error.reason)
        }
    }
}
