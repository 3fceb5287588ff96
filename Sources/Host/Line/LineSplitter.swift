public import ByteCoding

/// Makes lines of a stream of bytes.
public struct LineSplitter: Sendable {
    /// The longest line in bytes: more than any message, and little enough to keep for everybody.
    public static let limit = 4 << 20

    private var rest: Bytes = []
    /// Whether the line that has begun is too long already.
    private var isTooLong = false

    public init() {}

    /// The lines that end in `bytes`, without their ends. Nil stands for one that was longer than the limit, of which nothing is
    /// kept. Empty ones are left out.
    public mutating func lines(_ bytes: Bytes) -> [Bytes?] {
        var lines: [Bytes?] = []
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            take(bytes[start..<end])
            lines += last()
            start = end + 1
        }
        take(bytes[start...])
        return lines
    }

    /// What came behind the last end of a line: none or one, as ``lines(_:)`` gives it.
    public mutating func last() -> [Bytes?] {
        defer { (rest, isTooLong) = ([], false) }
        return isTooLong ? [nil] : rest.isEmpty ? [] : [rest]
    }

    private mutating func take(_ bytes: Bytes.SubSequence) {
        guard !isTooLong else { return }
        rest += bytes
        guard rest.count > LineSplitter.limit else { return }
        (rest, isTooLong) = ([], true)
    }
}
