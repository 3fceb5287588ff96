import Glibc
import Relay
import SMPProtocol
import SecureTransport
import SystemIO
import TestSupport
import Testing

/// The program itself with many clients that say nothing.
@Suite(.timeLimit(.minutes(60))) struct ManyConnectionsTests {
    private static let count = 1000

    /// The tests hold the other ends of the connections, so that they need as many descriptors.
    @Test(.enabled(if: DescriptorLimit.raise() > 2 * count, "the system allows that many descriptors"))
    func aThousandIdleConnectionsAreHeld() throws {
        let folder = try TemporaryFolder(), path = "\(folder.path)/relay"
        var settings = RelaySettings(hosts: [try TransportHost(text: "127.0.0.1")], port: 0)
        settings.listen = try TransportHost(text: "127.0.0.1")
        let fingerprint = try RelayFolder.create(at: path, settings: settings).address.fingerprint
        let relay = try RelayProcess(path)
        let loop = try EventLoop(), context = try TLSContext(clientOf: SMP.alpn)
        var clients: [LoopbackClient] = []
        var isLate = false
        loop.after(.seconds(120)) { isLate = true }
        // Ten at a time: the line of those that wait to be accepted is not endless.
        while clients.count < Self.count, !isLate {
            for _ in 0..<10 {
                clients.append(
                    try LoopbackClient(port: relay.port, fingerprint: fingerprint, loop: loop, context: context))
            }
            loop.run { isLate || clients.allSatisfy { $0.session != nil || $0.end != nil } }
        }
        #expect(clients.count { $0.end == nil } == Self.count)
        // None of them was given up for a later one, and each is still served.
        for client in clients { try client.send([(.ping, .empty, nil)]) }
        loop.run { isLate || clients.allSatisfy { !$0.received.isEmpty || $0.end != nil } }
        #expect(clients.count { $0.received.first?.2 == .pong } == Self.count)
        for client in clients { client.close() }
        #expect(try relay.end(by: SIGTERM) == .exited(0))
    }
}
