import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import TestSupport
import Testing

/// How messages wait, are delivered one at a time, acknowledged, refused and given up.
@Suite struct DeliveryRuleTests {
    /// The text of the only message among the events of a client.
    private func message(_ client: CoreClient, _ queue: TestQueue) throws -> (id: EntityID, text: String)? {
        let events = client.takeEvents()
        #expect(events.count <= 1)
        guard let event = events.first, case .msg(let message) = event.message else { return nil }
        #expect(event.entityID == queue.recipientID)
        return (message.messageID, try queue.read(event.message))
    }

    @Test func theNextMessageWaitsForTheAcknowledgement() throws {
        let world = try CoreWorld()
        let client = world.connect(), sender = world.connect()
        let queue = try client.makeQueue()
        for text in ["1", "2", "3"] { #expect(try sender.send(text, to: queue) == .ok) }
        let first = try #require(try message(client, queue))
        #expect(first.text == "1")
        #expect(try client.own(queue, .ack(messageID: EntityID(world.random.bytes(24)))) == .err(.noMessage))
        let second = try client.own(queue, .ack(messageID: first.id))
        #expect(try queue.read(second) == "2")
        #expect(try client.own(queue, .ack(messageID: first.id)) == .err(.noMessage))
        // An empty id means what was delivered.
        #expect(try queue.read(client.own(queue, .ack(messageID: .empty))) == "3")
        #expect(try client.own(queue, .ack(messageID: .empty)) == .ok)
        #expect(try client.own(queue, .ack(messageID: .empty)) == .err(.noMessage))
        #expect(try sender.send("4", to: queue) == .ok)
        #expect(try message(client, queue)?.text == "4")
    }

    @Test func subscribingAgainDeliversAgain() throws {
        let world = try CoreWorld()
        let client = world.connect()
        let queue = try client.makeQueue()
        #expect(try client.send("x", to: queue) == .ok)
        let first = try #require(try message(client, queue))
        #expect(try client.own(queue, .sub) == .sok(serviceID: nil))
        #expect(try message(client, queue)?.id == first.id)
        client.disconnect()
        let other = world.connect()
        #expect(try other.own(queue, .ack(messageID: first.id)) == .err(.noMessage))
        #expect(try other.own(queue, .sub) == .sok(serviceID: nil))
        #expect(try message(other, queue)?.id == first.id)
        #expect(try other.own(queue, .ack(messageID: first.id)) == .ok)
    }

    @Test func thereIsOneSubscriberForAQueue() throws {
        let world = try CoreWorld()
        let client = world.connect(), other = world.connect()
        let queue = try client.makeQueue()
        #expect(try client.send("x", to: queue) == .ok)
        let first = try #require(try message(client, queue))
        #expect(try other.own(queue, .sub) == .sok(serviceID: nil))
        #expect(client.takeEvents() == [Answer(.empty, queue.recipientID, .end)])
        #expect(try message(other, queue)?.id == first.id)
        #expect(try client.own(queue, .ack(messageID: first.id)) == .err(.noMessage))
        #expect(try other.own(queue, .ack(messageID: first.id)) == .ok)
        #expect(try client.send("y", to: queue) == .ok)
        #expect(try message(other, queue)?.text == "y")
        #expect(client.takeEvents().isEmpty)
        #expect(world.core.statistics.subscriptions == 1)
        other.disconnect()
        #expect(world.core.statistics.subscriptions == 0)
    }

    @Test func getAndSubExcludeEachOther() throws {
        let world = try CoreWorld()
        let client = world.connect(), other = world.connect()
        let queue = try client.makeQueue(subscribe: false)
        #expect(try other.own(queue, .get) == .ok)
        for text in ["1", "2"] { #expect(try client.send(text, to: queue) == .ok) }
        #expect(try queue.read(other.own(queue, .get)) == "1")
        #expect(try other.own(queue, .sub) == .prohibited)
        #expect(try queue.read(other.own(queue, .get)) == "1")
        #expect(try other.own(queue, .ack(messageID: .empty)) == .ok)
        #expect(try other.own(queue, .ack(messageID: .empty)) == .err(.noMessage))
        #expect(try client.own(queue, .sub) == .sok(serviceID: nil))
        #expect(try client.own(queue, .get) == .prohibited)
        let second = try #require(try message(client, queue))
        // Who asks with GET takes nothing away from the subscriber, who learns of it with the next acknowledgement.
        #expect(try queue.read(other.own(queue, .get)) == "2")
        #expect(try other.own(queue, .ack(messageID: second.id)) == .ok)
        #expect(try client.send("3", to: queue) == .ok)
        #expect(try message(client, queue) == nil)
        #expect(try queue.read(client.own(queue, .ack(messageID: second.id))) == "3")
    }

    @Test func getKeepsNothingButMessagesToAcknowledge() throws {
        var rules = RelayRules()
        rules.fetchedMessages = 2
        let world = try CoreWorld(rules: rules)
        let client = world.connect()
        let queues = try (0..<3).map { _ in try client.makeQueue(subscribe: false) }
        // Any number of queues without messages, to which the client can subscribe afterwards.
        let empty = try (0..<5).map { _ in try client.makeQueue(subscribe: false) }
        for queue in empty { #expect(try client.own(queue, .get) == .ok) }
        #expect(try client.own(empty[0], .sub) == .sok(serviceID: nil))
        for queue in queues { #expect(try client.send("x", to: queue) == .ok) }
        for queue in queues.prefix(2) { #expect(try client.own(queue, .get).tag == .msg) }
        #expect(try client.own(queues[0], .get).tag == .msg)
        #expect(try client.own(queues[2], .get) == .err(.quota))
        #expect(try client.own(queues[0], .ack(messageID: .empty)) == .ok)
        #expect(try client.own(queues[2], .get).tag == .msg)
        #expect(try client.own(queues[1], .del) == .ok)
        for queue in queues[...0] + queues[2...] { #expect(try client.send("y", to: queue) == .ok) }
        #expect(try client.own(queues[0], .get).tag == .msg)
    }

    @Test func aFullQueueClosesUntilItIsEmpty() throws {
        var rules = RelayRules()
        rules.quota = 3
        let world = try CoreWorld(rules: rules)
        let client = world.connect(), sender = world.connect()
        let queue = try client.makeQueue(subscribe: false)
        for text in ["1", "2", "3"] { #expect(try sender.send(text, to: queue) == .ok) }
        for _ in 0..<3 { #expect(try sender.send("x", to: queue) == .err(.quota)) }
        #expect(try client.own(queue, .sub) == .sok(serviceID: nil))
        var texts: [String] = []
        var next = try #require(client.takeEvents().first).message
        while case .msg(let message) = next {
            texts.append(try queue.read(next))
            #expect(try sender.send("x", to: queue) == .err(.quota))
            next = try client.own(queue, .ack(messageID: message.messageID))
        }
        #expect(texts == ["1", "2", "3", "QUOTA"])
        #expect(try sender.send("4", to: queue) == .ok)
        #expect(try message(client, queue)?.text == "4")
        #expect(world.core.statistics.refusedMessages == 7)
    }

    @Test func messagesExpire() throws {
        var rules = RelayRules()
        rules.messageLifetime = .seconds(1000)
        let world = try CoreWorld(rules: rules)
        let client = world.connect()
        let old = try client.makeQueue(), mixed = try client.makeQueue(subscribe: false)
        for queue in [old, mixed] { #expect(try client.send("old", to: queue) == .ok) }
        let delivered = try #require(try message(client, old))
        world.clock.now = world.clock.now + .seconds(600)
        #expect(try client.send("new", to: mixed) == .ok)
        world.clock.now = world.clock.now + .seconds(600)
        var walk = try #require(world.core.beginExpiry())
        while world.core.expire(&walk) {}
        try world.endTurn()
        #expect(world.core.statistics.expiredMessages == 2)
        #expect(try client.own(mixed, .sub) == .sok(serviceID: nil))
        #expect(try message(client, mixed)?.text == "new")
        // What was delivered before it expired can still be acknowledged.
        #expect(try client.own(old, .ack(messageID: delivered.id)) == .ok)
        #expect(try client.send("again", to: old) == .ok)
        #expect(try message(client, old)?.text == "again")
    }

    @Test(arguments: [(6, 16088), (7, 16088), (8, 16064), (10, 16064), (11, 16048), (18, 16048)] as [(UInt16, Int)])
    func theLargestMessageDependsOnTheVersion(_ version: UInt16, _ size: Int) throws {
        let world = try CoreWorld()
        let client = world.connect(version: version)
        let queue = try client.makeQueue(mode: version < 9 ? nil : .messaging)
        func send(_ size: Int) throws -> RelayMessage {
            try client.ask(
                .send(MessageFlags(notifies: false), body: Bytes(repeating: 65, count: size)), of: queue.senderID)
        }
        #expect(try send(size + 1) == .err(.largeMessage))
        #expect(try send(size) == .ok)
        let event = try #require(client.takeEvents().first)
        #expect(try queue.read(event.message).utf8.count == size)
        #expect(event.encoded(in: client.session).count + 2 <= Batch.capacity)
    }

    // MARK: - Batches and room

    @Test func allAnswersOfABatchComeBeforeItsMessages() throws {
        let world = try CoreWorld()
        let client = world.connect(), sender = world.connect()
        let queues = try (0..<20).map { _ in try sender.makeQueue(subscribe: false) }
        for (index, queue) in queues.enumerated() { #expect(try sender.send("\(index)", to: queue) == .ok) }
        world.core.makeRoom(16, for: client.id)
        for queue in queues { try client.submit(.sub, of: queue.recipientID, key: queue.recipientKey) }
        try client.submit(.ping)
        try world.endTurn()
        let told = world.take(client.id)
        #expect(told.prefix(20).map(\.entityID) == queues.map(\.recipientID))
        #expect(told.prefix(20).allSatisfy { $0.message == .sok(serviceID: nil) })
        #expect(told.dropFirst(20).first?.message == .pong)
        #expect(told.count == 21 + 16)
    }

    @Test func messagesWaitForRoom() throws {
        let world = try CoreWorld()
        let client = world.connect(), sender = world.connect()
        let queues = try (0..<10).map { _ in try sender.makeQueue(subscribe: false) }
        for (index, queue) in queues.enumerated() { #expect(try sender.send("\(index)", to: queue) == .ok) }
        world.core.makeRoom(4, for: client.id)
        for queue in queues { try client.submit(.sub, of: queue.recipientID, key: queue.recipientKey) }
        var texts: [String] = []
        for room in [4, 0, 3, 9] {
            if room != 4 { world.core.makeRoom(room, for: client.id) }
            for (connection, told) in try world.core.endTurn() where connection == client.id {
                for answer in told.filter({ $0.correlationID.isEmpty }) {
                    let queue = try #require(queues.first { $0.recipientID == answer.entityID })
                    texts.append(try queue.read(answer.message))
                }
            }
            #expect(texts.count == [4: 4, 0: 4, 3: 7, 9: 10][room])
        }
        #expect(texts == (0..<10).map { "\($0)" })
        #expect(!world.core.hasWaiting(client.id))
    }

    @Test func aMessageThatWaitedIsDeliveredOnce() throws {
        let world = try CoreWorld()
        let client = world.connect()
        let queue = try client.makeQueue(subscribe: false)
        #expect(try client.send("x", to: queue) == .ok)
        world.core.makeRoom(0, for: client.id)
        for _ in 0..<3 { try client.submit(.sub, of: queue.recipientID, key: queue.recipientKey) }
        #expect(try world.core.endTurn().first?.told.count == 3)
        #expect(world.core.hasWaiting(client.id))
        world.core.makeRoom(5, for: client.id)
        #expect(try world.core.endTurn().first?.told.count == 1)
        #expect(!world.core.hasWaiting(client.id))
        // Nothing waits for a subscription that has ended.
        world.core.makeRoom(0, for: client.id)
        try client.submit(.sub, of: queue.recipientID, key: queue.recipientKey)
        try client.submit(.del, of: queue.recipientID, key: queue.recipientKey)
        world.core.makeRoom(5, for: client.id)
        #expect(try world.core.endTurn().first?.told.map(\.message) == [.sok(serviceID: nil), .ok])
    }

    @Test func responses_are_not_made_for_slow_readers() throws {
        let world = try CoreWorld()
        let client = world.connect()
        let queue = try client.makeQueue(subscribe: false)
        #expect(try client.send("x", to: queue) == .ok)
        world.core.makeRoom(3, for: client.id)
        var carriedOut = 0
        while world.core.accepts(client.id) {
            try client.submit(.get, of: queue.recipientID, key: queue.recipientKey)
            carriedOut += 1
        }
        #expect(carriedOut == 3)
        world.core.makeRoom(0, for: client.id)
        #expect(!world.core.accepts(client.id))
        world.core.makeRoom(1, for: client.id)
        #expect(world.core.accepts(client.id))
    }

    @Test func anAnswerThatNoBlockCanHoldBecomesAnError() throws {
        let world = try CoreWorld()
        let client = world.connect()
        let queue = try client.makeQueue(subscribe: false)
        #expect(try client.send("x", to: queue) == .ok)
        let id = CorrelationID(Bytes(repeating: 7, count: 255))
        world.core.receive(
            try client.received(.get, of: queue.recipientID, key: queue.recipientKey, correlationID: id).1,
            from: client.id)
        let told = try #require(try world.core.endTurn().first?.told.first)
        let sent = try Transmission(decoding: told.encoded(in: client.session), session: client.session)
        #expect(sent.correlationID == id)
        #expect(sent.command == Bytes("ERR LARGE_MSG".utf8))
    }
}
