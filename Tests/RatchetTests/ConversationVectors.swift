import ByteCoding
import Ratchet
import TestSupport
import Testing

/// `ratchet.json` and the other `ratchet-` files: conversations of two recorded peers, with and without a KEM.
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
