public import ByteCoding
public import CryptoCore

/// The key and nonce of one encrypted file.
public struct FileEncryptionKey: Sendable {
    /// The key, 32 bytes.
    public let key: Secret
    /// The nonce.
    public let nonce: Nonce

    /// Creates a file key. A key of another size is a programmer error.
    public init(key: Secret, nonce: Nonce) {
        precondition(key.count == SecretBox.keySize, "a file has a key of 32 bytes")
        self.key = key
        self.nonce = nonce
    }

    /// Creates the random key and nonce of a new file.
    public init(random source: any RandomSource) {
        self.init(key: Secret(random: source, count: SecretBox.keySize), nonce: Nonce(random: source))
    }
}

/// Encrypts a file in parts (smp-agent.md 10.5): length, header, content and padding as one stream, then the tag.
///
/// ```swift
/// guard var encryptor = FileEncryptor(header: header, contentSize: size, encryptedSize: plan.encryptedSize, key: key)
/// else { ... }
/// write(encryptor.start())
/// for part in parts { write(encryptor.encrypt(part)) }
/// let (end, digest) = encryptor.finish()
/// write(end)
/// ```
public struct FileEncryptor: ~Copyable {
    /// The size of the length and the tag in bytes.
    public static let overhead: Int64 = 8 + Int64(SecretBox.tagSize)
    private static let filler = UInt8(ascii: "#")

    private let beginning: Bytes
    private let paddingSize: Int
    private var missing: Int64
    private var stream: SecretBoxStream
    private var digest = SHA512.Stream()

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - contentSize: The size of the content in bytes, all of which must be encrypted.
    ///   - encryptedSize: The size of the result in bytes, see ``ChunkPlan``.
    /// - Returns: Nil if the header and content do not fit.
    public init?(header: EncryptedFileHeader, contentSize: Int64, encryptedSize: Int64, key: FileEncryptionKey) {
        let header = header.encoded
        guard contentSize >= 0, contentSize <= XFTP.hardFileLimit, encryptedSize <= XFTP.hardFileLimit else {
            return nil
        }
        let length = Int64(header.count) + contentSize
        let paddingSize = encryptedSize - FileEncryptor.overhead - length
        guard paddingSize >= 0 else { return nil }
        var writer = ByteWriter()
        writer.int64(length)
        writer.raw(header)
        beginning = writer.bytes
        self.paddingSize = Int(paddingSize)
        missing = contentSize
        stream = SecretBoxStream(nonce: key.nonce, key: key.key)
    }

    /// Returns the first bytes of the encrypted file.
    public mutating func start() -> Bytes {
        append(beginning)
    }

    /// Encrypts the next part of the content. A part that exceeds the declared size is a programmer error.
    public mutating func encrypt(_ content: Bytes) -> Bytes {
        precondition(content.count <= missing, "the content has its declared size")
        missing -= Int64(content.count)
        return append(content)
    }

    /// The number of bytes of the content that were not encrypted yet.
    public var missingBytes: Int64 { missing }

    /// Returns the padding and tag, the last bytes of the encrypted file, and the SHA-512 of the whole file. A content
    /// shorter than declared is a programmer error.
    public consuming func finish() -> (end: Bytes, digest: Bytes) {
        precondition(missing == 0, "the content has its declared size")
        var end = append(Bytes(repeating: FileEncryptor.filler, count: paddingSize))
        var digest = digest
        let tag = stream.tag()
        digest.update(tag)
        end += tag
        return (end, digest.hash)
    }

    private mutating func append(_ bytes: Bytes) -> Bytes {
        let encrypted = stream.encrypt(bytes)
        digest.update(encrypted)
        return encrypted
    }
}
