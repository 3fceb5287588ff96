import AgentProtocol
import ChatCore
import JSONCoding
import Testing

@testable import Commands

/// What a session in another process is told of events.
@Suite struct EventDigestTests {
    private static let digests: [EventDigest] = [
        .items(.new, [ChatItemID(7), ChatItemID(8)]), .items(.updated, []), .items(.changed, [ChatItemID(9)]),
        .items(.callBegan, [ChatItemID(1)]), .items(.callEnded, [ChatItemID(1)]),
        .deleted([SessionEvent.DeletedEntry(contact: ContactID(3), item: ChatItemID(4))]),
        .contactDeleted(ContactID(5)), .profileGone(ProfileID(2)), .listsChanged, .gateChanged,
        .relayLost("relay.example:5223", because: "the relay cannot be reached"), .relayReached("relay.example"),
        .other(subject: "@ann \"lee\"\n", sentence: "is connected"),
    ]

    @Test(arguments: digests) func isReadAsItWasWritten(_ digest: EventDigest) throws {
        let line = try JSONValue(decoding: Array(digest.json.line.utf8))
        #expect(EventDigest(try #require(line.object)) == digest)
    }

    /// A later version may tell more: what is not known is passed over, and what is malformed is nothing.
    @Test func whatIsNotKnownIsPassedOver() {
        #expect(EventDigest([:]) == nil)
        #expect(EventDigest(["kind": "later"]) == nil)
        #expect(EventDigest(["kind": 7]) == nil)
        #expect(EventDigest(["kind": "new", "items": ["x", 7]]) == .items(.new, [ChatItemID(7)]))
        #expect(
            EventDigest(["kind": "deleted", "entries": [[1], [2, 3], "x"]])
                == .deleted([SessionEvent.DeletedEntry(contact: ContactID(2), item: ChatItemID(3))]))
    }

    /// What is gone by the time that it is looked up is no event any more.
    @Test func whatIsGoneIsNoEvent() async {
        #expect(await EventDigest.items(.new, [ChatItemID(7)]).event { _ in nil } == nil)
        let other = EventDigest.other(subject: "@ann", sentence: "is connected")
        #expect(await other.event { _ in nil } == .other(subject: "@ann", sentence: "is connected"))
    }
}
