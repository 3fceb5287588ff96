public import ByteCoding

extension Picture {
    /// Decodes a picture the right way up, made smaller so that it fits into a rectangle.
    ///
    /// - Parameters:
    ///   - bytes: A file in one of the formats of ``PictureFormat``.
    ///   - width: The most pixels in a row, at least 1.
    ///   - height: The most rows of pixels, at least 1.
    ///   - limit: The most pixels that are decoded.
    /// - Throws: ``PictureError``.
    public init(upright bytes: Bytes, width: Int, height: Int, limit: Int = mostPixels) throws(PictureError) {
        let file = try PictureFile(bytes), orientation = file.orientation, longest = max(width, height, 1)
        let stored = try Picture.decode(file, side: longest, limit: limit).0
        // Small before it is turned: that takes less time.
        let picture = stored.fitted(to: 2 * longest).turned(from: orientation)
        let scale = min(
            Double(max(width, 1)) / Double(picture.width), Double(max(height, 1)) / Double(picture.height))
        self = scale < 1 ? picture.fitted(to: max(1, Int(Double(max(picture.width, picture.height)) * scale))) : picture
    }
}
