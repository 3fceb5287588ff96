import AttackSupport
import ByteCoding
import CryptoCore
import Glibc
import SMPProtocol
import SecureTransport
import SystemIO

/// A client of a relay that sends what it is told to, and reads only if it wants to.
final class FloodClient {
    private(set) var session: SMPSession?
    private(set) var hasEnded = false
    /// How many answers and events have come.
    private(set) var answers = 0
    /// How many of the answers are `ERR`.
    private(set) var errors = 0
    /// Called with each answer and event.
    var handler: ((CorrelationID, EntityID, RelayMessage) -> Void)?

    private var connection: TLSConnection?
    private let server: ServerAddress
    private let random = SystemRandom()
    private var handshake: ClientHandshake?

    /// Connects from the loopback address `source`.
    init(_ server: ServerAddress, from source: String, context: TLSContext, loop: EventLoop) throws {
        self.server = server
        let socket = FileDescriptor(owning: try LoopbackSocket.connect(server.port ?? SMP.defaultPort, from: source))
        connection = try TLSConnection(
            socket, side: .client, context: context, loop: loop, blockSize: SMP.blockSize,
            handshakeDeadline: .seconds(60), writeDeadline: .seconds(3600)
        ) { [unowned self] event in
            switch event {
            case .secured(let tls): identify(tls)
            case .block(let block): receive(block)
            case .closed: hasEnded = true
            }
        }
    }

    /// How many bytes the relay has not accepted yet.
    var unsentBytes: Int { connection?.unsentBytes ?? 0 }

    func stopReading() { connection?.pauseReading() }

    func close() {
        connection?.close()
        connection = nil
        hasEnded = true
    }

    private func identify(_ tls: TLSSession) {
        guard case .ed25519(let key) = try? tls.chain.verify(fingerprint: server.fingerprint) else { return close() }
        handshake = ClientHandshake(
            versions: VersionRange(6, 18), fingerprint: server.fingerprint, sessionID: tls.sessionID,
            leafKey: .ed25519(key))
    }

    private func receive(_ block: Bytes) {
        guard session != nil else { return agree(block) }
        guard let content = try? session?.cipher.open(block), let session,
            let transmissions = try? Batch.transmissions(of: content)
        else { return close() }
        for bytes in transmissions {
            guard let transmission = try? Transmission(decoding: bytes, session: session.transmission),
                let message = try? RelayMessage(decoding: transmission.command, version: session.version)
            else { continue }
            answers += 1
            if case .err = message { errors += 1 }
            handler?(transmission.correlationID, transmission.entityID, message)
        }
    }

    private func agree(_ block: Bytes) {
        guard let content = try? Padding.unpad(block),
            let (hello, session) = try? handshake?.answer(content, key: X25519.PrivateKey(random: random)),
            let answer = try? Padding.pad(hello.encoded, to: SMP.blockSize)
        else { return close() }
        connection?.send(answer)
        self.session = session
    }

    /// Sends commands in one block; returns the ids of their answers.
    @discardableResult
    func send(_ commands: [(ClientCommand, EntityID, AuthorizationPrivateKey?)]) -> [CorrelationID] {
        guard let session else { return [] }
        var ids: [CorrelationID] = []
        let transmissions: [Bytes] = commands.compactMap { command, entityID, key in
            let id = CorrelationID(random: random), bytes = command.encoded(version: session.version)
            ids.append(id)
            guard let key else {
                return Transmission(correlationID: id, entityID: entityID, command: bytes).encoded(
                    in: session.transmission)
            }
            return try? Transmission(
                bytes, entityID: entityID, correlationID: id, key: key, session: session.transmission,
                relayKey: session.relayKey
            ).encoded(in: session.transmission)
        }
        sendContent(Batch.content(transmissions))
        return ids
    }

    /// Sends the content of one block, whatever it is.
    func sendContent(_ content: Bytes) {
        guard let block = try? session?.cipher.seal(content) else { return }
        connection?.send(block)
    }

    /// Sends bytes that are no block of the session.
    func sendRaw(_ block: Bytes) { connection?.send(block) }
}
