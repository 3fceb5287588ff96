import ByteCoding
import Glibc
import Relay
import SMPProtocol
import SecureTransport
import SystemIO
import Testing

/// Which addresses a proxy connects to, and what clients learn about the others.
@Suite(.timeLimit(.minutes(60))) struct ProxyAddressTests {
    private let network = RelayMessage.err(.proxy(.broker(.network)))

    private func limits(admitsPrivate: Bool) -> RelayLimits {
        var limits = RelayLimits()
        limits.proxy.admitsPrivate = admitsPrivate
        limits.proxy.openingTime = .milliseconds(500)
        return limits
    }

    /// The last one is a name for the proxy, and an address for the system: clients learn nothing of it.
    @Test(arguments: [
        TransportHost.ipv4("127.0.0.1"), .domain("localhost"), .ipv4("0.0.0.0"), .ipv6("::1"), .ipv4("192.168.1.1"),
        .domain("127.1"),
    ])
    func private_addresses_are_not_connected_to(_ host: TransportHost) throws {
        let near = try RelayWorld(limits: limits(admitsPrivate: false))
        let relay = try OtherRelay(near.loop)
        let address = ServerAddress(hosts: [host], port: relay.address.port, fingerprint: relay.address.fingerprint)
        let isName = host == .domain("127.1"), start = ContinuousClock.now
        let answer = try near.ask(near.connect(), .prxy(address, password: nil))
        #expect(answer == (isName ? network : .err(.proxy(.broker(.host)))))
        #expect((ContinuousClock.now - start >= .milliseconds(500)) == isName)
        #expect(relay.connections == 0 && near.server?.statistics.refusedPrivateRelays == 1)
    }

    @Test func a_setting_allows_private_addresses() throws {
        let near = try RelayWorld(limits: limits(admitsPrivate: true))
        let relay = try OtherRelay(near.loop)
        _ = try near.proxied(near.connect(), relay.address)
        #expect(relay.connections == 1)
    }

    /// An address that is refused, a closed port, a relay that says nothing, another relay, and a service that closes at once.
    @Test func failures_have_the_same_answer_after_the_same_time() throws {
        let strict = try RelayWorld(limits: limits(admitsPrivate: false))
        let open = try RelayWorld(limits: limits(admitsPrivate: true), on: strict.loop)
        let relay = try OtherRelay(strict.loop), silent = try OtherRelay(strict.loop)
        silent.isSilent = true
        let closing = try Listener(host: "127.0.0.1", port: 0, loop: strict.loop) { close($0) }
        let closedPort = try Listener(host: "127.0.0.1", port: 0, loop: strict.loop) { _ in }.port
        let fingerprint = Bytes(repeating: 7, count: 32)
        func address(_ host: String, _ port: UInt16?) throws -> ServerAddress {
            ServerAddress(hosts: [try TransportHost(text: host)], port: port, fingerprint: fingerprint)
        }
        let attempts = [
            (strict, try address("127.1", relay.address.port)), (open, try address("127.0.0.1", closedPort)),
            (open, silent.address),
            (open, try address("127.0.0.1", relay.address.port)), (open, try address("127.0.0.1", closing.port)),
            (open, try address("nowhere.invalid", 1)),
        ]
        for (world, address) in attempts {
            let client = try world.connect(), start = ContinuousClock.now
            #expect(try world.ask(client, .prxy(address, password: nil)) == network)
            #expect(ContinuousClock.now - start >= .milliseconds(500), "\(address)")
        }
        _ = closing
    }
}
