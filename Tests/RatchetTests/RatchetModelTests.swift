import Ratchet
import TestSupport
import Testing

/// Random schedules of sending, loss, reordering, duplication, damage and restarts.
@Suite struct RatchetModelTests {
    private static let steps = 1500

    /// 7 × 2 × 1500 = 21,000 steps.
    @Test(arguments: Beginning.all, [1, 2] as [UInt64])
    func everyMessageIsReadOnce(beginning: Beginning, seed: UInt64) throws {
        var model = try RatchetModel(beginning, seed: seed)
        do {
            try model.run(steps: RatchetModelTests.steps)
        } catch {
            Issue.record("seed \(seed), \(beginning.testDescription), after \(model.counts): \(error)")
        }
        for event in RatchetModel.Event.allCases {
            #expect(model.counts[event, default: 0] > 5, "\(event) hardly happens with seed \(seed)")
        }
    }
}
