public import ByteCoding

/// The formats of pictures that are recognised, by their first bytes.
public enum PictureFormat: Hashable, Sendable, CaseIterable {
    /// JPEG (ITU-T T.81)
    case jpeg
    /// PNG (ISO 15948)
    case png
    /// GIF (GIF89a specification)
    case gif
    /// WebP (RFC 9649)
    case webp

    /// The number of bytes from which a format is recognised.
    public static let signatureSize = 12

    /// The format of a file that begins with these bytes; nil if it is none of these.
    public init?(beginning bytes: Bytes) {
        if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if bytes.starts(with: Bytes("GIF87a".utf8)) || bytes.starts(with: Bytes("GIF89a".utf8)) {
            self = .gif
        } else if bytes.starts(with: Bytes("RIFF".utf8)), bytes.dropFirst(8).starts(with: Bytes("WEBP".utf8)) {
            self = .webp
        } else {
            return nil
        }
    }
}

/// The reason why a picture was not read. It contains nothing of the picture.
public enum PictureError: Error, Hashable, Sendable {
    /// The bytes are none of the formats in ``PictureFormat``.
    case unknownFormat
    /// The file is damaged, or uses a part of its format that is not read.
    case unreadable
    /// The picture has too many pixels.
    case tooLarge
}
