public import ByteCoding

/// The content of a block: up to 255 transmissions (smp-agent.md 4.1).
public enum Batch {
    /// The capacity of a block for transmissions with their two-byte lengths, in bytes: the block without padding
    /// length (2), count (1) and tag (16).
    public static let capacity = SMP.blockSize - 19
    /// The largest number of transmissions in a block.
    public static let maximumCount = 255

    /// The transmissions of one block, or one transmission that exceeds a block.
    public enum Part: Hashable, Sendable {
        /// The content of a block and the number of its transmissions.
        case block(content: Bytes, count: Int)
        /// A transmission that exceeds a block.
        case tooLarge
    }

    /// Returns the content of a block with these transmissions. They must fit.
    public static func content(_ transmissions: some Collection<Bytes>) -> Bytes {
        precondition(transmissions.count <= maximumCount, "a block holds at most 255 transmissions")
        var writer = ByteWriter(capacity: transmissions.reduce(1) { $0 + 2 + $1.count })
        writer.uint8(UInt8(transmissions.count))
        for transmission in transmissions {
            writer.largeBytes(transmission)
        }
        return writer.bytes
    }

    /// Distributes transmissions over blocks, in order. Blocks are filled from the last one backwards, as in the
    /// reference implementation, so the first of several blocks may be short.
    public static func parts(_ transmissions: [Bytes]) -> [Part] {
        var parts: [Part] = []
        var pending = 0..<0
        var size = 0
        for (index, transmission) in transmissions.enumerated().reversed() {
            let added = 2 + transmission.count
            let isTooLarge = added > capacity
            if isTooLarge || size + added > capacity || pending.count == maximumCount {
                appendBlock(transmissions[pending], to: &parts)
                pending = index..<index
                size = 0
            }
            if isTooLarge {
                parts.append(.tooLarge)
            } else {
                pending = index..<(pending.isEmpty ? index + 1 : pending.upperBound)
                size += added
            }
        }
        appendBlock(transmissions[pending], to: &parts)
        return parts.reversed()
    }

    private static func appendBlock(_ transmissions: ArraySlice<Bytes>, to parts: inout [Part]) {
        guard !transmissions.isEmpty else { return }
        parts.append(.block(content: content(transmissions), count: transmissions.count))
    }

    /// Returns the transmissions of a received block.
    ///
    /// - Throws: ``DecodeError`` if the content is malformed or empty.
    public static func transmissions(of content: Bytes) throws(DecodeError) -> [Bytes] {
        var reader = ByteReader(content)
        let transmissions = try reader.nonEmptyList { reader throws(DecodeError) in try reader.largeBytes() }
        try reader.finish()
        return transmissions
    }
}
