public import ByteCoding

/// The signatures of an element, and the text that they sign (`/`, network-7.md 7.1 and 7.3).
///
/// This layer has no cryptography: the caller verifies ``signatures`` over ``signedBytes(binding:)``.
public struct ElementSignature: Hashable, Sendable {
    /// What the text is bound to, so that it has no meaning elsewhere.
    public enum Binding: UInt8, Hashable, Sendable, ByteCodable {
        /// A group and the member that signs.
        case group = 0x47
        /// A direct chat.
        case direct = 0x44
        /// A channel as a whole.
        case channel = 0x43

        /// Reads the letter.
        public init(from reader: inout ByteReader) throws(DecodeError) {
            guard let binding = Binding(rawValue: try reader.uint8()) else { throw .invalid("binding") }
            self = binding
        }

        /// Writes the letter.
        public func encode(into writer: inout ByteWriter) {
            writer.uint8(rawValue)
        }
    }

    /// What the text is bound to.
    public let binding: Binding
    /// The signatures, each of which must verify: 1 to 255, of a size in ``sizes``.
    public let signatures: [Bytes]
    /// The JSON text as it was signed.
    public let text: Bytes

    /// The sizes of Ed25519 and Ed448 signatures in bytes. The official clients make Ed25519 signatures only.
    public static let sizes: Set<Int> = [64, 114]

    /// Creates a signature from its parts.
    public init(_ binding: Binding, _ signatures: [Bytes], of text: Bytes) {
        self.binding = binding
        self.signatures = signatures
        self.text = text
    }

    /// Returns the bytes that are signed.
    ///
    /// - Parameter data: The binding data. For ``Binding/group`` it is ``groupBinding(_:_:)`` or
    ///   ``memberBinding(_:key:)``.
    public func signedBytes(binding data: Bytes) -> Bytes {
        [binding.rawValue] + data + text
    }

    /// Returns the binding data of a member in a group with a public id.
    public static func groupBinding(_ publicGroupID: Bytes, _ id: MemberID) -> Bytes {
        var writer = ByteWriter()
        writer.shortBytes(Bytes(publicGroupID.prefix(255)))
        writer.shortBytes(id.bytes)
        return writer.bytes
    }

    /// Returns the binding data of a member in a group without a public id.
    ///
    /// - Parameter key: The DER form of the member's key.
    public static func memberBinding(_ id: MemberID, key: Bytes) -> Bytes {
        var writer = ByteWriter()
        writer.shortBytes(id.bytes)
        writer.shortBytes(Bytes(key.prefix(255)))
        return writer.bytes
    }
}

extension ElementSignature: ByteCodable {
    /// The only reference to a key: the key of the member that signs.
    private static let memberKey = UInt8(ascii: "M")

    static let letter = UInt8(ascii: "/")

    /// Reads the element to its end. The text is not read.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        guard try reader.uint8() == ElementSignature.letter else { throw .invalid("signed element") }
        binding = try reader.value()
        signatures = try reader.nonEmptyList { reader throws(DecodeError) in
            guard try reader.uint8() == ElementSignature.memberKey else { throw .invalid("key reference") }
            let signature = try reader.shortBytes()
            guard ElementSignature.sizes.contains(signature.count) else { throw .invalid("signature") }
            return signature
        }
        text = reader.rest()
    }

    /// Writes the element.
    public func encode(into writer: inout ByteWriter) {
        writer.uint8(ElementSignature.letter)
        writer.value(binding)
        writer.list(signatures) { writer, signature in
            writer.uint8(ElementSignature.memberKey)
            writer.shortBytes(signature)
        }
        writer.raw(text)
    }
}
