import ByteCoding

/// The width and height of a picture in its file.
typealias PictureSize = (width: Int, height: Int)

extension Picture {
    /// Decodes the picture of a file as it is stored, the first of an animation.
    ///
    /// - Parameter side: What the longer side has to be at least. A format that can be decoded at a smaller size may use that.
    static func decode(_ bytes: Bytes, side: Int) throws(PictureError) -> (Picture, PictureSize) {
        guard let format = PictureFormat(beginning: bytes) else { throw .unknownFormat }
        switch format {
        case .jpeg: return try decodeJPEG(bytes, side: side)
        case .png: return whole(try decodePNG(bytes))
        case .gif: return whole(try decodeGIF(bytes))
        case .webp: return whole(try decodeWebP(bytes))
        }
    }

    private static func whole(_ picture: Picture) -> (Picture, PictureSize) {
        (picture, (picture.width, picture.height))
    }
}
