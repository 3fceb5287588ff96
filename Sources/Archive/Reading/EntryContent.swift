public import ByteCoding

/// The content of an entry, in portions of at most 256 KiB.
///
/// A content that exceeds its size, or has another checksum, ends in ``ZipError/damaged``. Only the call that returns
/// nil confirms the whole content.
public struct EntryContent: ~Copyable {
    private let entry: ArchiveEntry
    private let source: any ArchiveSource
    private var inflater: Inflater?
    private var input: Bytes = []
    /// The number of used bytes in `input`.
    private var used = 0
    /// The offset of the remaining compressed content.
    private var position: Int
    private var given = 0
    private var checksum = Checksum()

    init(_ entry: ArchiveEntry, _ source: any ArchiveSource) {
        self.entry = entry
        self.source = source
        position = entry.contentOffset
        // The official apps say of an empty file that it is compressed, and write nothing.
        inflater = entry.method == .deflated && entry.compressedSize > 0 ? Inflater() : nil
    }

    /// Returns the next portion, or nil after the last one.
    ///
    /// - Throws: ``ZipError``.
    public mutating func next() throws(ZipError) -> Bytes? {
        let portion = try inflater == nil ? copy() : inflate()
        guard let portion else {
            guard given == entry.size, checksum.value == entry.checksum else { throw .damaged }
            return nil
        }
        given += portion.count
        guard given <= entry.size else { throw .damaged }
        checksum.add(portion)
        return portion
    }

    /// Reads the whole content, for verification or a small content.
    ///
    /// - Parameter body: Called with each portion.
    public mutating func forEachPortion<Failure>(_ body: (Bytes) throws(Failure) -> Void) throws {
        while let portion = try next() { try body(portion) }
    }

    private mutating func copy() throws(ZipError) -> Bytes? {
        let portion = try read()
        return portion.isEmpty ? nil : portion
    }

    private mutating func inflate() throws(ZipError) -> Bytes? {
        while true {
            if used == input.count, inflater?.isFinished == false {
                input = try read()
                used = 0
            }
            guard let (output, count) = try inflater?.next(input, from: used) else { return nil }
            used += count
            if !output.isEmpty { return output }
            if inflater?.isFinished == true {
                // The stream must fill the content.
                guard used == input.count, position == entry.contentEnd else { throw .damaged }
                return nil
            }
            // There is neither output nor input: the stream is incomplete.
            guard count > 0 || position < entry.contentEnd else { throw .damaged }
        }
    }

    /// Returns the next compressed bytes; empty at the end.
    private mutating func read() throws(ZipError) -> Bytes {
        let count = min(CompressionStream.portion, entry.contentEnd - position)
        let bytes = try source.exactly(count, at: position, "content")
        position += count
        return bytes
    }
}
