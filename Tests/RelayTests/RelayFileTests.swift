import ByteCoding
import Relay
import SMPProtocol
import Store
import SystemIO
import TestSupport
import Testing

/// The file of the relay: what it holds after a flood, and after an end.
@Suite struct RelayFileTests {
    private func size(_ path: String) throws -> Int64? {
        try Database(path, .readOnly).first("SELECT count(*) FROM bodies") { row throws(StoreError) in try row.int64() }
    }

    @Test func afterAFloodTheFileBecomesSmallAgain() throws {
        let folder = try TemporaryFolder(), path = "\(folder.path)/relay.db"
        let world = try CoreWorld(path)
        let client = world.connect()
        var queues: [TestQueue] = []
        for _ in 0..<3 {
            let queue = try client.makeQueue(subscribe: false)
            for number in 0..<100 { #expect(try client.send("\(number)", to: queue) == .ok) }
            queues.append(queue)
        }
        let full = try Files.status(path + "-wal").size
        #expect(try size(path) == 300)
        for queue in queues.dropFirst() { #expect(try client.own(queue, .del) == .ok) }
        // What is free is kept for the next messages, until the walk.
        #expect(try size(path) == 300)
        var walk = try #require(world.core.beginExpiry())
        while world.core.expire(&walk) { try world.endTurn() }
        try world.endTurn()
        #expect(try size(path) == 172)
        #expect(full > 4_800_000)
        // The messages that were not deleted are still what they were, also after an end.
        try world.restart()
        let again = world.connect()
        #expect(try again.own(queues[0], .sub) == .sok(serviceID: nil))
        var texts: [String] = []
        var next = try #require(again.takeEvents().first).message
        while case .msg = next {
            texts.append(try queues[0].read(next))
            next = try again.own(queues[0], .ack(messageID: .empty))
        }
        #expect(texts == (0..<100).map { "\($0)" })
        #expect(
            try Database(path, .readOnly).first("PRAGMA auto_vacuum") { row throws(StoreError) in try row.int() } == 2)
    }

    @Test func slotsAreTakenAgainInsteadOfNewOnes() throws {
        let folder = try TemporaryFolder(), path = "\(folder.path)/relay.db"
        let world = try CoreWorld(path)
        var client = world.connect()
        let queue = try client.makeQueue(subscribe: false)
        for round in 0..<20 {
            #expect(try client.send("\(round)", to: queue) == .ok)
            #expect(try queue.read(client.own(queue, .get)) == "\(round)")
            #expect(try client.own(queue, .ack(messageID: .empty)) == .ok)
            guard round == 10 else { continue }
            try world.restart()
            client = world.connect()
        }
        #expect(try size(path) == 1)
    }
}
