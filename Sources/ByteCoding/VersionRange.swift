/// The versions of a protocol that one side speaks, both ends included.
public struct VersionRange: Hashable, Sendable, ByteCodable, CustomStringConvertible {
    public let min: UInt16
    public let max: UInt16

    /// The range between two versions, which must be in order (a programmer error otherwise).
    public init(_ min: UInt16, _ max: UInt16) {
        precondition(min <= max, "a version range is in order")
        self.min = min
        self.max = max
    }

    /// The range of a single version.
    public init(_ version: UInt16) {
        self.init(version, version)
    }

    private init(checking min: UInt16, _ max: UInt16) throws(DecodeError) {
        guard min <= max else { throw .invalid("version range") }
        self.min = min
        self.max = max
    }

    public func contains(_ version: UInt16) -> Bool {
        (min...max).contains(version)
    }

    /// The largest version of both ranges, or nil if they have none in common.
    public func agreed(with other: VersionRange) -> UInt16? {
        common(with: other)?.max
    }

    /// The versions of both ranges, or nil if there are none.
    public func common(with other: VersionRange) -> VersionRange? {
        let low = Swift.max(min, other.min)
        let high = Swift.min(max, other.max)
        return low <= high ? VersionRange(low, high) : nil
    }

    // MARK: - Encodings

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let min = try reader.uint16()
        try self.init(checking: min, try reader.uint16())
    }

    public func encode(into writer: inout ByteWriter) {
        writer.uint16(min)
        writer.uint16(max)
    }

    /// Reads `6-18`, or one number when both ends are equal.
    public init(from reader: inout TextReader) throws(DecodeError) {
        let min = try reader.number(UInt16.self)
        try self.init(checking: min, reader.skip("-") ? try reader.number(UInt16.self) : min)
    }

    /// Reads a text that is a version range and nothing else.
    public init(text: String) throws(DecodeError) {
        var reader = TextReader(text)
        try self.init(from: &reader)
        try reader.finish()
    }

    public var description: String {
        min == max ? "\(min)" : "\(min)-\(max)"
    }
}
