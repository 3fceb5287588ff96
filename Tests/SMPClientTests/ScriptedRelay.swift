import ByteCoding
import CryptoCore
import SMPProtocol
import SecureTransport
import SystemIO

/// The other end of a session: real TLS and real hellos, answers from the test.
final class ScriptedRelay {
    /// What to do with a command: answers and events, each with the ids of its transmission.
    typealias Script = (ScriptedRelay, Transmission, ClientCommand) -> Void

    let loop: EventLoop
    let certificates: RelayCertificates
    private let versions: VersionRange
    private let context: TLSContext
    private var listener: Listener?
    private var connection: TLSConnection?
    private var handshake: RelayHandshake?
    private var session: TransmissionSession?
    private var cipher = BlockCipher()
    private var script: Script
    /// How many blocks arrived after the hello.
    private(set) var blocks = 0
    /// Corrupts the hello in a way that a test wants to see refused.
    var tamper: (ServerHello) -> ServerHello = { $0 }

    init(_ loop: EventLoop, versions: VersionRange = SMP.versions, script: @escaping Script) throws {
        self.loop = loop
        self.versions = versions
        self.script = script
        certificates = try RelayCertificates.generate(host: "localhost", random: SystemRandom()).certificates
        context = try TLSContext(serverWith: certificates)
        listener = try Listener(host: "127.0.0.1", port: 0, loop: loop) { [unowned self] number in accept(number) }
    }

    var address: ServerAddress {
        ServerAddress(
            hosts: [.ipv4("127.0.0.1")], port: listener?.port, fingerprint: certificates.fingerprint)
    }

    private func accept(_ number: Int32) {
        connection = try? TLSConnection(
            FileDescriptor(owning: number), side: .server, context: context, loop: loop, blockSize: SMP.blockSize,
            handshakeDeadline: .seconds(10), writeDeadline: .seconds(10)
        ) { [unowned self] event in
            switch event {
            case .secured(let tls): greet(tls)
            case .block(let block): try? receive(block)
            case .closed: connection = nil
            }
        }
    }

    private func greet(_ tls: TLSSession) {
        let handshake = RelayHandshake(
            versions: versions, hasALPN: tls.alpn != nil, sessionID: tls.sessionID,
            chain: certificates.chain.certificates, signer: certificates.key,
            key: X25519.PrivateKey(random: SystemRandom()))
        self.handshake = handshake
        if let block = try? cipher.seal(tamper(handshake.hello).encoded) { connection?.send(block) }
    }

    private func receive(_ block: Bytes) throws {
        let content = try cipher.open(block)
        guard let session else {
            guard let result = try handshake?.accept(content) else { return }
            session = result.transmission
            cipher = result.cipher
            return
        }
        blocks += 1
        for bytes in try Batch.transmissions(of: content) {
            let transmission = try Transmission(decoding: bytes, session: session)
            script(self, transmission, try ClientCommand(decoding: transmission.command, version: session.version))
        }
    }

    /// Sends messages in one block.
    func send(_ messages: [(CorrelationID, EntityID, RelayMessage)]) {
        guard let session else { return }
        let transmissions = messages.map { correlationID, entityID, message in
            Transmission(
                correlationID: correlationID, entityID: entityID, command: message.encoded(version: session.version)
            ).encoded(in: session)
        }
        if let block = try? cipher.seal(Batch.content(transmissions)) { connection?.send(block) }
    }

    func answer(_ transmission: Transmission, _ message: RelayMessage) {
        let entityID: EntityID = (try? message.tag.checkEntity(isPresent: true)) == nil ? .empty : transmission.entityID
        send([(transmission.correlationID, entityID, message)])
    }

    func hangUp() {
        connection?.close()
        connection = nil
    }
}
