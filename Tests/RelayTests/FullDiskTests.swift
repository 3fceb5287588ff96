import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import Store
import Synchronization
import SystemIO
import TestSupport
import Testing

/// A relay whose disk is nearly full, or full.
@Suite(.timeLimit(.minutes(60))) struct FullDiskTests {
    private let send = ClientCommand.send(MessageFlags(notifies: false), body: Bytes("hello".utf8))

    /// Free space that a test decides about.
    private final class Disk: Sendable {
        private let bytes = Mutex(Int.max)

        var free: Int {
            get { bytes.withLock { $0 } }
            set { bytes.withLock { $0 = newValue } }
        }
    }

    private func world(_ disk: Disk) throws -> (world: CoreWorld, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        var rules = RelayRules()
        rules.reserve = 1 << 20
        rules.freeSpace = { disk.free }
        return (try CoreWorld("\(folder.path)/db", rules: rules), folder)
    }

    @Test func below_the_reserve_nothing_grows_and_everything_can_be_emptied() throws {
        let disk = Disk()
        let (world, folder) = try world(disk)
        let client = world.connect()
        let queue = try client.makeQueue(), spare = try client.makeQueue(subscribe: false)
        let contact = try client.makeQueue(mode: .contact)
        let key = ed25519(world)
        #expect(try client.own(queue, .key(key.publicKey)) == .ok)
        for _ in 0..<3 { #expect(try client.send("hello", to: queue, key: key) == .ok) }
        disk.free = (1 << 20) + 1000

        #expect(try client.send("hello", to: queue, key: key) == .err(.quota))
        #expect(try client.makeQueueIsRefused())
        let blobs = LinkBlobs(fixed: [1], user: [2])
        #expect(try client.own(contact, .lset(linkID: EntityID(world.random.bytes(24)), blobs)) == .err(.internal))
        let notifier = NotifierKeys(authorizationKey: key.publicKey, dhKey: client.ownKey.publicKey)
        #expect(try client.own(queue, .nkey(notifier)) == .err(.internal))
        #expect(world.core.isShortOfSpace && world.core.statistics.refusedForSpace == 4)
        // A key is written into a row that is there.
        #expect(try client.own(spare, .key(key.publicKey)) == .ok)

        // With half of the reserve left only what is there can be removed.
        disk.free = (1 << 19) - 1
        #expect(try client.makeQueueIsRefused())
        #expect(try client.own(queue, .sub) == .sok(serviceID: nil))
        for _ in 0..<3 { #expect(try client.own(queue, .ack(messageID: .empty)).tag != .err) }
        #expect(try client.own(queue, .off) == .ok)
        #expect(try client.own(spare, .del) == .ok)
        #expect(world.core.statistics.acknowledgedMessages == 3)

        // There is space again.
        disk.free = .max
        #expect(try client.send("again", to: contact) == .ok)
        _ = try client.makeQueue()
        #expect(!world.core.isShortOfSpace)
        _ = folder
    }

    /// Messages that are written over others need no larger file.
    @Test func a_message_takes_the_place_of_another_below_the_reserve() throws {
        let disk = Disk()
        let (world, folder) = try world(disk)
        let client = world.connect(), queue = try client.makeQueue()
        #expect(try client.send("one", to: queue) == .ok)
        disk.free = (1 << 20) - 1
        #expect(try client.send("two", to: queue) == .err(.quota))
        #expect(try client.own(queue, .ack(messageID: .empty)) == .ok)
        #expect(try client.send("two", to: queue) == .ok)
        #expect(try client.send("three", to: queue) == .err(.quota))
        _ = folder
    }

    @Test func full_disk_rejects_writes_and_keeps_connections() throws {
        let disk = Disk()
        let (world, folder) = try world(disk)
        let client = world.connect(), queue = try client.makeQueue()
        #expect(try client.send("one", to: queue) == .ok)
        disk.free = 0
        // The next day: to note it would be a write.
        world.clock.now = world.clock.now + .seconds(86_400)
        #expect(try client.own(queue, .sub) == .sok(serviceID: nil))
        #expect(try client.own(queue, .ack(messageID: .empty)) == .err(.internal))
        #expect(try client.own(queue, .del) == .err(.internal))
        disk.free = .max
        #expect(try client.own(queue, .ack(messageID: .empty)) == .ok)
        #expect(world.core.statistics.acknowledgedMessages == 1)
        _ = folder
    }

    @Test func file_at_limit_keeps_serving() throws {
        var limits = RelayLimits()
        limits.pageLimit = 60
        let world = try RelayWorld(limits: limits)
        var notices: [RelayNotice] = []
        world.server?.whenNoticed = { notices.append($0) }
        let client = try world.connect(), queue = try world.makeQueue(client, subscribe: false)
        var accepted = 0
        while case .ok = try world.ask(client, send, of: queue.senderID) { accepted += 1 }
        #expect(try world.ask(client, send, of: queue.senderID) == .err(.quota))
        #expect(accepted > 3 && notices.count == 1)
        guard case .isShortOfSpace = notices.first else { return #expect(Bool(false), "\(notices)") }
        var answer = try world.ask(client, .get, of: queue.recipientID, key: queue.recipientKey)
        while case .msg = answer {
            accepted -= 1
            #expect(
                try world.ask(client, .ack(messageID: .empty), of: queue.recipientID, key: queue.recipientKey) == .ok)
            answer = try world.ask(client, .get, of: queue.recipientID, key: queue.recipientKey)
        }
        #expect(accepted == 0 && world.server?.statistics.failedTurns == 0)
        #expect(try world.ask(client, send, of: queue.senderID) == .ok)
    }

    /// Nothing foretells the end of the disk: a turn is lost once, and not again and again.
    @Test func a_disk_that_is_full_without_warning_closes_connections_once() throws {
        var limits = RelayLimits()
        limits.pageLimit = 60
        limits.reserve = 0
        let world = try RelayWorld(limits: limits)
        var notices: [RelayNotice] = []
        world.server?.whenNoticed = { notices.append($0) }
        let client = try world.connect(), bystander = try world.connect()
        let queue = try world.makeQueue(client, subscribe: false)
        var accepted = 0
        while client.end == nil {
            let id = try #require(try client.send([(send, queue.senderID, nil)]).first)
            try world.run("the message is accepted or not") { client.answer(to: id) != nil || client.end != nil }
            if client.answer(to: id) == .ok { accepted += 1 }
        }
        #expect(accepted > 3)
        try world.run("nobody keeps an idea of what was lost") { bystander.end != nil }
        #expect(notices.contains(.lostTurn))
        let again = try world.connect()
        for _ in 0..<20 { #expect(try world.ask(again, send, of: queue.senderID) == .err(.quota)) }
        var answer = try world.ask(again, .get, of: queue.recipientID, key: queue.recipientKey)
        while case .msg = answer {
            accepted -= 1
            #expect(
                try world.ask(again, .ack(messageID: .empty), of: queue.recipientID, key: queue.recipientKey) == .ok)
            answer = try world.ask(again, .get, of: queue.recipientID, key: queue.recipientKey)
        }
        #expect(accepted == 0 && world.server?.statistics.failedTurns == 1)
        #expect(try world.ask(again, send, of: queue.senderID) == .ok)
    }
}

extension CoreClient {
    /// True if NEW is refused because there is no space.
    fileprivate func makeQueueIsRefused() throws -> Bool {
        let key = ed25519(world)
        let new = NewQueue(
            recipientKey: key.publicKey, dhKey: ownKey.publicKey, password: nil, subscription: .subscribe,
            request: QueueRequest(mode: .messaging))
        return try ask(.new(new), key: key) == .err(.internal)
    }
}
