import ByteCoding
import CryptoCore
import Glibc
import Relay
import SMPProtocol
import SecureTransport
import SystemIO
import TestSupport
import Testing

/// Settings that are read again, limits of the whole relay, notices and metrics.
@Suite(.timeLimit(.minutes(60))) struct OperatorTests {
    private let send = ClientCommand.send(MessageFlags(notifies: false), body: Bytes("hello".utf8))

    /// Changes a line of relay.conf, or adds one.
    private func set(_ name: String, _ value: String, in world: RelayWorld) throws {
        let path = "\(world.path)/relay.conf"
        let text = String(decoding: try Files.read(path, limit: 65536), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("\(name) = ") }
        try Files.replace(path, Bytes((["\(name) = \(value)"] + lines).joined(separator: "\n").utf8))
    }

    private func newQueue(_ client: LoopbackClient, _ world: RelayWorld) throws -> RelayMessage {
        let key = AuthorizationPrivateKey.ed25519(Ed25519.PrivateKey(random: SystemRandom()))
        let new = NewQueue(
            recipientKey: key.publicKey, dhKey: X25519.PrivateKey(random: SystemRandom()).publicKey, password: nil,
            subscription: .createOnly, request: QueueRequest(mode: .messaging))
        return try world.ask(client, .new(new), key: key)
    }

    // MARK: - Reload

    @Test func reload_takes_effect_without_a_restart() throws {
        let world = try RelayWorld { $0.quota = 1 }
        let client = try world.connect(), queue = try world.makeQueue(client, subscribe: false)
        #expect(try world.ask(client, send, of: queue.senderID) == .ok)
        try set("quota", "3", in: world)
        try set("new_queues", "off", in: world)
        try set("password", "secret", in: world)
        try set("port", "1", in: world)
        try set("block", "127.0.0.9", in: world)
        let server = try #require(world.server), reload = try server.reload()
        #expect(reload.needRestart == ["port"])
        #expect(
            reload.changes.map { "\($0.name): \($0.old ?? "-") \($0.new ?? "-")" } == [
                "new_queues: on off", "password: - -", "block: - 127.0.0.9", "quota: 1 3",
            ])
        // The connection of before is still there.
        #expect(try world.ask(client, send, of: queue.senderID) == .ok)
        #expect(try world.ask(client, send, of: queue.senderID) == .ok)
        #expect(try world.ask(client, send, of: queue.senderID) == .err(.quota))
        #expect(try newQueue(client, world) == .err(.authorization))
        let blocked = try world.dial(from: "127.0.0.9")
        try world.run("it is refused") { blocked.end != nil }
        #expect(server.statistics.blockedConnections == 1)
        _ = try world.connect(from: "127.0.0.8")
        // Nothing has changed since.
        #expect(try server.reload().changes.isEmpty)
    }

    @Test func a_bad_file_keeps_the_settings() throws {
        let world = try RelayWorld { $0.quota = 1 }
        let server = try #require(world.server), before = server.settings
        try set("new_queues", "off", in: world)
        try set("quota", "0", in: world)
        #expect(throws: RelayError.settings(line: 1, reason: "'quota' takes 1 to 100000 messages")) {
            try server.reload()
        }
        #expect(server.settings == before)
        let client = try world.connect()
        _ = try world.makeQueue(client)
        // Another identity is no setting.
        try set("quota", "2", in: world)
        try set("fingerprint", Base64URL.encode(Bytes(repeating: 1, count: 32)), in: world)
        #expect(throws: RelayError.fingerprint) { try server.reload() }
        try Files.remove("\(world.path)/relay.conf")
        #expect(throws: RelayError.missing) { try server.reload() }
        #expect(server.settings == before)
        #expect(try world.ask(client, .ping) == .pong)
    }

    @Test func connection_limits_are_changed_while_it_runs() throws {
        let world = try RelayWorld()
        let clients = try (0..<3).map { _ in try world.connect() }
        try set("connections_per_range", "3", in: world)
        let server = try #require(world.server)
        _ = try server.reload()
        let more = try world.dial()
        try world.run("it is refused") { more.end != nil }
        #expect(server.statistics.refusedConnections == 1 && clients.allSatisfy { $0.end == nil })
        // Each loopback address is a range of its own.
        _ = try world.connect(from: "127.0.0.2")
    }

    // MARK: - Limits of the relay

    @Test func queues_and_messages_are_limited_for_the_whole_relay() throws {
        var limits = RelayLimits.loopback
        limits.lookInterval = .milliseconds(10)
        let world = try RelayWorld(limits: limits) { ($0.queueLimit, $0.messageLimit) = (2, 2) }
        var notices: [RelayNotice] = []
        world.server?.whenNoticed = { notices.append($0) }
        let client = try world.connect()
        let queues = try (0..<2).map { _ in try world.makeQueue(client, subscribe: false) }
        #expect(try newQueue(client, world) == .err(.internal))
        for queue in queues { #expect(try world.ask(client, send, of: queue.senderID) == .ok) }
        #expect(try world.ask(client, send, of: queues[0].senderID) == .err(.quota))
        try world.run("the limits are noticed") { notices == [.isFull(.queues), .isFull(.messages)] }
        #expect(try RelayState(of: world.path).problems == [.queues, .messages])
        #expect(world.server?.statistics.refusedForLimit == 2 && world.server?.statistics.refusedMessages == 1)

        let first = queues[0]
        guard case .msg = try world.ask(client, .get, of: first.recipientID, key: first.recipientKey) else {
            return #expect(Bool(false))
        }
        #expect(try world.ask(client, .ack(messageID: .empty), of: first.recipientID, key: first.recipientKey) == .ok)
        #expect(try world.ask(client, send, of: queues[1].senderID) == .ok)
        #expect(try world.ask(client, .del, of: queues[1].recipientID, key: queues[1].recipientKey) == .ok)
        try world.run("there is room") { notices.contains(.hasRoom(.queues)) && notices.contains(.hasRoom(.messages)) }
        #expect(try newQueue(client, world).tag == .ids)
        #expect(try world.ask(client, send, of: first.senderID) == .ok)
        // The counts are those of the file after a restart.
        world.stop()
        try world.start(limits: limits)
        let again = try world.connect()
        #expect(try newQueue(again, world) == .err(.internal))
        #expect(try world.ask(again, send, of: first.senderID) == .ok)
        #expect(try world.ask(again, send, of: first.senderID) == .err(.quota))
    }

    @Test func the_database_stays_below_its_limit() throws {
        let world = try RelayWorld {
            $0.storeMegabytes = 1
            $0.quota = 1000
        }
        let client = try world.connect(), queue = try world.makeQueue(client, subscribe: false)
        var accepted = 0
        while case .ok = try world.ask(client, send, of: queue.senderID), accepted < 100 { accepted += 1 }
        #expect((30..<64).contains(accepted), "\(accepted)")
        // A queue is smaller than a message.
        var made = 0
        while try newQueue(client, world).tag == .ids, made < 1000 { made += 1 }
        #expect(made < 200)
        #expect(try newQueue(client, world) == .err(.internal))
        #expect(try RelayState(of: world.path).problems == [.size])
        #expect(try Files.status("\(world.path)/relay.db-wal").size < 4 << 20)
        // A message takes the place of another.
        _ = try world.ask(client, .get, of: queue.recipientID, key: queue.recipientKey)
        #expect(
            try world.ask(client, .ack(messageID: .empty), of: queue.recipientID, key: queue.recipientKey).tag == .ok)
        #expect(try world.ask(client, send, of: queue.senderID) == .ok)
        #expect(try world.ask(client, send, of: queue.senderID) == .err(.quota))
    }

    @Test func an_address_range_makes_so_many_queues_in_an_hour() throws {
        var limits = RelayLimits.loopback
        limits.queuesPerHour = 3
        limits.firstIncidentInterval = .milliseconds(10)
        let world = try RelayWorld(limits: limits), server = try #require(world.server)
        var lines: [RelayIncidents.Count] = []
        server.whenNoticed = { if case .incidents(let incidents) = $0 { lines += incidents.counts(naming: 5) } }
        let client = try world.connect()
        for _ in 0..<3 { #expect(try newQueue(client, world).tag == .ids) }
        #expect(try newQueue(client, world) == .err(.internal))
        // Another connection does not help.
        #expect(try newQueue(try world.connect(), world) == .err(.internal))
        #expect(try newQueue(try world.connect(from: "127.0.0.2"), world).tag == .ids)
        try world.run("it is noticed") { !lines.isEmpty }
        #expect(lines.allSatisfy { $0.kind == .limitedQueues && $0.source == "127.0.0.1" })
        #expect(server.statistics.limitedQueues == 2)
    }

    // MARK: - Notices

    @Test func incidents_name_addresses_if_logging_allows() throws {
        for logsAddresses in [true, false] {
            var limits = RelayLimits.loopback
            limits.firstIncidentInterval = .milliseconds(200)
            limits.connectionsPerAddress = 1
            let world = try RelayWorld(limits: limits) { $0.logsAddresses = logsAddresses }
            var notices: [RelayIncidents] = []
            world.server?.whenNoticed = { if case .incidents(let incidents) = $0 { notices.append(incidents) } }
            _ = try world.connect()
            let others = try (0..<5).map { _ in try world.dial() }
            try world.run("they are refused") { others.allSatisfy { $0.end != nil } }
            let early = try world.dial(version: 0, from: "127.0.0.3")
            try world.run("the relay greets") { !early.plainBlocks.isEmpty }
            early.close()
            try world.run("it is noticed once") { !notices.isEmpty }
            #expect(notices.count == 1)
            let counts = notices.first?.counts(naming: 5) ?? []
            #expect(counts.count == 1 && counts.first?.kind == .limitedConnections && counts.first?.count == 5)
            #expect(counts.first?.source == (logsAddresses ? "127.0.0.1" : nil))
            #expect(notices.first?.failedHandshakes == 1)
        }
    }

    @Test func space_that_is_there_again_is_noticed_without_a_command() throws {
        final class Disk: @unchecked Sendable { var free = Int.max }
        let disk = Disk()
        var limits = RelayLimits.loopback
        limits.reserve = 1 << 20
        limits.freeSpace = { disk.free }
        limits.lookInterval = .milliseconds(10)
        let world = try RelayWorld(limits: limits)
        var notices: [RelayNotice] = []
        world.server?.whenNoticed = { notices.append($0) }
        disk.free = 1000
        try world.run("it is short") { !notices.isEmpty }
        // Not much is no reason to announce that there is space.
        disk.free = (1 << 20) + 30_000
        var isOver = false
        world.loop.after(.milliseconds(100)) { isOver = true }
        try world.run("the relay looks again") { isOver }
        disk.free = 10 << 20
        try world.run("there is space") { notices.count > 1 }
        #expect(notices == [.isShortOfSpace(free: 1000, reserve: 1 << 20), .hasSpace(free: 10 << 20)])
    }

    // MARK: - Metrics

    @Test func metrics_are_replaced_whole_and_readable_by_all() throws {
        var limits = RelayLimits.loopback
        limits.metricsInterval = .milliseconds(20)
        let world = try RelayWorld(limits: limits), server = try #require(world.server)
        let path = "\(world.folder.path)/relay.prom"
        func values() -> [String: Int] {
            let text = (try? Files.read(path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            #expect(text.hasSuffix("\n"))
            var values: [String: Int] = [:]
            for line in text.split(separator: "\n") where !line.hasPrefix("#") {
                let parts = line.split(separator: " ")
                #expect(parts.count == 2, "\(line)")
                values[String(parts[0])] = Int(parts[1])
            }
            return values
        }
        var failures = 0
        try server.writeMetrics(to: path, version: "1.2.3") { _ in failures += 1 }
        #expect(values()["tacit_relay_info{version=\"1.2.3\"}"] == 1)
        #expect(try Files.status(path).mode == 0o644)
        let client = try world.connect(), queue = try world.makeQueue(client)
        #expect(try world.ask(client, send, of: queue.senderID) == .ok)
        try world.run("they are written") { values()["tacit_relay_sent_messages_total"] == 1 }
        let all = values()
        #expect(
            all["tacit_relay_queues"] == 1 && all["tacit_relay_messages"] == 1 && all["tacit_relay_subscriptions"] == 1)
        #expect(all["tacit_relay_limit{limit=\"queues\"}"] == 1_000_000 && all["tacit_relay_short_of_space"] == 0)
        // Every metric is declared, and every declared one is there.
        let names = Set(all.keys.map { String($0.prefix { $0 != "{" }) })
        #expect(names == Set(RelayMetrics.all.map(\.name)))
        // A folder that is gone is told once, and does not end the relay.
        let folder = "\(world.folder.path)/gone"
        try Files.createFolder(folder)
        try server.writeMetrics(to: "\(folder)/relay.prom", version: "1") { _ in failures += 1 }
        try Files.removeTree(folder)
        try world.run("it fails") { failures == 1 }
        #expect(try world.ask(client, .ping) == .pong)
        #expect(failures == 1)
        #expect(throws: SystemError.self) {
            try server.writeMetrics(to: "\(folder)/relay.prom", version: "1") { _ in }
        }
    }
}
