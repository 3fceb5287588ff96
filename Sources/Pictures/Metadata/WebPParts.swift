import ByteCoding

/// The chunks of a WebP file (RFC 9649 2.3).
enum WebPParts {
    /// The chunks that say how a picture or an animation looks.
    private static let looks: Set<String> = ["VP8X", "ICCP", "ANIM", "ANMF", "ALPH", "VP8 ", "VP8L"]
    /// The flags in `VP8X` that announce Exif and XMP data.
    private static let exifFlag: UInt8 = 0x08, xmpFlag: UInt8 = 0x04

    /// Keeps what decodes the picture, its colours and its orientation.
    static func withoutMetadata(_ bytes: Bytes) throws(DecodeError) -> (Bytes, Orientation?) {
        var reader = ByteReader(bytes)
        _ = try reader.take(4)
        let size = try number(&reader)
        guard size >= 4 else { throw .invalid("size") }
        var content = ByteReader(try reader.take(size))
        _ = try content.take(4)
        var chunks: [(name: Bytes, content: Bytes)] = []
        var orientation: Orientation?
        while content.remaining > 0 {
            let name = try content.take(4), size = try number(&content)
            let body = try content.take(size)
            if size % 2 == 1, content.remaining > 0 { _ = try content.uint8() }
            let word = String(decoding: name, as: UTF8.self)
            if word == "EXIF" { orientation = Orientation(exif: body) }
            if looks.contains(word) { chunks.append((name, body)) }
        }
        guard let first = chunks.first, let flags = first.content.first else { throw .invalid("chunk") }
        if first.name == Bytes("VP8X".utf8) {
            let hasTurn = orientation != nil && orientation != .upright
            chunks[0].content[0] = (flags & ~xmpFlag & ~exifFlag) | (hasTurn ? exifFlag : 0)
            if hasTurn, let orientation { chunks.append((Bytes("EXIF".utf8), orientation.exif)) }
        } else {
            // Without it nothing is said about metadata.
            orientation = nil
        }
        let written = chunks.reduce(into: Bytes("WEBP".utf8)) { written, chunk in
            written += chunk.name + littleEndian(chunk.content.count) + chunk.content
            if chunk.content.count % 2 == 1 { written.append(0) }
        }
        return (Bytes("RIFF".utf8) + littleEndian(written.count) + written, orientation)
    }

    private static func number(_ reader: inout ByteReader) throws(DecodeError) -> Int {
        try reader.take(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func littleEndian(_ number: Int) -> Bytes {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
