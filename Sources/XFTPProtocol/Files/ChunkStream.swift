public import ByteCoding
public import CryptoCore

/// The encryption of a downloaded chunk between relay and recipient (smp-agent.md 10.4): a ``SecretBoxStream`` with the
/// agreement of the key in FGET and the key in FILE, and the tag behind the chunk.
///
/// The relay encrypts part after part:
///
/// ```swift
/// var stream = try ChunkStream.sealing(privateKey, with: key, nonce: nonce)
/// for part in parts { send(stream.encrypt(part)) }
/// send(stream.tag())
/// ```
public enum ChunkStream {
    /// The size of the encrypted body of a chunk in bytes: the chunk and its tag.
    public static func bodySize(chunkSize: UInt32) -> Int64 { Int64(chunkSize) + Int64(SecretBox.tagSize) }

    /// Begins the encryption of a chunk for its recipient.
    ///
    /// - Throws: ``CryptoError/invalidKey``.
    public static func sealing(
        _ privateKey: X25519.PrivateKey, with key: X25519.PublicKey, nonce: Nonce
    ) throws(CryptoError) -> SecretBoxStream {
        SecretBoxStream(nonce: nonce, key: try privateKey.agree(with: key))
    }
}

/// Decrypts a downloaded chunk in parts and checks its size, tag and digest.
///
/// SECURITY: the bytes are those of the chunk only after ``finish()``.
public struct ChunkOpening: ~Copyable {
    private let size: Int64
    private let expected: Bytes
    private var stream: SecretBoxStream
    private var digest = SHA256.Stream()
    private var position: Int64 = 0
    private var tag: Bytes = []

    /// Begins a chunk.
    ///
    /// - Parameters:
    ///   - size: The size of the chunk in bytes, without tag.
    ///   - digest: The SHA-256 of the chunk.
    ///   - privateKey: The private part of the key in FGET.
    ///   - key: The key in FILE.
    /// - Throws: ``CryptoError/invalidKey``.
    public init(
        size: UInt32, digest: Bytes, privateKey: X25519.PrivateKey, key: X25519.PublicKey, nonce: Nonce
    ) throws(CryptoError) {
        self.size = Int64(size)
        expected = digest
        stream = try ChunkStream.sealing(privateKey, with: key, nonce: nonce)
    }

    /// Decrypts the next part of the body and returns the bytes of the chunk in it.
    ///
    /// - Throws: ``FileDecryptionError/size`` for more bytes than announced.
    public mutating func decrypt(_ bytes: Bytes) throws(FileDecryptionError) -> Bytes {
        guard Int64(bytes.count) <= size + Int64(SecretBox.tagSize) - position else { throw .size }
        let encrypted = bytes.prefix(Int(max(0, min(Int64(bytes.count), size - position))))
        tag += bytes.dropFirst(encrypted.count)
        position += Int64(bytes.count)
        let chunk = stream.decrypt(Bytes(encrypted))
        digest.update(chunk)
        return chunk
    }

    /// The number of bytes of the body that are still to come.
    public var missingBytes: Int64 { size + Int64(SecretBox.tagSize) - position }

    /// Checks the whole chunk.
    ///
    /// - Throws: ``FileDecryptionError/size``, ``FileDecryptionError/authentication`` or ``FileDecryptionError/digest``.
    public consuming func finish() throws(FileDecryptionError) {
        guard missingBytes == 0 else { throw .size }
        guard constantTimeEqual(stream.tag(), tag) else { throw .authentication }
        guard constantTimeEqual(digest.hash, expected) else { throw .digest }
    }
}
