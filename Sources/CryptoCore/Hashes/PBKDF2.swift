public import ByteCoding
internal import COpenSSL

/// PBKDF2 with HMAC-SHA-512 (RFC 8018 5.2), for files of other programs. Passphrases of our own go through ``Argon2id``.
public enum PBKDF2 {
    /// Derives `count` bytes from a passphrase. Blocks for a large part of a second with many rounds.
    ///
    /// - Parameter rounds: At least 1.
    /// - Throws: ``CryptoError/libraryFailed``.
    public static func derive(
        _ count: Int, from passphrase: Secret, salt: Bytes, rounds: Int
    ) throws(CryptoError) -> Secret {
        guard let rounds = Int32(exactly: rounds), rounds > 0, let size = Int32(exactly: count),
            let length = Int32(exactly: passphrase.count), let saltLength = Int32(exactly: salt.count)
        else { throw .libraryFailed }
        return unsafe Secret(
            try SecretBytes(count: count) { output throws(CryptoError) in
                let status = unsafe passphrase.withUnsafeBytes { text in
                    unsafe text.octets.withMemoryRebound(to: CChar.self, capacity: text.count) { characters in
                        unsafe PKCS5_PBKDF2_HMAC(
                            characters, length, salt, saltLength, rounds, EVP_sha512(), size, output.octets)
                    }
                }
                guard status == 1 else { throw .libraryFailed }
            })
    }
}
