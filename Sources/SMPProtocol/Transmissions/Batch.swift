public import ByteCoding

/// The content of a block: up to 255 transmissions.
public enum Batch {
    /// The most bytes that transmissions with their two-byte lengths take in a block: the block without padding length
    /// (2), count (1) and tag (16).
    public static let capacity = SMP.blockSize - 19
    public static let maximumCount = 255

    /// One block's worth of transmissions, or one transmission that no block can hold.
    public enum Part: Hashable, Sendable {
        /// The content of a block and how many transmissions are in it.
        case block(content: Bytes, count: Int)
        case tooLarge
    }

    /// The content of a block with these transmissions, which must fit.
    public static func content(_ transmissions: some Collection<Bytes>) -> Bytes {
        precondition(transmissions.count <= maximumCount, "a block holds at most 255 transmissions")
        var writer = ByteWriter(capacity: transmissions.reduce(1) { $0 + 2 + $1.count })
        writer.uint8(UInt8(transmissions.count))
        for transmission in transmissions {
            writer.largeBytes(transmission)
        }
        return writer.bytes
    }

    /// Distributes transmissions over blocks, in order. Blocks are filled from the last one backwards, as the reference
    /// implementation does, so that the first of several may be short.
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

    /// The transmissions of a received block. The content must parse completely and hold at least one.
    public static func transmissions(of content: Bytes) throws(DecodeError) -> [Bytes] {
        var reader = ByteReader(content)
        let transmissions = try reader.nonEmptyList { reader throws(DecodeError) in try reader.largeBytes() }
        try reader.finish()
        return transmissions
    }
}
