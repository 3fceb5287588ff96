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

/// One of the two records of a short link, signed, and encrypted with a key derived from the link.
///
/// ```
/// blob   = nonce (24) ‖ box of the padded signed record
/// signed = signature behind its length (65) ‖ record
/// ```
///
/// One key closes all boxes of a link for all of its life, so every box has a new random nonce.
package enum LinkBox {
    /// The padded size of the fixed record with its signature; its blob has 2048 bytes.
    package static let fixedSize = 2008
    /// The padded size of the record that can change, with its signature; its blob has 13824 bytes.
    package static let userSize = 13784
    /// The bytes that a signature and the padding take.
    static let overhead = 1 + Ed25519.signatureSize + Padding.lengthSize

    /// A record with its signature.
    package struct SignedRecord: Hashable, Sendable, ByteCodable {
        package let signature: Bytes
        package let record: Bytes

        package init(_ record: Bytes, signer: Ed25519.PrivateKey) {
            signature = signer.sign(record)
            self.record = record
        }

        package init(from reader: inout ByteReader) throws(DecodeError) {
            signature = try reader.signature()
            record = reader.rest()
        }

        package func encode(into writer: inout ByteWriter) {
            writer.shortBytes(signature)
            writer.raw(record)
        }

        func isSigned(by key: Ed25519.PublicKey) -> Bool {
            key.verify(signature, of: record)
        }
    }

    /// The blob of a record.
    package static func seal(
        _ signed: SignedRecord, paddedTo size: Int, key: Secret, random: any RandomSource
    ) throws(LinkError) -> Bytes {
        let plain = signed.encoded
        let nonce = Nonce(random: random)
        guard let box = try? SecretBox.sealPadded(plain, to: size, nonce: nonce, key: key) else {
            throw .tooLarge(excess: plain.count + Padding.lengthSize - size)
        }
        return nonce.bytes + box
    }

    /// The record in a blob. Who signed it is not checked here.
    package static func open(_ blob: Bytes, key: Secret) throws(LinkError) -> SignedRecord {
        var reader = ByteReader(blob)
        guard let nonce = try? reader.value(Nonce.self),
            let plain = try? SecretBox.openPadded(reader.rest(), nonce: nonce, key: key)
        else { throw .notAuthentic }
        do throws(DecodeError) { return try SignedRecord(decoding: plain) } catch { throw .malformed(error) }
    }
}
