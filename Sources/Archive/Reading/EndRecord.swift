import ByteCoding

/// The end record of an archive with the location of its directory.
struct EndRecord {
    let entries: Int
    /// The offsets of the directory.
    let directory: Range<Int>

    /// Reads the last bytes of an archive (APPNOTE 4.3.14 to 4.3.16).
    ///
    /// The record must end with the archive, without a comment, so that every search strategy finds the same record.
    init(_ source: some ArchiveSource, _ limits: ArchiveLimits) throws(ZipError) {
        let start = source.size - RecordSize.end
        guard start >= 0 else { throw .notAnArchive }
        var reader = LittleEndianReader(try source.exactly(RecordSize.end, at: start, "end"), "end")
        guard try reader.uint32() == Signature.end else { throw .notAnArchive }
        let disk = try reader.uint16(), directoryDisk = try reader.uint16()
        let onDisk = try reader.uint16(), all = try reader.uint16()
        let size = try reader.uint32(), offset = try reader.uint32()
        guard try reader.uint16() == 0 else { throw .unsupported("comment") }
        let short = Numbers(all: Int(all), size: Int(size), offset: Int(offset))
        let numbers: Numbers, end: Int
        if let large = try EndRecord.large(source, before: start) {
            (numbers, end) = (large, start - RecordSize.largeEndLocator - RecordSize.largeEnd)
            guard short.all == large.all || all == UInt16.max, short.size == large.size || size == UInt32.max,
                short.offset == large.offset || offset == UInt32.max
            else { throw .malformed("end") }
            guard disk == 0 || disk == UInt16.max, directoryDisk == 0 || directoryDisk == UInt16.max,
                onDisk == all
            else { throw .unsupported("several disks") }
        } else {
            (numbers, end) = (short, start)
            guard disk == 0, directoryDisk == 0, onDisk == all else { throw .unsupported("several disks") }
        }
        guard numbers.all <= limits.entries else { throw .tooLarge("entries") }
        guard numbers.size <= limits.directory else { throw .tooLarge("list") }
        // The directory must end right before its end record.
        guard numbers.offset <= end, numbers.size == end - numbers.offset else { throw .malformed("list") }
        entries = numbers.all
        directory = numbers.offset..<end
    }

    private struct Numbers {
        let all: Int
        let size: Int
        let offset: Int
    }

    /// Returns the record with 64-bit numbers, if the archive has one.
    private static func large(_ source: some ArchiveSource, before end: Int) throws(ZipError) -> Numbers? {
        let locator = end - RecordSize.largeEndLocator, start = locator - RecordSize.largeEnd
        guard start >= 0 else { return nil }
        let size = RecordSize.largeEnd + RecordSize.largeEndLocator
        var reader = LittleEndianReader(try source.exactly(size, at: start, "64-bit end"), "64-bit end")
        let record = try reader.take(RecordSize.largeEnd)
        guard try reader.uint32() == Signature.largeEndLocator else { return nil }
        guard try reader.uint32() == 0, try reader.uint64() == UInt64(start), try reader.uint32() == 1 else {
            throw .malformed("64-bit end")
        }
        reader = LittleEndianReader(record, "64-bit end")
        try reader.expect(Signature.largeEnd)
        // The size of the rest of the record, which must have no unknown fields.
        guard try reader.uint64() == UInt64(RecordSize.largeEnd - 12) else { throw .unsupported("64-bit end") }
        _ = try reader.uint16()
        guard FormatVersion.isSupported(try reader.uint16()) else { throw .unsupported("version") }
        guard try reader.uint32() == 0, try reader.uint32() == 0 else { throw .unsupported("several disks") }
        let onDisk = try reader.uint64(), all = try reader.uint64()
        guard onDisk == all else { throw .unsupported("several disks") }
        let length = try reader.uint64(), offset = try reader.uint64()
        guard let all = Int(exactly: all), let length = Int(exactly: length), let offset = Int(exactly: offset) else {
            throw .malformed("64-bit end")
        }
        return Numbers(all: all, size: length, offset: offset)
    }
}
