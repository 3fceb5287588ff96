import ByteCoding
import CryptoCore
import SMPProtocol
import SecureTransport
import SystemIO

/// A client of one connection that asks and is answered through closures, as fast as it can.
final class BenchClient {
    private let options: Options
    private let server: ServerAddress
    private let random = SystemRandom()
    private var connection: TLSConnection?
    private var handshake: ClientHandshake?
    private var session: SMPSession?
    private var whenOpen: (() -> Void)?
    private var pending: [CorrelationID: (RelayMessage) -> Void] = [:]
    private var unsent: [Bytes] = []
    private let loop: EventLoop

    /// Called with every event, and the queue it is about.
    var whenEvent: ((EntityID, RelayMessage) -> Void)?

    init(
        _ descriptor: Int32, _ server: ServerAddress, _ context: TLSContext, _ loop: EventLoop, _ options: Options,
        whenOpen: @escaping () -> Void
    ) throws {
        self.options = options
        self.server = server
        self.loop = loop
        self.whenOpen = whenOpen
        connection = try TLSConnection(
            FileDescriptor(owning: descriptor), side: .client, context: context, loop: loop, blockSize: SMP.blockSize,
            handshakeDeadline: .seconds(20), writeDeadline: .seconds(20)
        ) { [unowned self] event in
            switch event {
            case .secured(let session): secured(session)
            case .block(let block): receive(block)
            case .closed(let error): stop("the relay closed the connection: \(error)")
            }
        }
    }

    func close() {
        connection?.close()
    }

    private func secured(_ tls: TLSSession) {
        guard let leaf = try? tls.chain.verify(fingerprint: server.fingerprint) else { stop("another relay") }
        let key: CertificateKey =
            switch leaf {
            case .ed25519(let key): .ed25519(key)
            case .ed448(let key): .ed448(key)
            }
        handshake = ClientHandshake(
            versions: VersionRange(6, options.version), fingerprint: server.fingerprint, sessionID: tls.sessionID,
            leafKey: key)
    }

    private func receive(_ block: Bytes) {
        do {
            guard session != nil else { return try open(block) }
            guard let content = try session?.cipher.open(block), let session else { return }
            for bytes in try Batch.transmissions(of: content) {
                let transmission = try Transmission(decoding: bytes, session: session.transmission)
                let message = try RelayMessage(decoding: transmission.command, version: session.version)
                if let answer = pending.removeValue(forKey: transmission.correlationID) {
                    answer(message)
                } else {
                    whenEvent?(transmission.entityID, message)
                }
            }
        } catch {
            stop("a block that cannot be read: \(error)")
        }
    }

    private func open(_ block: Bytes) throws {
        let key = options.encryptsBlocks ? X25519.PrivateKey(random: random) : nil
        guard let result = try handshake?.answer(Padding.unpad(block), key: key) else { return }
        connection?.send(try Padding.pad(result.hello.encoded, to: SMP.blockSize))
        session = result.session
        whenOpen?()
        whenOpen = nil
    }

    /// Sends a command with the others of this turn of the loop; `answer` gets what the relay says.
    func ask(
        _ command: ClientCommand, of entityID: EntityID, key: AuthorizationPrivateKey?,
        _ answer: @escaping (RelayMessage) -> Void
    ) {
        guard let session else { stop("a command before the hellos") }
        let id = CorrelationID(random: random)
        let bytes = command.encoded(version: session.version)
        pending[id] = answer
        do {
            let transmission =
                try key.map {
                    try Transmission(
                        bytes, entityID: entityID, correlationID: id, key: $0, session: session.transmission,
                        relayKey: session.relayKey)
                } ?? Transmission(correlationID: id, entityID: entityID, command: bytes)
            if unsent.isEmpty { loop.atEndOfTurn { [weak self] in self?.flush() } }
            unsent.append(transmission.encoded(in: session.transmission))
        } catch {
            stop("cannot authorize: \(error)")
        }
    }

    private func flush() {
        let parts = Batch.parts(unsent)
        unsent.removeAll()
        for part in parts {
            guard case .block(let content, _) = part, let block = try? session?.cipher.seal(content) else {
                stop("a command too large for a block")
            }
            connection?.send(block)
        }
    }
}
