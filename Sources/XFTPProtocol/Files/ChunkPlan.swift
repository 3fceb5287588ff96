public import ByteCoding
import CryptoCore

/// The sizes of the chunks of a file, in order (smp-agent.md 10.5).
///
/// The sum of the sizes is the size of the encrypted file. It hides the size of the content: files of similar size have
/// the same chunks.
public struct ChunkPlan: Hashable, Sendable {
    /// The sizes in bytes, largest first.
    public let sizes: [UInt32]

    /// The size of the encrypted file in bytes.
    public var encryptedSize: Int64 { sizes.reduce(0) { $0 + Int64($1) } }

    /// Chooses the chunks for a header and content with their length (8 bytes) and tag (16 bytes).
    ///
    /// - Parameter size: The size of all that in bytes.
    /// - Returns: Nil if the size is not positive, or the encrypted file would exceed ``XFTP/hardFileLimit``.
    public init?(payloadSize size: Int64) {
        guard size > 0, size <= XFTP.hardFileLimit else { return nil }
        let (small, big) = ChunkPlan.pair(for: size)
        var sizes = [UInt32](repeating: UInt32(big), count: Int(size / big))
        let rest = size % big
        if rest > ChunkPlan.threeQuarters(of: big) {
            sizes.append(UInt32(big))
        } else if rest > 0 {
            sizes += [UInt32](repeating: UInt32(small), count: Int((rest + small - 1) / small))
        }
        self.sizes = sizes
        guard encryptedSize <= XFTP.hardFileLimit else { return nil }
    }

    /// Chooses the chunks for a file.
    ///
    /// - Parameter contentSize: The size of the content in bytes, without header.
    /// - Returns: Nil if the size is negative, or the encrypted file would exceed ``XFTP/hardFileLimit``.
    public init?(header: EncryptedFileHeader, contentSize: Int64) {
        guard contentSize >= 0, contentSize <= XFTP.hardFileLimit else { return nil }
        self.init(payloadSize: contentSize + Int64(header.encoded.count) + FileEncryptor.overhead)
    }

    /// The sizes that an encrypted file with content of this size may have, whatever its name is; nil if there is none.
    ///
    /// A description of another size does not belong to an offer of this size.
    public static func encryptedSizes(ofContent size: Int64) -> ClosedRange<Int64>? {
        guard size >= 0, size <= XFTP.hardFileLimit else { return nil }
        let smallest = size + Int64(EncryptedFileHeader(name: "").encoded.count) + FileEncryptor.overhead
        let largest = size + Int64(EncryptedFileHeader.maximumSize) + FileEncryptor.overhead
        guard smallest <= XFTP.hardFileLimit else { return nil }
        return smallest...(ChunkPlan(payloadSize: largest)?.encryptedSize ?? XFTP.hardFileLimit)
    }

    /// Chooses one chunk for a small file, such as a description behind a redirect.
    ///
    /// - Returns: Nil if the file exceeds the largest chunk.
    public init?(oneChunkFor header: EncryptedFileHeader, contentSize: Int64) {
        guard contentSize >= 0, contentSize <= XFTP.hardFileLimit,
            let size = ChunkPlan.singleChunk(
                payloadSize: contentSize + Int64(header.encoded.count) + FileEncryptor.overhead)
        else { return nil }
        sizes = [size]
    }

    /// Returns the size of the one chunk that holds `size` bytes with their length and tag, or nil if there is none.
    /// Descriptions of redirects are stored in one chunk.
    public static func singleChunk(payloadSize size: Int64) -> UInt32? {
        XFTP.chunkSizes.first { size <= Int64($0) }
    }

    /// The two sizes of chunks for a file of this size.
    private static func pair(for size: Int64) -> (small: Int64, big: Int64) {
        if size > threeQuarters(of: 4 << 20) { return (1 << 20, 4 << 20) }
        if size > threeQuarters(of: 1 << 20) { return (256 << 10, 1 << 20) }
        return (64 << 10, 256 << 10)
    }

    private static func threeQuarters(of size: Int64) -> Int64 { size * 3 / 4 }
}

/// The digests of the chunks of an encrypted file that arrives in parts.
public struct ChunkDigests: Sendable {
    private var sizes: ArraySlice<UInt32>
    private var current = SHA256Parts()

    /// The digests of the finished chunks, 32 bytes each.
    public private(set) var digests: [Bytes] = []

    /// Begins with the first chunk.
    public init(sizes: [UInt32]) {
        self.sizes = sizes[...]
    }

    /// Appends the next bytes of the file. Bytes behind the last chunk are ignored.
    public mutating func update(_ bytes: Bytes) {
        var rest = bytes[...]
        while !rest.isEmpty, let size = sizes.first {
            let part = rest.prefix(Int(size) - current.count)
            current.update(Bytes(part))
            rest = rest.dropFirst(part.count)
            guard current.count == Int(size) else { continue }
            digests.append(current.stream.hash)
            current = SHA256Parts()
            sizes = sizes.dropFirst()
        }
    }
}

/// A hash with the number of its bytes.
private struct SHA256Parts: Sendable {
    var stream = SHA256.Stream()
    var count = 0

    mutating func update(_ bytes: Bytes) {
        stream.update(bytes)
        count += bytes.count
    }
}
