import TestSupport
import Testing

/// Random commands of several clients, with right and wrong keys, in turns that are committed, or lost in a crash; the
/// core must answer as the model, and its file must hold what the model holds.
@Suite struct CoreModelTests {
    @Test(.timeLimit(.minutes(5)), arguments: [1, 2, 3, 4] as [UInt64])
    func core_matches_model(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let run = try ModelRun("\(folder.path)/relay.db", seed: seed)
        while run.commands < 6000 { try run.turn() }
        // Every kind of answer has been seen.
        for kind in [
            "ok", "message", "created", "link", "state", "AUTH", "QUOTA", "NO_MSG", "PROHIBITED", "END", "DELD",
        ] {
            #expect(
                run.seen[kind, default: 0] > 0, "seed \(seed): \(kind) was seen \(run.seen[kind, default: 0]) times")
        }
        #expect(run.crashes > 10)
        try run.compareEverything()
    }
}
