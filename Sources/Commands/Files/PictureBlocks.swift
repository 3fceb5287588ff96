package import ByteCoding
package import ChatCore
import Pictures

/// A picture as rows of text: each character is two pixels, one above the other, in 24-bit colours.
package struct PictureBlocks: Sendable {
    /// The rows with their sequences for colours (ISO 8613-6), without line breaks.
    package let rows: [String]

    /// The largest picture that is read, in bytes.
    private static let largest = 64 << 20

    /// Draws a picture. Nil for a file that is no picture, is damaged or too large.
    ///
    /// - Parameters:
    ///   - columns: The most characters in a row.
    ///   - rows: The most rows.
    package init?(_ bytes: Bytes, columns: Int, rows: Int) {
        self.init(bytes, columns: columns, rows: rows, limit: Picture.mostPixels)
    }

    private init?(_ bytes: Bytes, columns: Int, rows: Int, limit: Int) {
        guard let picture = try? Picture(upright: bytes, width: columns, height: 2 * rows, limit: limit) else {
            return nil
        }
        self.rows = stride(from: 0, to: picture.height, by: 2).map { y in
            var row = ""
            for x in 0..<picture.width {
                row += "\u{1b}[38;2;\(PictureBlocks.color(picture, x, y))m"
                // The last row of pixels may have none below it.
                row += y + 1 < picture.height ? "\u{1b}[48;2;\(PictureBlocks.color(picture, x, y + 1))m" : "\u{1b}[49m"
                row += "▀"
            }
            return row + "\u{1b}[0m"
        }
    }

    /// Draws a file of a store, decrypted if it is encrypted on the disk. Blocks for the disk.
    ///
    /// - Throws: ``FileObstacle`` if the file is not here or was changed.
    package init?(_ file: ListedFile, columns: Int, rows: Int) throws {
        guard file.file.size <= PictureBlocks.largest else { return nil }
        var bytes = Bytes()
        try file.read { bytes += $0 }
        self.init(bytes, columns: columns, rows: rows)
    }

    /// Draws the preview of a message: a data URI.
    package init?(preview uri: String, columns: Int, rows: Int) {
        guard let comma = uri.firstIndex(of: ","), uri.hasPrefix("data:image/"),
            let bytes = try? Base64.decode(String(uri[uri.index(after: comma)...]))
        else { return nil }
        self.init(bytes, columns: columns, rows: rows, limit: Picture.mostPreviewPixels)
    }

    private static func color(_ picture: Picture, _ x: Int, _ y: Int) -> String {
        let place = 3 * (y * picture.width + x), pixels = picture.pixels
        guard pixels.indices.contains(place + 2) else { return "0;0;0" }
        return "\(pixels[place]);\(pixels[place + 1]);\(pixels[place + 2])"
    }
}
