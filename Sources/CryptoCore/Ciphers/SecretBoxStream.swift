public import ByteCoding
internal import CSodium

/// The streaming form of ``SecretBox`` for files (smp-agent.md 0.5): the same bytes, but the tag comes last.
///
/// ```swift
/// var stream = SecretBoxStream(nonce: nonce, key: key)
/// for part in parts { write(stream.encrypt(part)) }
/// write(stream.tag())
/// ```
public struct SecretBoxStream: ~Copyable {
    /// The key of XSalsa20, derived from the key of the box.
    private let key: Secret
    private let nonce: Nonce
    private var authentication = crypto_onetimeauth_state()
    /// The position in the key stream. Its first 32 bytes are the key of the tag.
    private var position = 32

    private static let blockSize = 64

    /// Creates the stream of one file. A nonce belongs to one file only.
    public init(nonce: Nonce, key: Secret) {
        let cipherKey = SecretBox.cipherKey(key)
        self.key = cipherKey
        self.nonce = nonce
        unsafe withUnsafeTemporaryAllocation(byteCount: 32, alignment: 16) { first in
            unsafe first.initializeMemory(as: UInt8.self, repeating: 0)
            defer { unsafe sodium_memzero(first.octets, first.count) }
            unsafe cipherKey.withUnsafeBytes { key in
                _ = unsafe crypto_stream_xsalsa20_xor_ic(first.octets, first.octets, 32, nonce.bytes, 0, key.octets)
            }
            _ = unsafe crypto_onetimeauth_init(&authentication, first.octets)
        }
    }

    /// Encrypts the next bytes of the file.
    public mutating func encrypt(_ bytes: Bytes) -> Bytes {
        let encrypted = apply(bytes)
        authenticate(encrypted)
        return encrypted
    }

    /// Decrypts the next bytes of the file.
    ///
    /// SECURITY: the bytes are authentic only if ``tag()`` equals the tag at the end of the file.
    public mutating func decrypt(_ bytes: Bytes) -> Bytes {
        authenticate(bytes)
        return apply(bytes)
    }

    /// Returns the tag of the file, 16 bytes. Ends the stream.
    public consuming func tag() -> Bytes {
        var state = authentication
        return unsafe Bytes(count: SecretBox.tagSize) { output in
            _ = unsafe crypto_onetimeauth_final(&state, output)
        }
    }

    private mutating func authenticate(_ bytes: Bytes) {
        _ = unsafe crypto_onetimeauth_update(&authentication, bytes, UInt64(bytes.count))
    }

    /// Combines bytes with the key stream.
    private mutating func apply(_ bytes: Bytes) -> Bytes {
        guard !bytes.isEmpty else { return [] }
        // The cipher begins at a block.
        let skipped = position % SecretBoxStream.blockSize
        let block = UInt64(position / SecretBoxStream.blockSize)
        let padded = Bytes(repeating: 0, count: skipped) + bytes
        let output = unsafe key.withUnsafeBytes { key in
            unsafe Bytes(count: padded.count) { output in
                _ = unsafe crypto_stream_xsalsa20_xor_ic(
                    output, padded, UInt64(padded.count), nonce.bytes, block, key.octets)
            }
        }
        position += bytes.count
        return Bytes(output.dropFirst(skipped))
    }
}
