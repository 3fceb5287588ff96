public import ByteCoding
package import CryptoCore
package import SMPProtocol

/// The part of a short link that opens what the relay keeps for it: the SHA3-256 of the fixed record.
///
/// It is in every copy of the link and printed with it, so it is no ``Secret``; whoever has it may read the link's records,
/// and nobody else. What it opens cannot be replaced, because the relay does not know a second record with this hash.
///
/// Source: agent v7, short links.
public struct ShortLinkKey: Hashable, Sendable {
    /// 32 bytes in every link that can be opened; others can be read, and will match nothing.
    public let bytes: Bytes

    /// A key of at most 255 bytes (a programmer error otherwise).
    public init(_ bytes: Bytes) {
        precondition(bytes.count <= UInt8.max, "a link key has at most 255 bytes")
        self.bytes = bytes
    }

    /// The key of a link with this fixed record, encoded and without its signature.
    package init(hashing fixedRecord: Bytes) {
        bytes = SHA3.hash256(fixedRecord)
    }

    /// The key of the boxes of an invitation. Its link id was chosen by the relay.
    package func invitationBoxKey() -> Secret {
        HKDF.derive(SecretBox.keySize, from: [Secret(copying: bytes)], info: "SimpleXInvLink")
    }

    /// The id under which the relay knows an address, and the key of its boxes.
    package func address() -> (linkID: EntityID, boxKey: Secret) {
        let parts = HKDF.derive(
            SMP.idSize + SecretBox.keySize, from: [Secret(copying: bytes)], info: "SimpleXContactLink"
        ).split(SMP.idSize, SecretBox.keySize)
        return (EntityID(parts[0].copyBytes()), parts[1])
    }
}
