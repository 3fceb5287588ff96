import Synchronization
import TerminalKit
import Testing

@Suite struct ProgressTests {
    private final class Clock: Sendable {
        private let moment = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { moment.withLock { $0 } }
        func pass(_ milliseconds: Int) { moment.withLock { $0 += .milliseconds(milliseconds) } }
    }

    private static func text(_ output: Output) -> String {
        String(decoding: output.collected, as: UTF8.self)
    }

    @Test func itAppearsLateIsDrawnSeldomAndLeavesNothing() {
        let output = Output(collecting: StreamTraits(isTerminal: true, width: 20, usesColor: false))
        let clock = Clock()
        do {
            var progress = ProgressLine(on: output, width: { 20 }, now: { clock.now })
            progress.show("step 1")
            clock.pass(299)
            progress.show("step 2")
            #expect(output.collected.isEmpty)
            clock.pass(1)
            progress.show("step 3")
            #expect(Self.text(output) == "\rstep 3")
            clock.pass(99)
            progress.show("step 4")
            clock.pass(1)
            progress.show("end")
            #expect(Self.text(output) == "\rstep 3\rend   ")
            _ = consume progress
        }
        #expect(Self.text(output) == "\rstep 3\rend   \r   \r")
    }

    @Test func itNeverReachesTheEdge() {
        let output = Output(collecting: StreamTraits(isTerminal: true, width: 20, usesColor: false))
        let clock = Clock()
        let width = Mutex(10)
        var progress = ProgressLine(on: output, width: { width.withLock { $0 } }, now: { clock.now })
        clock.pass(300)
        progress.show("漢字漢字漢字")
        #expect(Self.text(output) == "\r漢字漢字…")
        width.withLock { $0 = 6 }
        clock.pass(100)
        progress.show("\u{1b}[2Jx")
        #expect(Self.text(output) == "\r漢字漢字…\r\\x1b…    ")
        progress.hide()
        #expect(Self.text(output).hasSuffix("\r     \r"))
        progress.hide()
        #expect(Self.text(output).hasSuffix("    \r     \r"))
    }

    @Test func thereIsNoneInAPipe() {
        let output = Output()
        let clock = Clock()
        var progress = ProgressLine(on: output, width: { 80 }, now: { clock.now })
        clock.pass(1000)
        progress.show("step")
        progress.hide()
        #expect(output.collected.isEmpty)
    }
}
