import TerminalKit
import TestSupport
import Testing

@testable import REPL

/// The errors that a session itself gives.
@Suite struct SessionErrorTests {
    private static let samples: [(name: String, failure: Failure, code: String, exit: ExitCode)] = [
        ("hiddenProfile", .hiddenProfile, "profile.hidden", .unavailable),
        ("openQuote", .openQuote(in: "send 'a"), "usage.quote", .usage),
        ("lineTooLong", .lineTooLong, "usage.line", .usage),
    ]

    @Test func every_declared_error_has_a_sample() throws {
        let declared = try ErrorRegistry("Sources/REPL/Errors/SessionErrors.swift").members
        #expect(declared.symmetricDifference(Self.samples.map(\.name)) == [])
    }

    @Test func slugs_and_exit_codes_stay() {
        for sample in Self.samples {
            #expect((sample.failure.code.text, sample.failure.exit) == (sample.code, sample.exit))
        }
    }
}
