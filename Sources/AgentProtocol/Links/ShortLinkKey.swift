public import ByteCoding
package import CryptoCore
package import SMPProtocol

/// The key of a short link, which decrypts the records on the relay: the SHA3-256 of the fixed record (smp-agent.md
/// 6.5).
///
/// The key is in every copy of the link and printed with it, so it is not a ``Secret``. Its holders, and no others, can
/// read the link's records. The fixed record cannot be replaced, because no other record has the same hash.
public struct ShortLinkKey: Hashable, Sendable {
    /// The bytes, 32 in every usable link. Other lengths are read, but match no record.
    public let bytes: Bytes

    /// Creates a key of at most 255 bytes. A longer one is a programmer error.
    public init(_ bytes: Bytes) {
        precondition(bytes.count <= UInt8.max, "a link key has at most 255 bytes")
        self.bytes = bytes
    }

    /// Creates the key of a link from its fixed record, encoded and without its signature.
    package init(hashing fixedRecord: Bytes) {
        bytes = SHA3.hash256(fixedRecord)
    }

    /// Derives the key of the boxes of an invitation, whose link id was chosen by the relay.
    package func invitationBoxKey() -> Secret {
        HKDF.derive(SecretBox.keySize, from: [Secret(copying: bytes)], info: "SimpleXInvLink")
    }

    /// Derives the id of an address on the relay and the key of its boxes.
    package func address() -> (linkID: EntityID, boxKey: Secret) {
        let parts = HKDF.derive(
            SMP.idSize + SecretBox.keySize, from: [Secret(copying: bytes)], info: "SimpleXContactLink"
        ).split(SMP.idSize, SecretBox.keySize)
        return (EntityID(parts[0].copyBytes()), parts[1])
    }
}

/// One of the two records of a short link, signed, and encrypted with a key derived from the link (smp-agent.md 6.6).
///
/// ```
package enum LinkBox {
    /// The padded size of the fixed record with its signature, in bytes. Its blob has 2,048 bytes.
    package static let fixedSize = 2008
    /// The padded size of the user record with its signature, in bytes. Its blob has 13,824 bytes.
    package static let userSize = 13784
    /// The size of a signature and the padding length in bytes.
    static let overhead = 1 + Ed25519.signatureSize + Padding.lengthSize

    /// A record with its signature.
    package struct SignedRecord: Hashable, Sendable, ByteCodable {
        /// The signature, 64 bytes.
        package let signature: Bytes
        /// The encoded record.
        package let record: Bytes

        /// Signs a record.
        package init(_ record: Bytes, signer: Ed25519.PrivateKey) {
            signature = signer.sign(record)
            self.record = record
        }

        /// Reads the binary form.
        package init(from reader: inout ByteReader) throws(DecodeError) {
            signature = try reader.signature()
            record = reader.rest()
        }

        /// Writes the binary form.
        package func encode(into writer: inout ByteWriter) {
            writer.shortBytes(signature)
            writer.raw(record)
        }

        func isSigned(by key: Ed25519.PublicKey) -> Bool {
            key.verify(signature, of: record)
        }
    }

    /// Encrypts a record.
    ///
    /// - Throws: ``LinkError/tooLarge(excess:)``.
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

    /// Decrypts the record of a blob without checking its signature.
    ///
    /// - Throws: ``LinkError/notAuthentic`` or ``LinkError/malformed(_:)``.
    package static func open(_ blob: Bytes, key: Secret) throws(LinkError) -> SignedRecord {
        var reader = ByteReader(blob)
        guard let nonce = try? reader.value(Nonce.self),
            let plain = try? SecretBox.openPadded(reader.rest(), nonce: nonce, key: key)
        else { throw .notAuthentic }
        do throws(DecodeError) { return try SignedRecord(decoding: plain) } catch { throw .malformed(error) }
    }
}
