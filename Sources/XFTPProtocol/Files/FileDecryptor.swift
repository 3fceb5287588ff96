public import ByteCoding
import CryptoCore

/// An error of an encrypted file or chunk. It contains nothing of the file.
public enum FileDecryptionError: Error, Hashable, Sendable {
    /// The bytes are more or fewer than announced.
    case size
    /// The digest differs from the one in the description.
    case digest
    /// The tag is wrong: the bytes were not encrypted with this key.
    case authentication
    /// The length or header inside the file is invalid.
    case header
    /// The content differs from the one that the sender announced in the message.
    case content
    /// The content is larger or smaller than the sender announced in the message.
    case contentSize
}

/// Decrypts a file in parts (smp-agent.md 10.5).
///
/// SECURITY: the content is authentic only after ``finish()``. Until then it belongs into a file with a temporary name.
public struct FileDecryptor: ~Copyable {
    private let size: Int64
    private let expected: Bytes
    private var stream: SecretBoxStream
    private var digest = SHA512.Stream()
    /// The number of encrypted bytes so far.
    private var position: Int64 = 0
    /// The decrypted bytes before the end of the header, as long as there is no header.
    private var beginning: Bytes = []
    /// The number of bytes of the content that were not returned yet.
    private var missing: Int64 = 0
    private var tag: Bytes = []

    /// The header, after the first parts.
    public private(set) var header: EncryptedFileHeader?

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - size: The size of the encrypted file in bytes.
    ///   - digest: The SHA-512 of the encrypted file.
    /// - Throws: ``FileDecryptionError/size`` if an encrypted file cannot have this size.
    public init(size: Int64, digest: Bytes, key: FileEncryptionKey) throws(FileDecryptionError) {
        guard size >= FileEncryptor.overhead, size <= XFTP.hardFileLimit else { throw .size }
        self.size = size
        expected = digest
        stream = SecretBoxStream(nonce: key.nonce, key: key.key)
    }

    /// Decrypts the next part and returns the content in it.
    ///
    /// - Throws: ``FileDecryptionError/size`` for more bytes than announced, ``FileDecryptionError/header``.
    public mutating func decrypt(_ bytes: Bytes) throws(FileDecryptionError) -> Bytes {
        guard Int64(bytes.count) <= size - position else { throw .size }
        digest.update(bytes)
        let tagStart = size - Int64(SecretBox.tagSize)
        let encrypted = bytes.prefix(Int(max(0, min(Int64(bytes.count), tagStart - position))))
        tag += bytes.dropFirst(encrypted.count)
        position += Int64(bytes.count)
        var text = stream.decrypt(Bytes(encrypted))
        if header == nil {
            beginning += text
            guard let content = try takeHeader() else { return [] }
            text = content
        }
        let content = text.prefix(Int(min(Int64(text.count), missing)))
        missing -= Int64(content.count)
        return Bytes(content)
    }

    /// Reads the header from the first bytes and returns the content behind it; nil if more bytes are needed.
    private mutating func takeHeader() throws(FileDecryptionError) -> Bytes? {
        var reader = ByteReader(beginning)
        guard let length = try? reader.int64() else { return nil }
        guard length >= 0, length <= size - FileEncryptor.overhead else { throw .header }
        let available = Int64(reader.remaining)
        // A header that is not there completely looks truncated. With its longest size it is there.
        guard available >= min(length, Int64(EncryptedFileHeader.maximumSize)) else { return nil }
        guard let header = try? EncryptedFileHeader(from: &reader) else { throw .header }
        let headerSize = available - Int64(reader.remaining)
        guard headerSize <= length else { throw .header }
        missing = length - headerSize
        self.header = header
        beginning = []
        return reader.rest()
    }

    /// Checks the whole file and returns its header.
    ///
    /// - Throws: ``FileDecryptionError``.
    public consuming func finish() throws(FileDecryptionError) -> EncryptedFileHeader {
        guard position == size else { throw .size }
        guard constantTimeEqual(digest.hash, expected) else { throw .digest }
        guard constantTimeEqual(stream.tag(), tag) else { throw .authentication }
        guard let header, missing == 0 else { throw .header }
        return header
    }
}
