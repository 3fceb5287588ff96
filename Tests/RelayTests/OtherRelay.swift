import ByteCoding
import CryptoCore
import SMPProtocol
import SecureTransport
import SystemIO

/// A relay behind a proxy that does what a test wants: real TLS and real hellos, answers from the test.
final class OtherRelay {
    /// What to do with a command of the proxy.
    typealias Script = (OtherRelay, CorrelationID, ClientCommand) -> Void

    private let loop: EventLoop
    private let versions: VersionRange
    private let certificates: RelayCertificates
    private let context: TLSContext
    private let script: Script
    private var listener: Listener?
    private var connection: TLSConnection?
    private var handshake: RelayHandshake?
    private var session: TransmissionSession?
    /// How many connections were made to it.
    private(set) var connections = 0
    /// What the last client's hello said.
    private(set) var isProxy = false
    /// Says nothing, not even hello.
    var isSilent = false

    init(_ loop: EventLoop, versions: VersionRange = SMP.versions, script: @escaping Script = { _, _, _ in }) throws {
        self.loop = loop
        self.versions = versions
        self.script = script
        certificates = try RelayCertificates.generate(host: "localhost", random: SystemRandom()).certificates
        context = try TLSContext(serverWith: certificates)
        listener = try Listener(host: "127.0.0.1", port: 0, loop: loop) { [unowned self] number in accept(number) }
    }

    var address: ServerAddress {
        ServerAddress(hosts: [.ipv4("127.0.0.1")], port: listener?.port, fingerprint: certificates.fingerprint)
    }

    var isConnected: Bool { connection != nil }

    var version: UInt16? { session?.version }

    private func accept(_ number: Int32) {
        connections += 1
        session = nil
        connection = try? TLSConnection(
            FileDescriptor(owning: number), side: .server, context: context, loop: loop, blockSize: SMP.blockSize,
            handshakeDeadline: .seconds(10), writeDeadline: .seconds(10)
        ) { [unowned self] event in
            switch event {
            case .secured(let tls): if !isSilent { greet(tls) }
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
        if let block = try? Padding.pad(handshake.hello.encoded, to: SMP.blockSize) { connection?.send(block) }
    }

    private func receive(_ block: Bytes) throws {
        // Blocks of proxies are not encrypted.
        let content = try Padding.unpad(block)
        guard let session else {
            let result = try handshake?.accept(content)
            isProxy = result?.isProxy ?? false
            session = result?.transmission
            return
        }
        for bytes in try Batch.transmissions(of: content) {
            let transmission = try Transmission(decoding: bytes, session: session)
            let command = try ClientCommand(decoding: transmission.command, version: session.version)
            script(self, transmission.correlationID, command)
        }
    }

    func answer(_ id: CorrelationID, _ message: RelayMessage) {
        guard let session else { return }
        let transmission = Transmission(
            correlationID: id, entityID: .empty, command: message.encoded(version: session.version))
        sendContent(Batch.content([transmission.encoded(in: session)]))
    }

    /// Sends a block with any content.
    func sendContent(_ content: Bytes) {
        if let block = try? Padding.pad(content, to: SMP.blockSize) { connection?.send(block) }
    }

    func hangUp() {
        connection?.close()
        connection = nil
    }
}
