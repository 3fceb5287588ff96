import ByteCoding
import Glibc
import Relay
import SMPProtocol
import SecureTransport
import SystemIO
import Testing

/// How the places of a proxy are shared.
@Suite(.timeLimit(.minutes(60))) struct ProxyFairnessTests {
    private let network = RelayMessage.err(.proxy(.broker(.network)))

    private func limits(_ change: (inout ProxyLimits) -> Void) -> RelayLimits {
        var limits = RelayLimits.loopback
        limits.proxy.openingTime = .milliseconds(300)
        change(&limits.proxy)
        return limits
    }

    /// An address where nobody has this fingerprint.
    private func made(_ number: UInt8, at relay: OtherRelay) -> ServerAddress {
        ServerAddress(
            hosts: relay.address.hosts, port: relay.address.port, fingerprint: Bytes(repeating: number, count: 32))
    }

    @Test func keys_wait_when_they_have_used_up_their_rate() {
        let start = ContinuousClock.now
        var table = RateTable<Int>(60)
        func take(_ key: Int, at time: ContinuousClock.Instant) -> Bool { table.take(key, at: time) }
        for _ in 0..<60 { #expect(take(1, at: start)) }
        #expect(!take(1, at: start) && take(2, at: start))
        #expect(take(1, at: start + .seconds(1)) && !take(1, at: start + .seconds(1)))
        for _ in 0..<60 { #expect(take(1, at: start + .seconds(1000))) }
        #expect(!take(1, at: start + .seconds(1000)))
        // A table of many keys forgets.
        for key in 0..<30_000 { #expect(take(10 + key, at: start)) }
    }

    /// One address has taken all places; a client at another gets one at once, and the first keeps the others.
    @Test func a_client_with_fewer_sessions_gets_a_place() throws {
        let near = try RelayWorld(
            limits: limits {
                $0.relays = 3
                $0.spareTime = .seconds(3600)
            })
        let relays = try (0..<5).map { _ in try OtherRelay(near.loop) }
        let greedy = try near.connect(), honest = try near.connect(from: "127.0.0.2")
        for relay in relays.prefix(3) { _ = try near.proxied(greedy, relay.address) }
        #expect(try near.ask(greedy, .prxy(relays[3].address, password: nil)) == network)
        _ = try near.proxied(honest, relays[3].address)
        #expect(near.server?.statistics.proxiedRelays == 3)
        // One each, and one more for the first: nobody takes a place from somebody with as many.
        #expect(try near.ask(honest, .prxy(relays[4].address, password: nil)) == network)
        _ = try near.proxied(greedy, relays[2].address)
    }

    /// Relays that never answer hold their places until they are given up.
    @Test func sessions_that_are_being_opened_make_room_too() throws {
        let near = try RelayWorld(
            limits: limits {
                $0.relays = 3
                $0.openingTime = .seconds(20)
            })
        let silent = try OtherRelay(near.loop), relay = try OtherRelay(near.loop)
        silent.isSilent = true
        let greedy = try near.connect(), honest = try near.connect(from: "127.0.0.2")
        let asked = try greedy.send((1...3).map { (.prxy(made($0, at: silent), password: nil), .empty, nil) })
        _ = try near.proxied(honest, relay.address)
        try near.run("one of the others has lost its place") { asked.contains { greedy.answer(to: $0) == network } }
    }

    @Test func an_address_has_only_so_many_sessions() throws {
        let near = try RelayWorld(limits: limits { $0.relaysPerAddress = 2 })
        let relays = try (0..<3).map { _ in try OtherRelay(near.loop) }
        let clients = try [near.connect(), near.connect()], other = try near.connect(from: "127.0.0.2")
        for (client, relay) in zip(clients, relays) { _ = try near.proxied(client, relay.address) }
        #expect(try near.ask(clients[0], .prxy(relays[2].address, password: nil)) == network)
        _ = try near.proxied(other, relays[2].address)
        // What stands is there for all.
        _ = try near.proxied(clients[0], relays[2].address)
    }

    @Test func a_client_opens_only_so_many_sessions_in_a_minute() throws {
        let near = try RelayWorld(limits: limits { $0.openingsPerMinute = 6 })
        let relays = try (0..<7).map { _ in try OtherRelay(near.loop) }
        let clients = try [near.connect(), near.connect(), near.connect()], other = try near.connect(from: "127.0.0.2")
        // One connection has half of what its address has.
        for relay in relays.prefix(3) { _ = try near.proxied(clients[0], relay.address) }
        #expect(try near.ask(clients[0], .prxy(relays[3].address, password: nil)) == network)
        for relay in relays[3..<6] { _ = try near.proxied(clients[1], relay.address) }
        #expect(try near.ask(clients[2], .prxy(relays[6].address, password: nil)) == network)
        _ = try near.proxied(other, relays[6].address)
    }

    @Test func a_host_gets_only_so_many_connections_for_unknown_relays() throws {
        let near = try RelayWorld(
            limits: limits {
                $0.connectionsPerHost = 3
                $0.failurePause = .zero
            })
        let relay = try OtherRelay(near.loop), client = try near.connect()
        _ = try near.proxied(client, relay.address)
        relay.hangUp()
        try near.run("the session ends") { near.server?.statistics.proxiedRelays == 0 }
        for number in 1...5 {
            #expect(try near.ask(client, .prxy(made(UInt8(number), at: relay), password: nil)) == network)
        }
        #expect(relay.connections == 3)
        // The real one is known.
        _ = try near.proxied(client, relay.address)
    }
}
