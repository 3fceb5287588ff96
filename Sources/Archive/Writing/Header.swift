import ByteCoding

/// The data of an entry before its content, and the records made of it.
struct Header {
    let name: EntryName
    let method: EntryMethod
    /// True if the sizes are written in 64 bits.
    let isLarge: Bool
    /// The time in the form of ``Timestamp/archiveTime``.
    let modified: UInt32
    /// The offset of the entry.
    let offset: Int

    /// The data of an entry after its content.
    struct End {
        let checksum: UInt32
        let compressed: Int
        let size: Int
    }

    private static let flags: EntryFlags = [.descriptor, .utf8]
    /// A regular file, readable and writable by its owner only.
    private static let attributes: UInt32 = 0o100600 << 16

    private func version(_ isLarge: Bool) -> UInt16 { isLarge ? FormatVersion.large : FormatVersion.deflate }

    /// The local header (APPNOTE 4.3.7). Unknown values are 0. The field with 64-bit numbers shows readers the size of
    /// the numbers in the descriptor.
    var local: Bytes {
        var writer = ByteWriter(capacity: RecordSize.localHeader + name.bytes.count + 20)
        writer.littleEndian(Signature.localHeader)
        writer.littleEndian(version(isLarge))
        writer.littleEndian(Header.flags.rawValue)
        writer.littleEndian(method.rawValue)
        writer.littleEndian(modified)
        writer.littleEndian(0 as UInt32)
        writer.saturated(0, if: isLarge)
        writer.saturated(0, if: isLarge)
        writer.littleEndian(UInt16(name.bytes.count))
        let extra = isLarge ? ExtraFields.encoded([0, 0]) : []
        writer.littleEndian(UInt16(extra.count))
        writer.raw(name.bytes)
        writer.raw(extra)
        return writer.bytes
    }

    /// Returns the descriptor behind the content (APPNOTE 4.3.9).
    func descriptor(_ end: End) -> Bytes {
        var writer = ByteWriter(capacity: 24)
        writer.littleEndian(Signature.descriptor)
        writer.littleEndian(end.checksum)
        for number in [end.compressed, end.size] {
            if isLarge { writer.littleEndian(UInt64(number)) } else { writer.littleEndian(UInt32(number)) }
        }
        return writer.bytes
    }

    /// Returns the record in the directory (APPNOTE 4.3.12).
    ///
    /// - Parameter isFar: True if the offset of the entry needs 64 bits.
    func directoryRecord(_ end: End, isFar: Bool) -> Bytes {
        var writer = ByteWriter(capacity: RecordSize.directoryRecord + name.bytes.count + 28)
        writer.littleEndian(Signature.directoryRecord)
        writer.littleEndian(FormatVersion.madeBy)
        writer.littleEndian(version(isLarge || isFar))
        writer.littleEndian(Header.flags.rawValue)
        writer.littleEndian(method.rawValue)
        writer.littleEndian(modified)
        writer.littleEndian(end.checksum)
        writer.saturated(end.compressed, if: isLarge)
        writer.saturated(end.size, if: isLarge)
        writer.littleEndian(UInt16(name.bytes.count))
        let numbers = (isLarge ? [end.size, end.compressed] : []) + (isFar ? [offset] : [])
        let extra = numbers.isEmpty ? [] : ExtraFields.encoded(numbers)
        writer.littleEndian(UInt16(extra.count))
        // No comment, the first disk, no internal attributes.
        for _ in 0..<3 { writer.littleEndian(0 as UInt16) }
        writer.littleEndian(Header.attributes)
        writer.saturated(offset, if: isFar)
        writer.raw(name.bytes)
        writer.raw(extra)
        return writer.bytes
    }
}

extension ExtraFields {
    /// Encodes the field with 64-bit numbers.
    static func encoded(_ numbers: [Int]) -> Bytes {
        var writer = ByteWriter(capacity: 4 + 8 * numbers.count)
        writer.littleEndian(largeNumbers)
        writer.littleEndian(UInt16(8 * numbers.count))
        for number in numbers { writer.littleEndian(UInt64(number)) }
        return writer.bytes
    }
}

extension EndRecord {
    /// Returns the end of an archive, with 64-bit records before it if needed.
    static func encoded(count: Int, directory: Range<Int>, largest: Int) -> Bytes {
        let isLarge = count >= min(largest, Int(UInt16.max)) || directory.upperBound >= largest
        var writer = ByteWriter(capacity: 98)
        if isLarge {
            writer.littleEndian(Signature.largeEnd)
            writer.littleEndian(UInt64(RecordSize.largeEnd - 12))
            writer.littleEndian(FormatVersion.madeBy)
            writer.littleEndian(FormatVersion.large)
            writer.littleEndian(0 as UInt64)
            for number in [count, count, directory.count, directory.lowerBound] {
                writer.littleEndian(UInt64(number))
            }
            writer.littleEndian(Signature.largeEndLocator)
            writer.littleEndian(0 as UInt32)
            writer.littleEndian(UInt64(directory.upperBound))
            writer.littleEndian(1 as UInt32)
        }
        writer.littleEndian(Signature.end)
        writer.littleEndian(0 as UInt32)
        for _ in 0..<2 { writer.littleEndian(isLarge ? UInt16.max : UInt16(count)) }
        writer.saturated(directory.count, if: isLarge)
        writer.saturated(directory.lowerBound, if: isLarge)
        writer.littleEndian(0 as UInt16)
        return writer.bytes
    }
}

extension Timestamp {
    /// The time in the form of archives (APPNOTE 4.4.6): a date above a time, in steps of two seconds. There is no
    /// zone; this is UTC. A time outside the years 1980 to 2107 becomes the nearest one.
    var archiveTime: UInt32 {
        let day = CivilDate(daysSince1970: seconds.quotientAndRemainder(dividingBy: 86_400).quotient)
        guard day.year >= 1980 else { return 1 << 21 | 1 << 16 }
        guard day.year <= 2107 else { return 127 << 25 | 12 << 21 | 31 << 16 | 23 << 11 | 59 << 5 | 29 }
        let inDay = seconds % 86_400
        let date = UInt32(day.year - 1980) << 9 | UInt32(day.month) << 5 | UInt32(day.day)
        return date << 16 | UInt32(inDay / 3600) << 11 | UInt32(inDay / 60 % 60) << 5 | UInt32(inDay % 60 / 2)
    }
}
