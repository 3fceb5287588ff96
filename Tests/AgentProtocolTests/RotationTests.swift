import AgentProtocol
import ByteCoding
import SMPProtocol
import TestSupport
import Testing

/// The replacement of a queue, step by step and out of step.
@Suite struct RotationTests {
    private func phases(_ side: TestSide) -> [ConnectionEvent] {
        side.events.filter { if case .switching = $0 { true } else { false } }
    }

    /// Hands over what both sides send until neither has anything to say.
    private func settle(_ pair: inout TestPair) throws {
        for _ in 0..<10 {
            try pair.joiner.receive(try pair.initiator.work())
            try pair.initiator.receive(try pair.joiner.work())
        }
    }

    @Test(arguments: [true, false])
    func aQueueIsReplaced(byInitiator: Bool) throws {
        var pair = try TestPair(seed: 100)
        if !byInitiator { pair = pair.swapped }
        let old = try #require(pair.initiator.connection.receiveQueue)
        pair.initiator.take(try pair.initiator.connection.switchQueue())
        try settle(&pair)
        #expect(pair.initiator.connection.receiveRotation?.stage == .draining)
        #expect(pair.initiator.discarded.isEmpty)
        pair.initiator.take(pair.initiator.connection.drained())
        #expect(pair.initiator.connection.receiveRotation == nil && pair.joiner.connection.sendRotation == nil)
        #expect(pair.initiator.discarded.map(\.recipientID) == [old.recipientID])
        let new = try #require(pair.initiator.connection.receiveQueue)
        #expect(new.recipientID != old.recipientID && pair.joiner.connection.sendQueue?.senderID == new.senderID)
        #expect(
            phases(pair.initiator)
                == [.started, .confirmed, .secured, .completed].map { .switching(.receiving, $0) })
        #expect(
            phases(pair.joiner) == [.started, .confirmed, .secured, .completed].map { .switching(.sending, $0) })
        #expect(pair.initiator.allowedKeys.count == 1)
        try talk(&pair)
        // And once more.
        pair.initiator.take(try pair.initiator.connection.switchQueue())
        try settle(&pair)
        pair.initiator.take(pair.initiator.connection.drained())
        try talk(&pair)
    }

    /// What was given up on its way does not hold up a rotation for ever, whichever of its messages it was.
    @Test func undelivered_rotation_message_is_dropped_or_due_again() throws {
        var pair = try TestPair(seed: 108)
        // QADD: nobody knows of the new queue.
        pair.initiator.take(try pair.initiator.connection.switchQueue())
        _ = try pair.initiator.work()
        pair.initiator.take(pair.initiator.connection.undelivered(.queueAdd, isExpired: true))
        #expect(pair.initiator.connection.receiveRotation == nil && pair.initiator.discarded.count == 1)
        #expect(phases(pair.initiator) == [.started, .aborted].map { .switching(.receiving, $0) })
        // QKEY: the recipient may give up, and the sender knows of nothing.
        pair.initiator.take(try pair.initiator.connection.switchQueue())
        try pair.joiner.receive(try pair.initiator.work())
        _ = try pair.joiner.work()
        let sender = pair.joiner.connection
        #expect(sender.sendRotation?.stage == .keySent)
        pair.joiner.take(pair.joiner.connection.undelivered(.queueKey, isExpired: true))
        #expect(pair.joiner.connection.sendRotation == nil)
        #expect(phases(pair.joiner).last == .switching(.sending, .aborted))
        pair.initiator.take(try pair.initiator.connection.abortSwitch())
        // QUSE and QTEST are made again when the next message comes.
        pair.initiator.take(try pair.initiator.connection.switchQueue())
        try pair.joiner.receive(try pair.initiator.work())
        try pair.initiator.receive(try pair.joiner.work())
        _ = try pair.initiator.work()
        #expect(pair.initiator.connection.receiveRotation?.stage == .announced)
        pair.initiator.take(pair.initiator.connection.undelivered(.queueUse, isExpired: true))
        #expect(pair.initiator.connection.receiveRotation?.stage == .secured)
        try pair.joiner.send("go on")
        try pair.initiator.receive(try pair.joiner.work())
        try settle(&pair)
        #expect(pair.initiator.connection.receiveRotation?.stage == .draining)
        pair.initiator.take(pair.initiator.connection.drained())
        #expect(phases(pair.initiator).last == .switching(.receiving, .completed))
        #expect(pair.initiator.messages.last?.text == "go on")
    }

    @Test func bothSidesReplaceTheirQueuesAtOnce() throws {
        var pair = try TestPair(seed: 101)
        pair.initiator.take(try pair.initiator.connection.switchQueue())
        pair.joiner.take(try pair.joiner.connection.switchQueue())
        try settle(&pair)
        pair.initiator.take(pair.initiator.connection.drained())
        pair.joiner.take(pair.joiner.connection.drained())
        #expect(pair.initiator.discarded.count == 1 && pair.joiner.discarded.count == 1)
        #expect(pair.initiator.events.contains(.switching(.sending, .completed)))
        #expect(pair.joiner.events.contains(.switching(.sending, .completed)))
        try talk(&pair)
    }

    @Test func queued_messages_use_new_queue_in_order() throws {
        var pair = try TestPair(seed: 102)
        pair.initiator.take(try pair.initiator.connection.switchQueue())
        try pair.joiner.send("before")
        let offer = try pair.initiator.work()
        let before = try pair.joiner.work()
        try pair.joiner.receive(offer)
        let key = try pair.joiner.work()
        try pair.initiator.receive(before + key)
        let use = try pair.initiator.work()
        // Written before the new queue is known to be ready, and sent after.
        try pair.joiner.send("between")
        try pair.joiner.receive(use)
        try pair.joiner.send("after")
        let late = try pair.joiner.work()
        #expect(late.count == 3)
        try pair.initiator.receive(late)
        #expect(pair.initiator.messages.map(\.text) == ["before", "between", "after"])
        #expect(pair.initiator.messages.allSatisfy { $0.integrity == .ok })
        #expect(pair.initiator.connection.receiveRotation?.stage == .draining)
        // A copy of what came through the old queue can still be opened.
        #expect(throws: ReceptionError.self) { try pair.initiator.receive(before) }
    }

    /// How many exchanges there are before it is given up, and whether that is possible.
    @Test(arguments: [(0, true), (1, true), (2, false), (3, false), (4, false)])
    func rotation_can_be_aborted_until_sender_answers(exchanges: Int, canAbort: Bool) throws {
        var pair = try TestPair(seed: 103)
        let old = pair.initiator.connection.receiveQueue?.recipientID
        pair.initiator.take(try pair.initiator.connection.switchQueue())
        #expect(throws: Connection.Failure.notReady) { try pair.initiator.connection.switchQueue() }
        for exchange in 0..<exchanges {
            if exchange.isMultiple(of: 2) {
                try pair.joiner.receive(try pair.initiator.work())
            } else {
                try pair.initiator.receive(try pair.joiner.work())
            }
        }
        #expect(pair.initiator.connection.receiveRotation?.canAbort == canAbort)
        guard canAbort else {
            #expect(throws: Connection.Failure.notReady) { try pair.initiator.connection.abortSwitch() }
            return
        }
        pair.initiator.take(try pair.initiator.connection.abortSwitch())
        #expect(pair.initiator.events.last == .switching(.receiving, .aborted))
        // What the sender answers meanwhile finds nothing to do.
        try settle(&pair)
        #expect(pair.initiator.connection.receiveQueue?.recipientID == old)
        #expect(pair.initiator.discarded.count == 1)
        try talk(&pair)
        // The sender takes the next offer although the first came to nothing.
        pair.initiator.take(try pair.initiator.connection.switchQueue())
        try settle(&pair)
        #expect(pair.initiator.connection.receiveRotation?.stage == .draining)
        try talk(&pair)
    }

    @Test func refusalsOfRelaysKeepTheOldQueue() throws {
        var pair = try TestPair(seed: 104)
        pair.initiator.take(try pair.initiator.connection.switchQueue())
        pair.initiator.tasks = []
        pair.initiator.take(pair.initiator.connection.refusedNext())
        #expect(pair.initiator.connection.receiveRotation == nil && pair.initiator.discarded.isEmpty)

        pair.initiator.take(try pair.initiator.connection.switchQueue())
        try pair.joiner.receive(try pair.initiator.work())
        try pair.initiator.receive(try pair.joiner.work())
        guard case .secureNextQueue? = pair.initiator.tasks.first else {
            Issue.record("the sender is let in")
            return
        }
        pair.initiator.tasks = []
        pair.initiator.take(pair.initiator.connection.refusedNext())
        #expect(pair.initiator.connection.receiveRotation == nil && pair.initiator.discarded.count == 1)
        #expect(phases(pair.initiator).last == .switching(.receiving, .aborted))
        try talk(&pair)
    }

    @Test func invalid_offers_have_no_effect() throws {
        var pair = try TestPair(seed: 105)
        var other = try TestPair(seed: 120)
        other.initiator.take(try other.initiator.connection.switchQueue())
        _ = try other.initiator.work()
        let stranger = try #require(other.initiator.connection.receiveRotation?.queue)
        let own = try #require(pair.joiner.connection.receiveQueue)
        for body in [
            AgentMessageBody.queueAdd([
                ReplacementQueue(
                    queue: QueueAddress(versions: MessageEnvelope.versions, location: stranger.location), replaced: nil)
            ]),
            .queueAdd([
                ReplacementQueue(
                    queue: QueueAddress(versions: MessageEnvelope.versions, location: stranger.location),
                    replaced: stranger.senderAddress)
            ]),
            .queueAdd([
                ReplacementQueue(
                    queue: QueueAddress(
                        versions: MessageEnvelope.versions,
                        location: try #require(pair.initiator.connection.receiveQueue).location),
                    replaced: try #require(pair.initiator.connection.receiveQueue).senderAddress)
            ]),
            .queueUse([QueueUse(queue: stranger.senderAddress, isPrimary: true)]),
            .queueUse([QueueUse(queue: own.senderAddress, isPrimary: true)]),
            .queueTest([stranger.senderAddress]),
        ] {
            pair.initiator.tasks.append(
                .send(try pair.initiator.connection.message(body, kind: .control, notifies: false)))
        }
        try pair.joiner.receive(try pair.initiator.work())
        #expect(pair.joiner.problems == Array(repeating: .queue, count: 5))
        #expect(pair.joiner.connection.sendRotation == nil && phases(pair.joiner).isEmpty)
        try talk(&pair)
    }

    /// A contact that offers one queue after the other is answered only so often.
    @Test func offersAreLimited() throws {
        var pair = try TestPair(seed: 109)
        for day in 0..<2 {
            pair.joiner.relayTime = Timestamp(seconds: Int64(day) * 86_400)
            pair.joiner.problems = []
            pair.joiner.events = []
            for _ in 0..<RotationOffers.mostPerDay + 5 {
                pair.initiator.take(try pair.initiator.connection.switchQueue())
                try pair.joiner.receive(try pair.initiator.work())
                pair.initiator.take(try pair.initiator.connection.abortSwitch())
            }
            #expect(pair.joiner.problems == Array(repeating: .queue, count: 5))
            #expect(phases(pair.joiner).count == RotationOffers.mostPerDay)
        }
    }

    @Test func deleting_connection_deletes_its_new_queue() throws {
        var pair = try TestPair(seed: 106)
        pair.initiator.take(try pair.initiator.connection.switchQueue())
        _ = try pair.initiator.work()
        pair.initiator.take(pair.initiator.connection.delete())
        #expect(pair.initiator.discarded.count == 1)
        var second = try TestPair(seed: 107)
        second.initiator.take(try second.initiator.connection.switchQueue())
        second.initiator.take(second.initiator.connection.delete())
        // The relay made the queue before it heard that nobody wants it.
        _ = try second.initiator.work()
        #expect(second.initiator.discarded.count == 1)
    }

    private func talk(_ pair: inout TestPair) throws {
        let counts = (pair.initiator.messages.count, pair.joiner.messages.count)
        try pair.initiator.send("to the joiner")
        try pair.joiner.send("to the initiator")
        try pair.joiner.receive(try pair.initiator.work())
        try pair.initiator.receive(try pair.joiner.work())
        #expect(pair.initiator.messages.count == counts.0 + 1 && pair.joiner.messages.count == counts.1 + 1)
        #expect(pair.initiator.messages.allSatisfy { $0.integrity == .ok })
        #expect(pair.joiner.messages.allSatisfy { $0.integrity == .ok })
    }
}
