import TestSupport
import Testing

/// `connection-transcript.json`: in which order two live agents of the recorded implementation sent commands and told their
/// applications about it. Two connections, carried out in that order, must want the same steps and tell the same.
@Suite struct TranscriptVectors {
    /// Connections by invitation, one with a queue rotation. A joiner of an older version
    /// shows itself by a reply queue that its sender cannot secure.
    private static let names = ["inv-pq", "inv-on", "inv-off", "inv-old", "rotation"]
    /// What needs contact addresses or short links, which ``Connection`` does not speak yet.
    private static let later = ["contact", "contact-old", "short"]

    private static let recordings = VectorFile.cases("connection-transcript")

    @Test(arguments: recordings.filter { names.contains($0["name"].text) })
    func stepsHappenInTheRecordedOrder(recording: Vector) throws {
        var transcript = try Transcript(recording)
        #expect(try transcript.replay() >= 38)
    }

    @Test func noRecordingIsForgotten() {
        #expect(Set(Self.recordings.map { $0["name"].text }) == Set(Self.names + Self.later))
    }
}
