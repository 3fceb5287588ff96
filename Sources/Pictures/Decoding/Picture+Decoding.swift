import ByteCoding

/// The width and height of a picture in its file.
typealias PictureSize = (width: Int, height: Int)

extension Picture {
    /// Decodes the picture of a file as it is stored, the first of an animation.
    ///
    /// The decoders get the parts that show the picture. What else a file holds is not read by them.
    ///
    /// - Parameters:
    ///   - side: What the longer side has to be at least. A format that can be decoded at a smaller size may use that.
    ///   - limit: The most pixels. A JPEG file that is decoded row by row may have more in its file.
    /// - Throws: ``PictureError/tooLarge`` before the decoder takes memory for a larger picture.
    static func decode(
        _ file: PictureFile, side: Int, limit: Int = mostPixels
    ) throws(PictureError) -> (Picture, PictureSize) {
        let bytes = file.withoutMetadata
        switch file.format {
        case .jpeg: return try decodeJPEG(bytes, side: side, limit: limit)
        case .png: return whole(try decodePNG(bytes, limit: limit))
        case .gif: return whole(try decodeGIF(bytes, limit: limit))
        case .webp: return try decodeWebP(bytes, side: side, limit: limit)
        }
    }

    private static func whole(_ picture: Picture) -> (Picture, PictureSize) {
        (picture, (picture.width, picture.height))
    }
}
