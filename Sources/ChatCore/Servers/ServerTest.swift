import Agent
import AgentProtocol
import CryptoCore
import SMPClient
import SMPProtocol
import SecureTransport

/// Why a relay cannot be used, and how far a test came.
public struct ServerTestFailure: Hashable, Sendable {
    /// What a test does, one after the other.
    public enum Step: String, CaseIterable, Hashable, Sendable {
        /// Looks the name up.
        case resolve
        case connect
        /// TLS, and the proof that the relay is the one in the address.
        case tls
        /// Agrees on a version of the protocol.
        case handshake
        /// Makes a queue, with the password if there is one.
        case create
        /// Sets the key of a sender.
        case secure
        /// Deletes the queue.
        case delete
        /// Creates a chunk of a file, with the password if there is one.
        case createFile
        case uploadFile
        case downloadFile
        /// Compares the downloaded chunk with the uploaded one.
        case compareFile
        case deleteFile
    }

    public let step: Step
    public let problem: RelayProblem

    package init(_ step: Step, _ problem: RelayProblem) {
        self.step = step
        self.problem = problem
    }
}

/// Uses a relay once, as a conversation would: makes a queue, secures it and deletes it.
///
/// All steps share one deadline. The test lives until it ends by itself.
final class ServerTest {
    private let server: ConfiguredServer
    private let keys: NewQueueKeys
    private let senderKey: Ed25519.PrivateKey
    private var session: (any RelayChannel)?
    /// Nil while the session is opened.
    private var step: ServerTestFailure.Step?
    private let end: ServerTestEnd<ServerTestFailure?>

    private init(
        of server: ConfiguredServer, random: any RandomSource, finish: @escaping (ServerTestFailure?) -> Void
    ) {
        self.server = server
        keys = NewQueueKeys(random: random)
        senderKey = Ed25519.PrivateKey(random: random)
        end = ServerTestEnd(report: finish)
    }

    /// Tests a server. `finish` is called once, with nil if all is well.
    static func run(
        of server: ConfiguredServer, in environment: any AgentEnvironment,
        finish: @escaping (ServerTestFailure?) -> Void
    ) {
        let test = ServerTest(of: server, random: environment.random, finish: finish)
        // The handler keeps the test alive, and goes with the session.
        test.session = environment.connect(to: server.address) { event in test.handle(event) }
        test.end.stop { test.close() }
        let cancel = environment.after(environment.requestDeadline) {
            test.end(ServerTestFailure(test.step ?? .connect, .timedOut))
        }
        test.end.stop(cancel)
    }

    private func handle(_ event: RelaySession.Event) {
        switch event {
        case .opened: create()
        case .message: break
        case .closed(let error): end(ServerTestFailure(step ?? ServerTestFailure.Step(of: error), RelayProblem(error)))
        }
    }

    // MARK: - Steps

    private func create() {
        let request = keys.request(mode: nil, password: server.password, subscription: .createOnly)
        attempt(.create, RelayRequest(.new(request), key: keys.authorizationKey)) { [self] answer in
            guard case .ids(let ids) = answer, let queue = try? keys.queue(on: server.address, ids: ids) else {
                return end(ServerTestFailure(.create, .unexpected))
            }
            secure(queue)
        }
    }

    private func secure(_ queue: ReceiveQueue) {
        let key = queue.authorizationKey
        let securing = RelayRequest(.key(.ed25519(senderKey.publicKey)), entityID: queue.recipientID, key: key)
        attempt(.secure, securing) { [self] answer in
            guard case .ok = answer else { return end(ServerTestFailure(.secure, .unexpected)) }
            attempt(.delete, RelayRequest(.del, entityID: queue.recipientID, key: key)) { [self] answer in
                guard case .ok = answer else { return end(ServerTestFailure(.delete, .unexpected)) }
                end(nil)
            }
        }
    }

    private func attempt(
        _ step: ServerTestFailure.Step, _ command: RelayRequest, next: @escaping (RelayMessage) -> Void
    ) {
        self.step = step
        session?.send(command) { [self] answer in
            switch answer {
            case .success(let message): next(message)
            case .failure(let error): end(ServerTestFailure(step, RelayProblem(error)))
            }
        }
    }

    private func close() {
        session?.close()
        session = nil
    }
}

extension ServerTestFailure.Step {
    /// The step at which a session was not opened.
    init(of error: SessionError) {
        self =
            switch error {
            case .connection(.unknownHost): .resolve
            case .connection(.unreachable), .connection(.timedOut(.connecting)), .connection(.proxy), .noRoute: .connect
            case .connection: .tls
            case .handshake, .refused, .unexpectedAnswer, .timedOut, .tooLarge, .unusableKey, .forwarder:
                .handshake
            }
    }
}
