import ByteCoding
import Relay
import SMPProtocol
import SystemIO
import TestSupport
import Testing

/// What a relay writes down about itself, and what is read from beside.
@Suite(.timeLimit(.minutes(60))) struct OperationTests {
    private let send = ClientCommand.send(MessageFlags(notifies: false), body: Bytes("hello".utf8))

    @Test func countersGoOnFromRunToRun() throws {
        let world = try RelayWorld()
        for run in 1...3 {
            let client = try world.connect()
            for _ in 0..<run { #expect(try world.ask(client, .ping) == .pong) }
            let before = try RelayState(of: world.path)
            #expect(before.holder != nil && before.activity?.current.commands == 0)
            #expect(try before.address.address == world.address())
            world.stop()
            let after = try RelayState(of: world.path)
            #expect(after.holder == nil)
            #expect(after.activity?.current.commands == run && after.activity?.current.acceptedConnections == 1)
            #expect(after.activity?.total.commands == run * (run + 1) / 2)
            try world.start()
        }
    }

    @Test func countersAreWrittenFromTimeToTime() throws {
        var limits = RelayLimits()
        limits.statisticsInterval = .milliseconds(20)
        let world = try RelayWorld(limits: limits)
        let client = try world.connect()
        #expect(try world.ask(client, .ping) == .pong)
        _ = try world.makeQueue(client)
        try world.run("they are written") {
            let current = (try? RelayState(of: world.path))?.activity?.current
            return current?.commands == 2 && current?.subscriptions == 1 && current?.connections == 1
        }
    }

    /// Every counter has a name of its own, and comes back by it.
    @Test func theFileHoldsEveryCounter() throws {
        let world = try RelayWorld()
        world.stop()
        let path = "\(world.path)/relay.stats", names = RelayStatistics.counters.map(\.name)
        #expect(Set(names).count == names.count)
        var lines = ["started = 1", "written = 2", "port = 3", "of_the_future = 4"]
        for (index, name) in names.enumerated() {
            lines += ["\(name) = \(index)", "earlier_\(name) = \(1000 * index)"]
        }
        try Files.replace(path, Bytes(lines.joined(separator: "\n").utf8))
        let activity = try #require(try RelayState(of: world.path).activity)
        for (index, counter) in RelayStatistics.counters.enumerated() {
            let path = counter.path
            #expect(activity.current[keyPath: path] == index && activity.total[keyPath: path] == 1001 * index)
        }
        #expect(activity.started.milliseconds == 1 && activity.written.milliseconds == 2 && activity.port == 3)
    }

    @Test(arguments: [
        "", "garbage", "started = 1\nwritten = 2\nport = 70000", "started = 1\nport = 1", "\u{0}\u{1}\u{ff}",
    ])
    func aFileThatSaysNothingIsNone(_ text: String) throws {
        let world = try RelayWorld()
        world.stop()
        try Files.replace("\(world.path)/relay.stats", Bytes(text.utf8))
        #expect(try RelayState(of: world.path).activity == nil)
        try world.start()
        #expect(try RelayState(of: world.path).activity?.total.commands == 0)
    }

    @Test func absurdNumbersDoNoHarm() throws {
        let world = try RelayWorld()
        world.stop()
        let text = "started = 1\nwritten = 2\nport = 3\ncommands = 9223372036854775807\nearlier_commands = -5\n"
        for _ in 0..<3 {
            try Files.replace("\(world.path)/relay.stats", Bytes(text.utf8))
            try world.start()
            world.stop()
        }
        #expect(try #require(try RelayState(of: world.path).activity).total.commands > 0)
    }

    @Test func queuesAndMessagesAreCounted() throws {
        let world = try RelayWorld { $0.quota = 2 }
        #expect(try RelayState(of: world.path).contents.queues == 0)
        let client = try world.connect()
        let queues = try (0..<3).map { _ in try world.makeQueue(client, subscribe: false) }
        for _ in 0..<2 { #expect(try world.ask(client, send, of: queues[0].senderID) == .ok) }
        #expect(try world.ask(client, send, of: queues[0].senderID) == .err(.quota))
        #expect(try world.ask(client, send, of: queues[1].senderID) == .ok)
        let now = Timestamp(milliseconds: SystemClock.milliseconds())
        let contents = try RelayState(of: world.path).contents
        // The marker of a full queue is no message.
        #expect(contents.queues == 3 && contents.messages == 3 && contents.usedToday == 3 && contents.size > 16000)
        let later = try RelayState(of: world.path, now: now + .seconds(8 * 86_400)).contents
        #expect(later.usedToday == 0 && later.usedThisWeek == 0 && later.usedThisMonth == 3)
        world.stop()
        let stopped = try RelayState(of: world.path).contents
        #expect(stopped.queues == 3 && stopped.messages == 3)
    }

    @Test func folder_without_relay_is_missing() throws {
        let folder = try TemporaryFolder()
        #expect(throws: RelayError.missing) { try RelayState(of: folder.path) }
        #expect(throws: RelayError.missing) { try RelayBackup.make(of: folder.path, at: "\(folder.path)/backup") }
        #expect(try Files.names(in: folder.path).isEmpty)
    }

    // MARK: - Backups

    private func unpack(_ archive: String, into folder: String) throws {
        try Files.createFolder(folder)
        let tar = try Subprocess(
            "/usr/bin/env", ["env", "tar", "-xf", archive, "-C", folder], environment: ["PATH": "/usr/bin:/bin"])
        let result = try tar.finish()
        #expect(result.ending == .exited(0), "\(String(decoding: result.errors, as: UTF8.self))")
    }

    @Test func aBackupOfARelayAtWorkIsARelay() throws {
        let world = try RelayWorld { $0.createPassword() }
        let password = try #require(try RelayState(of: world.path).address.password)
        let client = try world.connect()
        let queue = try world.makeQueue(client, subscribe: false, password: password)
        #expect(try world.ask(client, send, of: queue.senderID) == .ok)
        let archive = "\(world.folder.path)/backup.tar"
        let backup = try RelayBackup.make(of: world.path, at: archive)
        #expect(backup.names.contains("relay.db") && backup.names.contains("ca.key"))
        #expect(try Files.status(archive).size == backup.size && !Files.status(archive).isOpenToOthers)
        #expect(try Files.names(in: world.folder.path) == ["backup.tar", "relay"])
        // What happens now is not in it.
        #expect(try world.ask(client, send, of: queue.senderID) == .ok)

        let copy = "\(world.folder.path)/copy"
        try unpack(archive, into: copy)
        #expect(try Files.names(in: copy) == backup.names.sorted())
        for name in backup.names { #expect(try !Files.status("\(copy)/\(name)").isOpenToOthers) }
        let other = try RelayServer(RelayFolder(opening: copy), on: world.loop)
        let again = try LoopbackClient(port: other.port, fingerprint: other.address.fingerprint, loop: world.loop)
        try world.run("the hellos are done") { again.session != nil }
        #expect(other.address.fingerprint == (try world.address().fingerprint))
        let answer = try world.ask(again, .get, of: queue.recipientID, key: queue.recipientKey)
        #expect(try queue.read(answer) == "hello")
        #expect(try world.ask(again, .ack(messageID: .empty), of: queue.recipientID, key: queue.recipientKey) == .ok)
        #expect(try world.ask(again, .get, of: queue.recipientID, key: queue.recipientKey) == .ok)
        other.stop()
        world.stop()
    }

    @Test func failed_backup_leaves_no_file() throws {
        let world = try RelayWorld()
        world.stop()
        let path = "\(world.folder.path)/backup"
        try Files.create(path, Bytes("precious".utf8))
        #expect(throws: RelayError.self) { try RelayBackup.make(of: world.path, at: path) }
        #expect(try Files.read(path, limit: 100) == Bytes("precious".utf8))
        try Files.replace("\(world.path)/relay.db", Bytes(repeating: 1, count: 10_000))
        #expect(throws: RelayError.self) { try RelayBackup.make(of: world.path, at: "\(path)2") }
        #expect(try Files.names(in: world.folder.path) == ["backup", "relay"])
    }

    @Test func passwords_are_random() throws {
        var settings = RelaySettings(hosts: [.domain("localhost")])
        var passwords: Set<String> = []
        for _ in 0..<10 {
            settings.createPassword()
            passwords.insert(try #require(settings.password).text)
        }
        #expect(passwords.count == 10 && passwords.allSatisfy { $0.utf8.count == 32 })
    }
}
