public import ByteCoding

/// The text form of a size in descriptions: a number of bytes, or of `kb`, `mb` or `gb` (smp-agent.md 10.6).
public enum FileSizeText {
    private static let units: [(name: String, size: Int64)] = [("gb", 1 << 30), ("mb", 1 << 20), ("kb", 1 << 10)]

    /// Returns the text with the largest unit that divides the size.
    public static func encode(_ size: Int64) -> String {
        for unit in units where size % unit.size == 0 {
            return "\(size / unit.size)\(unit.name)"
        }
        return "\(size)"
    }

    /// Reads a size.
    ///
    /// - Throws: ``DecodeError``, also for sizes above the largest 64-bit number.
    public static func decode(_ text: String) throws(DecodeError) -> Int64 {
        var reader = TextReader(text)
        let number: Int64 = try reader.number()
        guard !reader.isAtEnd else { return number }
        let name = reader.rest()
        guard let unit = units.first(where: { $0.name == name }) else { throw .invalid("size") }
        let (size, overflow) = number.multipliedReportingOverflow(by: unit.size)
        guard !overflow else { throw .invalid("size") }
        return size
    }
}
