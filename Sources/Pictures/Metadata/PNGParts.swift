import ByteCoding
import CZlib

/// The chunks of a PNG file (ISO 15948 5.3).
enum PNGParts {
    /// The chunks that may be left out and that say how a picture or an animation looks.
    private static let looks: Set<String> = [
        "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "cICP", "mDCV", "cLLI", "bKGD", "pHYs", "hIST", "sPLT", "acTL",
        "fcTL", "fdAT",
    ]

    /// Keeps what decodes the picture, its colours and its orientation.
    static func withoutMetadata(_ bytes: Bytes) throws(DecodeError) -> (Bytes, Orientation?) {
        var reader = ByteReader(bytes)
        var kept = try reader.take(8), body = Bytes()
        var orientation: Orientation?
        while true {
            let size = Int(try reader.uint32())
            let name = try reader.take(4), content = try reader.take(size), check = try reader.take(4)
            let word = String(decoding: name, as: UTF8.self)
            if word == "eXIf" { orientation = Orientation(exif: content) }
            // A small first letter marks a chunk that can be left out.
            let isNeeded = name.first.map { $0 & 0x20 == 0 } ?? false
            guard isNeeded || looks.contains(word) else { continue }
            var writer = ByteWriter()
            writer.uint32(UInt32(truncatingIfNeeded: size))
            writer.raw(name + content + check)
            if word == "IHDR" { kept += writer.bytes } else { body += writer.bytes }
            guard word == "IEND" else { continue }
            if let orientation, orientation != .upright { kept += chunk("eXIf", orientation.exif) }
            return (kept + body, orientation)
        }
    }

    private static func chunk(_ name: String, _ content: Bytes) -> Bytes {
        let checked = Bytes(name.utf8) + content
        var writer = ByteWriter()
        writer.uint32(UInt32(truncatingIfNeeded: content.count))
        writer.raw(checked)
        writer.uint32(UInt32(truncatingIfNeeded: unsafe crc32_z(0, checked, checked.count)))
        return writer.bytes
    }
}
