import ByteCoding
import Ratchet
import TestSupport
import Testing

/// `ratchet.json`, `ratchet-plain.json`, `ratchet-versions.json` and the four of `ratchet-pq*.json`: conversations of two
/// recorded peers.
@Suite struct ConversationVectors {
    @Test(arguments: Recordings.all)
    func replays(recording: Vector) throws {
        var conversation = try RecordedConversation(recording)
        #expect(try conversation.replay() == recording["steps"].list.count)
    }

    @Test func noRecordingIsLeftOut() {
        #expect(Recordings.all.count == 24)
        #expect(Recordings.all.filter(Recordings.usesKEM).count == 12)
        #expect(Recordings.all.reduce(0) { $0 + $1["steps"].list.count } == 309)
    }
}
