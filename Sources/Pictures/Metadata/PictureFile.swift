public import ByteCoding

/// A file with a picture, as it is stored: parts that are needed to show it, and metadata.
///
/// Metadata say where and when a picture was taken, with which device and by whom. The pixels are not touched when they are removed.
public struct PictureFile: Hashable, Sendable {
    public let format: PictureFormat
    /// The file without its metadata. Colours and orientation stay as they are.
    public let withoutMetadata: Bytes
    /// How the rows and columns are shown.
    let orientation: Orientation

    /// Reads the parts of a file.
    ///
    /// - Throws: ``PictureError/unknownFormat``, or ``PictureError/unreadable`` for a file that does not follow its format.
    public init(_ bytes: Bytes) throws(PictureError) {
        guard let format = PictureFormat(beginning: bytes) else { throw .unknownFormat }
        self.format = format
        do {
            let parts: (bytes: Bytes, orientation: Orientation?) =
                switch format {
                case .jpeg: try JPEGParts.withoutMetadata(bytes)
                case .png: try PNGParts.withoutMetadata(bytes)
                case .gif: (try GIFParts.withoutMetadata(bytes), nil)
                case .webp: try WebPParts.withoutMetadata(bytes)
                }
            withoutMetadata = parts.bytes
            orientation = parts.orientation ?? .upright
        } catch {
            throw .unreadable
        }
    }
}
