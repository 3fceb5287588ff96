import ByteCoding

/// The segments of a JPEG file (ITU-T T.81 annex B).
enum JPEGParts {
    /// Keeps what decodes the picture, its colour profile and its orientation.
    static func withoutMetadata(_ bytes: Bytes) throws(DecodeError) -> (Bytes, Orientation?) {
        var reader = ByteReader(bytes)
        var segments = Bytes()
        var orientation: Orientation?
        _ = try reader.take(2)
        while true {
            guard try reader.uint8() == 0xff else { throw .invalid("marker") }
            var marker = try reader.uint8()
            while marker == 0xff { marker = try reader.uint8() }
            switch marker {
            case 0xd9:
                // What stands behind the end is another picture, or a film.
                let exif = orientation.map { $0 == .upright ? [] : segment(0xe1, exifName + $0.exif) } ?? []
                return ([0xff, 0xd8] + exif + segments + [0xff, 0xd9], orientation)
            case 0x01, 0xd0...0xd8: segments += [0xff, marker]
            default:
                let size = Int(try reader.uint16())
                guard size >= 2 else { throw .invalid("segment") }
                let content = try reader.take(size - 2)
                if marker == 0xe1, content.starts(with: exifName) {
                    orientation = orientation ?? Orientation(exif: Bytes(content.dropFirst(exifName.count)))
                }
                if let kept = kept(marker, content) { segments += segment(marker, kept) }
                if marker == 0xda { segments += try scan(&reader) }
            }
        }
    }

    /// The process, the size and the scans of a file that ``withoutMetadata(_:)`` has written.
    static func layout(_ bytes: Bytes) throws(DecodeError) -> JPEGLayout {
        var reader = ByteReader(bytes)
        var frame: (marker: UInt8, content: Bytes)?
        var scans: [Bytes] = []
        _ = try reader.take(2)
        while true {
            guard try reader.uint8() == 0xff else { throw .invalid("marker") }
            let marker = try reader.uint8()
            switch marker {
            case 0xd9:
                guard let frame else { throw .invalid("frame") }
                return try JPEGLayout(frame.marker, frame.content, scans: scans)
            case 0x01, 0xd0...0xd8: break
            default:
                let size = Int(try reader.uint16())
                guard size >= 2 else { throw .invalid("segment") }
                let content = try reader.take(size - 2)
                if marker == 0xda {
                    scans.append(content)
                    _ = try scan(&reader)
                } else if 0xc0...0xcf ~= marker, ![0xc4, 0xc8, 0xcc].contains(marker) {
                    guard frame == nil else { throw .invalid("frame") }
                    frame = (marker, content)
                }
            }
        }
    }

    private static let exifName = Bytes("Exif\0\0".utf8)
    private static let jfifName = Bytes("JFIF\0".utf8)

    private static func segment(_ marker: UInt8, _ content: Bytes) -> Bytes {
        var writer = ByteWriter()
        writer.raw([0xff, marker])
        writer.uint16(UInt16(truncatingIfNeeded: content.count + 2))
        writer.raw(content)
        return writer.bytes
    }

    /// What is kept of a segment; nil for metadata.
    private static func kept(_ marker: UInt8, _ content: Bytes) -> Bytes? {
        switch marker {
        case 0xc0...0xcf, 0xda...0xdf: return content
        case 0xe0 where content.starts(with: jfifName) && content.count >= 14:
            // Without the small picture that it may hold.
            return content.prefix(12) + [0, 0]
        case 0xe2 where content.starts(with: Bytes("ICC_PROFILE\0".utf8)): return content
        case 0xee where content.starts(with: Bytes("Adobe".utf8)): return content
        default: return nil
        }
    }

    /// The compressed rows up to the next marker, which stays unread. Within them 0xff stands before 0 or a restart.
    private static func scan(_ reader: inout ByteReader) throws(DecodeError) -> Bytes {
        var rows = Bytes()
        while true {
            let ahead = reader
            let byte = try reader.uint8()
            guard byte == 0xff else {
                rows.append(byte)
                continue
            }
            let next = try reader.uint8()
            switch next {
            case 0x00, 0xd0...0xd7: rows += [byte, next]
            default:
                reader = ahead
                return rows
            }
        }
    }
}
