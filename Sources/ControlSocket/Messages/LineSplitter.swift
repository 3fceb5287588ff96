public import ByteCoding

/// Makes lines of a stream of bytes.
public struct LineSplitter: Sendable {
    /// The longest line in bytes: more than any message, and little enough to keep for everybody.
    public static let limit = 4 << 20

    /// A line was longer than the limit.
    public struct TooLong: Error {}

    private var rest: Bytes = []

    public init() {}

    /// The lines that end in `bytes`, without their ends. Empty ones are left out.
    public mutating func lines(_ bytes: Bytes) throws(TooLong) -> [Bytes] {
        var lines: [Bytes] = []
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            rest += bytes[start..<end]
            if !rest.isEmpty { lines.append(rest) }
            rest = []
            start = end + 1
        }
        rest += bytes[start...]
        guard rest.count <= LineSplitter.limit else { throw TooLong() }
        return lines
    }
}
