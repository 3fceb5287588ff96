public import ByteCoding
import JSONCoding

/// The body of an agent message. Its first byte decides what it is.
public enum ChatPayload {
    /// The elements of a received payload, in order.
    ///
    /// What is wrong with one element is the result of that element. A payload that cannot be taken apart, or that has
    /// too many elements, is one element with an error.
    public static func elements(of payload: Bytes) -> [ChatElement] {
        let elements = payload.first == CompressedPayload.letter ? compressed(payload) : uncompressed(payload)
        guard elements.count <= ChatLimit.elements else { return [failure(payload, .tooManyElements)] }
        return elements
    }

    private static func compressed(_ payload: Bytes) -> [ChatElement] {
        guard let compressed = try? CompressedPayload(decoding: payload) else {
            return [failure(payload, .compression)]
        }
        var allowance = ChatLimit.decompressed
        return compressed.items.flatMap { item in
            do throws(PayloadError) {
                let content = try item.content(limit: allowance)
                allowance -= content.count
                guard content.first != CompressedPayload.letter else { throw .compression }
                return uncompressed(content)
            } catch {
                return [failure(item.bytes, error)]
            }
        }
    }

    private static func uncompressed(_ payload: Bytes) -> [ChatElement] {
        do throws(DecodeError) {
            switch payload.first {
            case UInt8(ascii: "["): return try JSONElements.split(payload).map(message)
            case UInt8(ascii: "="): return try binaryBatch(payload).map(element)
            default: return [element(payload)]
            }
        } catch {
            return [failure(payload, .malformed(error))]
        }
    }

    /// `=`, a count and elements with two-byte lengths: a batch of channels, whose plain elements can be read.
    private static func binaryBatch(_ payload: Bytes) throws(DecodeError) -> [Bytes] {
        var reader = ByteReader(Bytes(payload.dropFirst()))
        let elements = try reader.list { reader throws(DecodeError) in try reader.largeBytes() }
        try reader.finish()
        return elements
    }

    private static func element(_ bytes: Bytes) -> ChatElement {
        switch bytes.first {
        case UInt8(ascii: "{"): message(bytes)
        case FileChunk.letter: chunk(bytes)
        case UInt8(ascii: "/"): failure(bytes, .unsupported(.signed))
        case UInt8(ascii: ">"): failure(bytes, .unsupported(.forwarded))
        case nil: failure(bytes, .empty)
        default: failure(bytes, .unknownForm)
        }
    }

    private static func message(_ json: Bytes) -> ChatElement {
        do throws(DecodeError) {
            return ChatElement(bytes: json, content: .success(.message(try ChatMessage(decoding: json))))
        } catch {
            return failure(json, .malformed(error))
        }
    }

    private static func chunk(_ bytes: Bytes) -> ChatElement {
        do throws(DecodeError) {
            return ChatElement(bytes: bytes, content: .success(.chunk(try FileChunk(decoding: bytes))))
        } catch {
            return failure(bytes, .malformed(error))
        }
    }

    private static func failure(_ bytes: Bytes, _ error: PayloadError) -> ChatElement {
        ChatElement(bytes: bytes, content: .failure(error))
    }
}
