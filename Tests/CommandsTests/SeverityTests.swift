import Commands
import TerminalKit
import Testing

/// Which of several exit codes is told.
@Suite struct SeverityTests {
    @Test func nothingIsWorseThanNothing() {
        #expect(ExitCode.worst(of: []) == .ok)
        #expect(ExitCode.worst(of: [.ok, .ok]) == .ok)
    }

    @Test(arguments: ExitCode.allCases)
    func everyCodeHasAPlace(code: ExitCode) {
        #expect(ExitCode.worst(of: [code]) == code)
        #expect(ExitCode.worst(of: [.ok, code]) == code)
        #expect(ExitCode.worst(of: [code, .bug, .ok]) == .bug)
    }

    @Test func whatNeedsAPersonIsWorseThanWhatPasses() {
        for code in ExitCode.allCases where ![.ok, .no, .later].contains(code) {
            #expect(ExitCode.worst(of: [.later, code, .no]) == code)
        }
        #expect(ExitCode.worst(of: [.unavailable, .trust, .later]) == .trust)
    }
}
