import AttackSupport
import CryptoCore
import SystemIO
import TestSupport
import Testing

/// Uploads in any order and to any extent leave nothing behind, and never exceed the limit of the files.
@Suite(.timeLimit(.minutes(60))) struct UploadSessionTests {
    /// Plays 40 sequences, or as many as fit in TACIT_SECONDS.
    @Test func random_sequences_of_uploads_leave_nothing() throws {
        let folder = try TemporaryFolder()
        let sessions = try UploadSessions("\(folder.path)/relay")
        let variables = ProcessEnvironment.variables()
        let seed = variables["TACIT_SEED"].flatMap { UInt64($0) } ?? 41
        let end = variables["TACIT_SECONDS"].flatMap { Int($0) }.map { ContinuousClock.now + .seconds($0) }
        var generator = SeededRandom(seed: seed), count = 0
        while end.map({ .now < $0 }) ?? (count < 40) {
            // A client and a chunk come first, so that most sequences reach uploads.
            var input: [UInt8] = [0, 0, 1, UInt8.random(in: 0...1, using: &generator)]
            for _ in 0..<Int.random(in: 1...60, using: &generator) {
                input.append(UInt8.random(in: 0...9, using: &generator))
                input.append(UInt8.random(in: 0...255, using: &generator))
            }
            do {
                try sessions.play(input)
            } catch let broken as UploadSessions.Broken {
                Issue.record("\(broken), seed \(seed), sequence \(count): \(input)")
                return
            } catch {
                // The client of the test refuses what its own frames have made the relay send.
            }
            count += 1
        }
        print("\(count) sequences of uploads")
        try sessions.end()
    }
}
