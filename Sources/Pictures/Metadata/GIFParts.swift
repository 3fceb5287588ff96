import ByteCoding

/// The blocks of a GIF file (GIF89a specification).
enum GIFParts {
    /// Keeps the pictures, their colours and times, and how often they repeat.
    static func withoutMetadata(_ bytes: Bytes) throws(DecodeError) -> Bytes {
        var reader = ByteReader(bytes)
        var kept = try reader.take(13)
        kept += try reader.take(colorTableSize(kept[10]))
        while true {
            let kind = try reader.uint8()
            switch kind {
            case 0x3b: return kept + [kind]
            case 0x2c:
                let description = try reader.take(9)
                kept += [kind] + description
                kept += try reader.take(colorTableSize(description[8]))
                kept.append(try reader.uint8())
                kept += try blocks(&reader)
            case 0x21:
                let label = try reader.uint8(), content = try blocks(&reader)
                let isRepetition =
                    label == 0xff
                    && ["NETSCAPE2.0", "ANIMEXTS1.0"].contains { content.dropFirst().starts(with: Bytes($0.utf8)) }
                if label == 0xf9 || label == 0x01 || isRepetition { kept += [kind, label] + content }
            default: throw .invalid("block")
            }
        }
    }

    private static func colorTableSize(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 0x07) + 1)
    }

    /// Blocks of at most 255 bytes, each behind its size, up to the empty one that ends them.
    private static func blocks(_ reader: inout ByteReader) throws(DecodeError) -> Bytes {
        var all = Bytes()
        while true {
            let size = try reader.uint8()
            all.append(size)
            guard size > 0 else { return all }
            all += try reader.take(Int(size))
        }
    }
}
