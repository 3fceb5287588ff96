import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing

@testable import Relay

/// Queues that the operator has blocked.
@Suite struct BlockingTests {
    private let blobs = LinkBlobs(fixed: [1], user: [2])

    @Test func aBlockedQueueIsRefusedWithItsNotice() throws {
        var rules = RelayRules()
        let world = try CoreWorld(rules: rules)
        let owner = world.connect(version: 20), sender = world.connect(version: 20), old = world.connect(version: 17)
        let queue = try owner.makeQueue(mode: .contact, blobs: blobs)
        let link = try #require(queue.linkID)
        let blocking = Blocking(reason: .spam, notice: Blocking.Notice(seconds: 86_400))
        let refused = RelayMessage.err(.blocked(blocking))
        for id in [queue.senderID, link, queue.recipientID] {
            rules.blocked = BlockedEntities()
            rules.blocked[id] = blocking
            world.core.apply(rules)
            try world.endTurn()
            #expect(owner.takeEvents() == [Answer(.empty, queue.recipientID, refused)])
            #expect(try sender.send("text", to: queue) == refused)
            #expect(try sender.ask(.lget, of: link) == refused)
            for command in [ClientCommand.sub, .get, .que, .ack(messageID: .empty), .ldel] {
                #expect(try owner.own(queue, command) == refused)
            }
            // SECURITY: others do not learn of the block.
            #expect(try sender.ask(.que, of: queue.recipientID, key: ed25519(world)) == .auth)
            #expect(try old.send("text", to: queue) == .err(.blocked(blocking)))
            // The encoding of each version decides what clients are told.
            #expect(refused.encoded(version: 17) == Bytes("ERR BLOCKED reason=spam".utf8))
            #expect(refused.encoded(version: 11) == Bytes("ERR AUTH".utf8))
        }
        // The same list is no news.
        world.core.apply(rules)
        try world.endTurn()
        #expect(owner.takeEvents().isEmpty)
        rules.blocked = BlockedEntities()
        world.core.apply(rules)
        #expect(try sender.send("text", to: queue) == .ok)
        rules.blocked[queue.senderID] = blocking
        world.core.apply(rules)
        #expect(try owner.own(queue, .off) == .ok)
        #expect(try owner.own(queue, .del) == .ok)
    }

    @Test func theListIsText() throws {
        var blocked = BlockedEntities()
        blocked[EntityID(Bytes(1...24))] = Blocking(reason: .content)
        blocked[EntityID([255])] = Blocking(reason: .spam, notice: Blocking.Notice(seconds: 60))
        #expect(
            blocked.text.split(separator: "\n").dropFirst() == [
                "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcY reason=content", #"_w== reason=spam,notice={"ttl":60}"#,
            ])
        #expect(try BlockedEntities(text: blocked.text) == blocked)
        #expect(try BlockedEntities(text: "").isEmpty)
        for (line, text) in [(1, "AQID"), (2, "\nAQID reason=other"), (1, "@ reason=spam"), (1, "AQID reason=spam,x")] {
            #expect(throws: RelayError.blocked(line: line), "\(text)") { try BlockedEntities(text: text) }
        }
        for variant in Damage.variants(of: Bytes(blocked.text.utf8)) {
            _ = try? BlockedEntities(text: String(decoding: variant, as: UTF8.self))
        }
    }
}
