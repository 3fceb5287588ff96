/// One line on a terminal that says how far a long step has come, and leaves no trace.
///
/// It appears only on a terminal, only when the step takes longer than a moment, and is redrawn ten times a second at
/// most. Nothing but line ends of a typewriter is used, so it works on a dumb terminal too. Hide it before writing
/// anything else to the same screen.
public struct ProgressLine: ~Copyable {
    private let output: Output
    private let width: () -> Int
    private let now: () -> ContinuousClock.Instant
    private var nextDrawing: ContinuousClock.Instant
    /// How many columns are drawn now.
    private var drawn = 0

    private static let patience = Duration.milliseconds(300)
    private static let interval = Duration.milliseconds(100)

    /// `width` is asked each time, since a window may change while the step runs.
    public init(
        on output: Output, width: @escaping () -> Int,
        now: @escaping () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.output = output
        self.width = width
        self.now = now
        nextDrawing = now() + ProgressLine.patience
    }

    deinit {
        ProgressLine.erase(drawn, on: output)
    }

    /// Shows `text` in place of what was shown before, if the time has come.
    public mutating func show(_ text: StyledText) {
        let moment = now()
        guard output.traits.isTerminal, moment >= nextDrawing else { return }
        nextDrawing = moment + ProgressLine.interval
        // A full line would make some terminals go to the next one.
        let line = text.truncated(toWidth: max(width() - 1, 1))
        let rest = StyledText(String(repeating: " ", count: max(drawn - line.width, 0)))
        ProgressLine.write("\r" + (line + rest).rendered(inColor: output.traits.usesColor), on: output)
        drawn = line.width
    }

    /// Takes the line away; the next ``show(_:)`` draws it again.
    public mutating func hide() {
        ProgressLine.erase(drawn, on: output)
        drawn = 0
    }

    private static func erase(_ columns: Int, on output: Output) {
        guard columns > 0 else { return }
        write("\r" + String(repeating: " ", count: columns) + "\r", on: output)
    }

    /// Progress is no result: if it cannot be shown, the step goes on.
    private static func write(_ text: String, on output: Output) {
        try? output.write(verbatim: text)
        try? output.flush()
    }
}
