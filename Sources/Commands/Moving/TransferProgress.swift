import SystemIO

/// Shows how far a transfer has come, and ends it when the user wants that.
struct TransferProgress {
    private let invocation: Invocation
    private let verb: String

    /// The width of the bar in columns.
    private static let barWidth = 24

    /// - Parameter verb: What is done: `exporting`.
    init(_ invocation: Invocation, _ verb: String) {
        self.invocation = invocation
        self.verb = verb
    }

    /// Runs a transfer, which calls `step` with how much is done and how much there is.
    ///
    /// A signal that would end the process makes `step` throw, so that the transfer tidies up; the signal takes its
    /// course afterwards.
    func run<Result>(_ transfer: (_ step: @escaping (Int, Int) throws -> Void) throws -> Result) throws -> Result {
        let display = Display(invocation, verb)
        let signals = EndingSignal.heeded
        return try SignalHold.during(signals) { descriptor in
            Swift.Result {
                defer { display.hide() }
                return try transfer { done, all in
                    guard !SignalHold.hasArrived(descriptor), !invocation.cancellation.isRequested else {
                        throw Interrupted()
                    }
                    display.show(done, of: all)
                }
            }
        }.get()
    }

    /// A signal came; nobody sees this.
    private struct Interrupted: Error {}

    private final class Display {
        private var output: ProgressOutput
        private let verb: String

        init(_ invocation: Invocation, _ verb: String) {
            self.verb = verb
            output = ProgressOutput(invocation)
        }

        func show(_ done: Int, of all: Int) {
            guard output.isUseful else { return }
            output.show(TransferProgress.text(verb, done, of: all), done: done, of: all > 0 ? all : nil)
        }

        func hide() {
            output.hide()
        }
    }

    /// `exporting [####........] 33 %, 1.2 of 3.6 GB`; without the bar where nobody knows how much there is.
    private static func text(_ verb: String, _ done: Int, of all: Int) -> String {
        guard all > 0 else { return verb }
        let share = min(Double(done) / Double(all), 1)
        let filled = Int(share * Double(barWidth))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: barWidth - filled)
        return "\(verb) [\(bar)] \(Int(share * 100)) %, \(ByteCount.text(done)) of \(ByteCount.text(all))"
    }
}

/// A number of bytes as people read it.
enum ByteCount {
    private static let units = ["kB", "MB", "GB", "TB"]

    /// `512 bytes`, `1.2 MB`: units of a thousand.
    static func text(_ count: Int) -> String {
        guard count >= 1000 else { return count == 1 ? "1 byte" : "\(count) bytes" }
        var value = Double(count), unit = -1
        repeat {
            value /= 1000
            unit += 1
        } while value >= 999.95 && unit < units.count - 1
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
