/// A line on a terminal that shows the progress of a long step and is erased at the end.
///
/// It appears only on a terminal, only after a short delay, and is redrawn at most ten times a second. It needs only
/// carriage returns and spaces, so it works on a dumb terminal. Hide it before other output to the same screen.
public struct ProgressLine: ~Copyable {
    private let output: Output
    private let width: () -> Int
    private let now: () -> ContinuousClock.Instant
    private var nextDrawing: ContinuousClock.Instant
    /// The number of columns drawn.
    private var drawn = 0

    private static let delay = Duration.milliseconds(300)
    private static let interval = Duration.milliseconds(100)

    /// Creates a line. `width` is called for each drawing, because a window may be resized.
    public init(
        on output: Output, width: @escaping () -> Int,
        now: @escaping () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.output = output
        self.width = width
        self.now = now
        nextDrawing = now() + ProgressLine.delay
    }

    deinit {
        ProgressLine.erase(drawn, on: output)
    }

    /// Shows `text` instead of the former text, if the interval has passed.
    public mutating func show(_ text: StyledText) {
        let moment = now()
        guard output.traits.isTerminal, moment >= nextDrawing else { return }
        nextDrawing = moment + ProgressLine.interval
        // A full line would wrap on some terminals.
        let line = text.truncated(toWidth: max(width() - 1, 1))
        let rest = StyledText(String(repeating: " ", count: max(drawn - line.width, 0)))
        ProgressLine.write("\r" + (line + rest).rendered(inColor: output.traits.usesColor), on: output)
        drawn = line.width
    }

    /// Erases the line; the next ``show(_:)`` draws it again.
    public mutating func hide() {
        ProgressLine.erase(drawn, on: output)
        drawn = 0
    }

    private static func erase(_ columns: Int, on output: Output) {
        guard columns > 0 else { return }
        write("\r" + String(repeating: " ", count: columns) + "\r", on: output)
    }

    /// Writes without errors: if progress cannot be shown, the step continues.
    private static func write(_ text: String, on output: Output) {
        try? output.write(verbatim: text)
        try? output.flush()
    }
}
