import ByteCoding
import CryptoCore

/// Every stored value begins with the number of its format, so that a later one can be told from this one.
enum StorageFormat {
    static let current: UInt8 = 1
    /// The key of a skipped message that the KEM protects. One that it does not protect keeps the format that it had before
    /// there was a KEM, because a store finds a key by its bytes.
    static let postQuantum: UInt8 = 2

    /// Reads the number, which must be one that this program knows.
    static func check(_ reader: inout SecretReader) throws(DecodeError) {
        var number = try reader.plain(1)
        guard try number.uint8() == current else { throw .invalid("storage format") }
    }
}

extension SecretWriter {
    /// Both halves of an X448 key, 112 bytes: the public one is kept because it is slow to recompute.
    mutating func privateKey(_ key: X448.PrivateKey) {
        secret(key.secret)
        plain.raw(key.publicKey.raw)
    }

    /// Both halves of a KEM key, each behind its two-byte length.
    mutating func keyPair(_ pair: KEMKeyPair) {
        plain.largeBytes(pair.publicKey)
        largeSecret(pair.secretKey)
    }
}

extension SecretReader {
    /// Both halves of an X448 key, which are not checked against each other.
    mutating func privateKey() throws(DecodeError) -> X448.PrivateKey {
        let secret = try secret(X448.PublicKey.rawSize)
        let publicKey = try publicKey()
        do throws(CryptoError) {
            return try X448.PrivateKey(secret, publicKey: publicKey)
        } catch {
            throw .invalid("private key")
        }
    }

    /// An X448 key, 56 bytes.
    mutating func publicKey() throws(DecodeError) -> X448.PublicKey {
        X448.PublicKey(checkedRaw: try plainBytes(X448.PublicKey.rawSize))
    }

    /// Both halves of a KEM key, of any size.
    mutating func keyPair() throws(DecodeError) -> KEMKeyPair {
        let publicKey = try largeBytes()
        return KEMKeyPair(publicKey: publicKey, secretKey: try largeSecret())
    }

    /// Bytes that are not secret behind their two-byte length.
    mutating func largeBytes() throws(DecodeError) -> Bytes {
        var length = try plain(2)
        return try plainBytes(Int(try length.uint16()))
    }

    /// Exactly `count` bytes that are not secret.
    mutating func plainBytes(_ count: Int) throws(DecodeError) -> Bytes {
        var bytes = try plain(count)
        return bytes.rest()
    }

    /// How many messages a chain has.
    mutating func count() throws(DecodeError) -> UInt32 {
        var bytes = try plain(4)
        return try bytes.uint32()
    }

    /// A key of 32 bytes.
    mutating func key() throws(DecodeError) -> Secret {
        try secret(32)
    }
}
