public import ByteCoding

/// What one side tells the other about the post-quantum KEM, in its parameters and in every message header.
///
/// Sizes are not checked here: who does not use the KEM has to read the field all the same, and who does learns from
/// the KEM that a key is bad.
public enum KEMParameter: Hashable, Sendable, ByteCodable {
    /// "Encapsulate a secret to this public key."
    case proposed(publicKey: Bytes)
    /// "This is a secret for your public key; encapsulate yours to my new one."
    case accepted(ciphertext: Bytes, publicKey: Bytes)

    /// The key to encapsulate to.
    public var publicKey: Bytes {
        switch self {
        case .proposed(let publicKey), .accepted(_, let publicKey): publicKey
        }
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        switch try reader.uint8() {
        case UInt8(ascii: "P"):
            self = .proposed(publicKey: try reader.largeBytes())
        case UInt8(ascii: "A"):
            let ciphertext = try reader.largeBytes()
            self = .accepted(ciphertext: ciphertext, publicKey: try reader.largeBytes())
        default: throw .invalid("KEM parameter")
        }
    }

    public func encode(into writer: inout ByteWriter) {
        switch self {
        case .proposed(let publicKey):
            writer.character("P")
            writer.largeBytes(publicKey)
        case .accepted(let ciphertext, let publicKey):
            writer.character("A")
            writer.largeBytes(ciphertext)
            writer.largeBytes(publicKey)
        }
    }
}
