public import ByteCoding

/// The small picture that a message shows before its file is there.
public struct Preview: Hashable, Sendable {
    /// A data URI of a JPEG file (RFC 2397), as messages hold it.
    public let uri: String
    /// The size of the whole picture as it is shown, in pixels.
    public let width: Int, height: Int

    /// The size of previews that the official clients make, in characters of the URI (chat.md 5.4).
    public static let mostCharacters = 14_000

    private static let start = "data:image/jpg;base64,"
    /// The longer sides that are tried, and the qualities of JPEG.
    private static let sides = [512, 384, 288, 216, 160, 120, 80, 48, 24], qualities: [Int32] = [80, 60, 40]

    /// Makes a preview of a picture.
    ///
    /// - Parameter limit: The most characters of the URI.
    /// - Throws: ``PictureError``; ``PictureError/tooLarge`` also if no preview has so few characters.
    public init(of bytes: Bytes, limit: Int = mostCharacters) throws(PictureError) {
        let file = try PictureFile(bytes), orientation = file.orientation
        let (stored, size) = try Picture.decode(file, side: Self.sides[0])
        width = orientation.swapsSides ? size.height : size.width
        height = orientation.swapsSides ? size.width : size.height
        // Small before it is turned: that takes less time.
        let picture = stored.fitted(to: Self.sides[0]).turned(from: orientation)
        for side in Self.sides {
            let small = picture.fitted(to: side)
            for quality in Self.qualities {
                let uri = Self.start + Base64.encode(try small.jpeg(quality: quality))
                if uri.utf8.count <= limit {
                    self.uri = uri
                    return
                }
            }
        }
        throw .tooLarge
    }
}
