import ByteCoding
import Host
import JSONCoding
import Synchronization

/// What a command that another program asked for has printed: reports, an object a line, and perhaps text.
final class PrintedReports: Sendable {
    private struct State {
        var splitter = LineSplitter()
        var bytes: Bytes = []
        var isTooMuch = false
    }

    /// All of it.
    struct Whole {
        var reports: [JSONValue] = []
        /// What is no report; nil if there is no such thing.
        var text: String?
        /// False if it cannot be said in JSON, or is too much for an answer.
        var isText = true
    }

    /// The most that is kept, in bytes.
    private static let limit = 64 << 20

    private let state = Mutex(State())

    /// Keeps what was printed.
    func take(_ bytes: Bytes) {
        state.withLock { state in
            guard state.bytes.count + bytes.count <= PrintedReports.limit else {
                (state.bytes, state.isTooMuch) = ([], true)
                return
            }
            if !state.isTooMuch { state.bytes += bytes }
        }
    }

    /// The reports that end in these bytes, which are not kept.
    func reports(endingIn bytes: Bytes) -> [JSONValue] {
        state.withLock { $0.splitter.lines(bytes) }.compactMap { line in
            line.flatMap { try? JSONValue(decoding: $0) }
        }
    }

    var all: Whole {
        let (bytes, isTooMuch) = state.withLock { ($0.bytes, $0.isTooMuch) }
        var whole = Whole(), others: [Bytes.SubSequence] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            if let report = try? JSONValue(decoding: Bytes(line)), report.object != nil {
                whole.reports.append(report)
            } else {
                others.append(line)
            }
        }
        guard !isTooMuch, !others.isEmpty else {
            whole.isText = !isTooMuch
            return whole
        }
        // Text that stands alone keeps its empty lines.
        let rest = whole.reports.isEmpty ? bytes : Bytes(others.joined(separator: [UInt8(ascii: "\n")]))
        whole.text = String(validating: rest, as: UTF8.self)
        whole.isText = whole.text != nil
        return whole
    }
}
