public import ByteCoding
import Compression
public import JSONCoding

/// What the owner of a short link shows to whoever opens it: JSON, compressed if it is long.
///
/// Other than messages it has no count and no items: a letter and one Zstandard frame, or the text as it is.
public protocol LinkContent: JSONObjectCodable {}

extension LinkContent {
    /// The bytes for the record behind a link, of which it holds `limit`. What readers would not decompress is refused too.
    public func linkContent(limit: Int) throws(PayloadSizeError) -> Bytes {
        let plain = fields.encoded
        guard plain.count <= ChatLimit.decompressed else {
            throw .tooLarge(size: plain.count, limit: ChatLimit.decompressed)
        }
        let content =
            plain.count > ChatLimit.plainLinkContent
            ? [CompressedPayload.letter] + Zstandard.compress(plain) : plain
        guard content.count <= limit else { throw .tooLarge(size: content.count, limit: limit) }
        return content
    }

    /// Reads the bytes in the record behind a link.
    public init(linkContent content: Bytes) throws(PayloadError) {
        guard let letter = content.first else { throw .empty }
        let plain: Bytes
        if letter == CompressedPayload.letter {
            plain = try CompressedPayload.Item.frame(Bytes(content.dropFirst())).content(limit: ChatLimit.decompressed)
        } else {
            plain = content
        }
        do throws(DecodeError) {
            var fields = try JSONFields(decoding: plain)
            try self.init(from: &fields)
        } catch {
            throw .malformed(error)
        }
    }
}
