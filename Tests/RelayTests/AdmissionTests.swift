import AttackSupport
import Glibc
import Relay
import SMPProtocol
import SecureTransport
import SystemIO
import TestSupport
import Testing

/// Which connections a relay accepts when there are too many.
@Suite(.timeLimit(.minutes(60))) struct AdmissionTests {
    private func address(_ text: String) throws -> IPAddress {
        try #require(IPAddress(text))
    }

    @Test func a_full_address_replaces_its_own_oldest_unfinished_connection() throws {
        var admission = Admission(limit: 10, limitPerAddress: 2)
        let one = try address("192.0.2.1"), other = try address("192.0.2.2")
        #expect(admission.admit(ClientID(1), from: other) == .accepted)
        #expect(admission.admit(ClientID(2), from: one) == .accepted)
        #expect(admission.admit(ClientID(3), from: one) == .accepted)
        #expect(admission.admit(ClientID(4), from: one) == .replaced(ClientID(2)))
        admission.end(ClientID(2))
        admission.finish(ClientID(3))
        admission.finish(ClientID(4))
        #expect(admission.admit(ClientID(5), from: one) == .refused)
        #expect(admission.admit(ClientID(6), from: other) == .accepted)
        admission.end(ClientID(3))
        #expect(admission.admit(ClientID(7), from: one) == .accepted)
    }

    @Test func a_full_relay_replaces_the_oldest_unfinished_connection() throws {
        var admission = Admission(limit: 2, limitPerAddress: 2)
        #expect(admission.admit(ClientID(1), from: try address("192.0.2.1")) == .accepted)
        #expect(admission.admit(ClientID(2), from: try address("192.0.2.2")) == .accepted)
        admission.finish(ClientID(1))
        #expect(admission.admit(ClientID(3), from: try address("192.0.2.3")) == .replaced(ClientID(2)))
        admission.end(ClientID(2))
        admission.finish(ClientID(3))
        #expect(admission.admit(ClientID(4), from: try address("192.0.2.4")) == .refused)
    }

    @Test func a_full_range_replaces_its_own_oldest_unfinished_connection() throws {
        var admission = Admission(limit: 10, limitPerAddress: 2, limitPerRange: 3)
        #expect(admission.admit(ClientID(1), from: try address("198.51.100.1")) == .accepted)
        for number in 2...4 {
            #expect(admission.admit(ClientID(UInt64(number)), from: try address("192.0.2.\(number)")) == .accepted)
            #expect(admission.reached == nil)
        }
        #expect(admission.admit(ClientID(5), from: try address("192.0.2.5")) == .replaced(ClientID(2)))
        #expect(admission.reached == .range && admission.range(of: ClientID(5))?.description == "192.0.2.0/24")
        admission.end(ClientID(2))
        for number in 3...5 { admission.finish(ClientID(UInt64(number))) }
        #expect(admission.admit(ClientID(6), from: try address("192.0.2.6")) == .refused)
        #expect(admission.admit(ClientID(7), from: try address("198.51.100.2")) == .accepted)
        // Networks of one site, which has a /48.
        for number in 8...10 {
            #expect(
                admission.admit(ClientID(UInt64(number)), from: try address("2001:db8:1:\(number)::1")) == .accepted
            )
            admission.finish(ClientID(UInt64(number)))
        }
        #expect(admission.admit(ClientID(11), from: try address("2001:db8:1:ff::1")) == .refused)
        #expect(admission.admit(ClientID(12), from: try address("2001:db8:2::1")) == .accepted)
        admission.end(ClientID(3))
        #expect(admission.admit(ClientID(13), from: try address("192.0.2.7")) == .accepted)
        // Programs on this machine are no range.
        admission.limit = 100
        for number in 20...30 {
            #expect(admission.admit(ClientID(UInt64(number)), from: try address("127.0.0.\(number)")) == .accepted)
        }
    }

    @Test(arguments: [
        ("203.0.113.7", "203.0.113.7", "203.0.113.8"), ("203.0.113.0/24", "203.0.113.255", "203.0.114.0"),
        ("10.0.0.0/9", "10.127.255.255", "10.128.0.0"), ("0.0.0.0/0", "1.2.3.4", "::1"),
        ("2001:db8::/47", "2001:db8:1:ffff::", "2001:db8:2::"), ("::/0", "::", "0.0.0.0"),
        ("2001:db8::1", "2001:db8::1", "2001:db8::2"),
    ])
    func ranges_hold_their_addresses(_ text: String, _ inside: String, _ outside: String) throws {
        let range = try #require(IPRange(text))
        #expect(range.description == text)
        #expect(try range.contains(address(inside)))
        #expect(try !range.contains(address(outside)))
    }

    @Test(arguments: [
        "", "/", "1.2.3", "1.2.3.4/", "1.2.3.4/33", "1.2.3.4/-1", "1.2.3.4/24", "::/129", "2001:db8::1/64",
        "example.org",
        "1.2.3.4/8/8", "::ffff:10.0.0.0/104", "1.2.3.4/9223372036854775808",
    ])
    func other_texts_are_no_ranges(_ text: String) {
        #expect(IPRange(text) == nil)
    }

    @Test func silent_connections_lock_out_no_client() throws {
        let world = try RelayWorld { $0.connectionLimit = 20 }
        let port = try #require(world.server?.port)
        let early = try world.connect()
        // Other connections of the same address fill the relay, twice, before and after a client comes.
        var silent = try (0..<40).map { _ in try LoopbackSocket.connect(port) }
        defer { for socket in silent { _ = FileDescriptor(owning: socket) } }
        try world.run("the relay is full") { world.server?.statistics.acceptedConnections == 41 }
        let client = try world.connect()
        silent += try (0..<40).map { _ in try LoopbackSocket.connect(port) }
        try world.run("the relay is full again") { world.server?.statistics.acceptedConnections == 82 }
        #expect(try world.ask(client, .ping) == .pong)
        #expect(try world.ask(early, .ping) == .pong)
        let statistics = try #require(world.server?.statistics)
        #expect(
            statistics.connections == 20 && statistics.refusedConnections == 0 && statistics.replacedConnections == 62)
    }

    @Test func an_address_that_is_full_of_clients_is_refused() throws {
        var limits = RelayLimits()
        limits.connectionsPerAddress = 2
        let world = try RelayWorld(limits: limits)
        let clients = try [world.connect(), world.connect()]
        let third = try world.dial()
        try world.run("the third is closed") { third.end != nil }
        #expect(world.server?.statistics.refusedConnections == 1)
        clients[0].close()
        try world.run("the relay notices") { world.server?.statistics.connections == 1 }
        #expect(try world.ask(world.connect(), .ping) == .pong)
    }

    /// Sockets that say nothing have no TLS state, which takes 43 KB each.
    @Test(.enabled(if: DescriptorLimit.raise() > 5000, "the system allows that many descriptors"))
    func silent_connections_take_little_memory() throws {
        let folder = try TemporaryFolder(), path = "\(folder.path)/relay"
        var settings = RelaySettings(hosts: [.ipv4("127.0.0.1")], port: 0)
        settings.listen = .ipv4("127.0.0.1")
        settings.connectionsPerAddress = 3000
        try RelayFolder.create(at: path, settings: settings)
        let relay = try RelayProcess(path)
        let before = try residentBytes(of: relay.id)
        var silent: [Int32] = []
        defer { for socket in silent { _ = FileDescriptor(owning: socket) } }
        let deadline = ContinuousClock.now + .seconds(60)
        while silent.count < 2000 {
            silent += try (0..<100).map { _ in try LoopbackSocket.connect(relay.port) }
            // Each connection is a descriptor of the relay.
            while try Files.names(in: "/proc/\(relay.id)/fd").count < silent.count, .now < deadline { sched_yield() }
        }
        #expect(try residentBytes(of: relay.id) - before < 20_000_000)
        #expect(try relay.end(by: SIGTERM) == .exited(0))
    }

    /// How much memory a process has.
    private func residentBytes(of process: Int32) throws -> Int {
        let file = try FileDescriptor(reading: "/proc/\(process)/statm")
        let text = String(decoding: try file.read(1000), as: UTF8.self)
        return try #require(Int(text.split(separator: " ")[1])) * 4096
    }
}
