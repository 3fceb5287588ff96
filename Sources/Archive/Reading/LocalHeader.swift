import ByteCoding

/// The local header before a content, which repeats the directory record (APPNOTE 4.3.7).
enum LocalHeader {
    /// Checks that the local header agrees with the directory, and records the offset of the content.
    ///
    /// - Parameter end: The offset of the directory.
    /// - Returns: The end of the entry, including its descriptor.
    static func locate(
        _ entry: inout ArchiveEntry, in source: some ArchiveSource, until end: Int
    ) throws(ZipError) -> Int {
        let fixed = try source.exactly(RecordSize.localHeader, at: entry.offset, "header")
        var reader = LittleEndianReader(fixed, "header")
        try reader.expect(Signature.localHeader)
        guard FormatVersion.isSupported(try reader.uint16()) else { throw .unsupported("version") }
        guard try reader.uint16() == entry.flags.rawValue, try reader.uint16() == entry.method.rawValue,
            try reader.uint32() == entry.modified
        else { throw .malformed("header") }
        let checksum = try reader.uint32(), compressed = try reader.uint32(), size = try reader.uint32()
        let nameSize = Int(try reader.uint16()), extraSize = Int(try reader.uint16())
        let rest = try source.exactly(nameSize + extraSize, at: entry.offset + RecordSize.localHeader, "header")
        let name = Bytes(rest.prefix(nameSize))
        guard name == entry.name.bytes + (entry.isFolder ? [UInt8(ascii: "/")] : []) else {
            throw .malformed("header")
        }
        let large = try ExtraFields(Bytes(rest.dropFirst(nameSize))).large
        let said = try Sizes(checksum: checksum, compressed: compressed, size: size, large: large)
        let real = Sizes(entry)
        entry.contentOffset = entry.offset + RecordSize.localHeader + nameSize + extraSize
        guard entry.compressedSize <= end - entry.contentOffset else { throw .malformed("places") }
        guard entry.flags.contains(.descriptor) else {
            guard said == real else { throw .malformed("header") }
            return entry.contentEnd
        }
        // The data of the descriptor may already be in the header, or left open.
        guard said == real || said == .open else { throw .malformed("header") }
        return entry.contentEnd + (try descriptorSize(of: real, in: source, at: entry.contentEnd, until: end))
    }

    /// The checksum and the sizes in a header.
    private struct Sizes: Equatable {
        let checksum: UInt32
        let compressed: Int
        let size: Int

        static let open = Sizes(checksum: 0, compressed: 0, size: 0)

        init(checksum: UInt32, compressed: Int, size: Int) {
            self.checksum = checksum
            self.compressed = compressed
            self.size = size
        }

        init(_ entry: ArchiveEntry) {
            self.init(checksum: entry.checksum, compressed: entry.compressedSize, size: entry.size)
        }

        /// Reads the sizes. If there is a field with 64-bit numbers, both sizes are in it (APPNOTE 4.5.3).
        init(checksum: UInt32, compressed: UInt32, size: UInt32, large: Bytes?) throws(ZipError) {
            guard let large else {
                self.init(checksum: checksum, compressed: Int(compressed), size: Int(size))
                return
            }
            var reader = LittleEndianReader(large, "64-bit numbers")
            let largeSize = try reader.uint64(), largeCompressed = try reader.uint64()
            try reader.finish()
            guard let realSize = Int(exactly: largeSize), let realCompressed = Int(exactly: largeCompressed),
                size == UInt32.max || Int(size) == realSize,
                compressed == UInt32.max || Int(compressed) == realCompressed
            else { throw .malformed("64-bit numbers") }
            self.init(checksum: checksum, compressed: realCompressed, size: realSize)
        }

        /// The four forms of the descriptor (APPNOTE 4.3.9): with or without a signature, with 32-bit or 64-bit
        /// numbers.
        var descriptors: [Bytes] {
            [true, false].flatMap { hasSignature in
                [false, true].map { isLarge in
                    var writer = ByteWriter(capacity: 24)
                    if hasSignature { writer.littleEndian(Signature.descriptor) }
                    writer.littleEndian(checksum)
                    for number in [compressed, size] {
                        if isLarge {
                            writer.littleEndian(UInt64(number))
                        } else {
                            writer.littleEndian(UInt32(truncatingIfNeeded: number))
                        }
                    }
                    return writer.bytes
                }
            }
        }
    }

    /// Returns the size of the descriptor. In every form, the next entry must begin right behind it.
    private static func descriptorSize(
        of sizes: Sizes, in source: some ArchiveSource, at offset: Int, until end: Int
    ) throws(ZipError) -> Int {
        let found = try source.bytes(at: offset, count: min(24 + 4, end - offset))
        for form in sizes.descriptors where found.starts(with: form) {
            // 32-bit numbers are a prefix of 64-bit ones: the following bytes decide.
            let following = found.dropFirst(form.count).prefix(4)
            if following.elementsEqual(nextEntry) || offset + form.count == end { return form.count }
        }
        throw .malformed("descriptor")
    }

    /// The start of the entry after a descriptor.
    private static let nextEntry: Bytes = {
        var writer = ByteWriter(capacity: 4)
        writer.littleEndian(Signature.localHeader)
        return writer.bytes
    }()
}
