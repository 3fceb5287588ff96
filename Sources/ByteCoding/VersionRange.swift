/// The protocol versions of one side, both ends included (smp-agent.md 1.3).
public struct VersionRange: Hashable, Sendable, ByteCodable, CustomStringConvertible {
    /// The smallest version.
    public let min: UInt16
    /// The largest version.
    public let max: UInt16

    /// Creates the range between two versions. A wrong order is a programmer error.
    public init(_ min: UInt16, _ max: UInt16) {
        precondition(min <= max, "a version range is in order")
        self.min = min
        self.max = max
    }

    /// Creates the range of a single version.
    public init(_ version: UInt16) {
        self.init(version, version)
    }

    private init(checking min: UInt16, _ max: UInt16) throws(DecodeError) {
        guard min <= max else { throw .invalid("version range") }
        self.min = min
        self.max = max
    }

    /// Returns true if the version is in the range.
    public func contains(_ version: UInt16) -> Bool {
        (min...max).contains(version)
    }

    /// Returns the largest common version, or nil.
    public func agreed(with other: VersionRange) -> UInt16? {
        common(with: other)?.max
    }

    /// Returns the common versions, or nil.
    public func common(with other: VersionRange) -> VersionRange? {
        let low = Swift.max(min, other.min)
        let high = Swift.min(max, other.max)
        return low <= high ? VersionRange(low, high) : nil
    }

    // MARK: - Encodings

    /// Reads two 16-bit numbers.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` for a wrong order.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        let min = try reader.uint16()
        try self.init(checking: min, try reader.uint16())
    }

    /// Writes two 16-bit numbers.
    public func encode(into writer: inout ByteWriter) {
        writer.uint16(min)
        writer.uint16(max)
    }

    /// Reads `6-18`, or one number for equal ends.
    ///
    /// - Throws: ``DecodeError``.
    public init(from reader: inout TextReader) throws(DecodeError) {
        let min = try reader.number(UInt16.self)
        try self.init(checking: min, reader.skip("-") ? try reader.number(UInt16.self) : min)
    }

    /// Reads a text that consists of a version range.
    ///
    /// - Throws: ``DecodeError``.
    public init(text: String) throws(DecodeError) {
        var reader = TextReader(text)
        try self.init(from: &reader)
        try reader.finish()
    }

    /// The range as `6-18`, or one number for equal ends.
    public var description: String {
        min == max ? "\(min)" : "\(min)-\(max)"
    }
}
