public import ByteCoding
internal import CSodium

/// Streamlined NTRU Prime 761, a key encapsulation believed to resist quantum computers
/// (draft-josefsson-ntruprime-streamlined-00, smp-agent.md 9, the KEM of OpenSSH).
///
/// SECURITY: The code never branches on a secret or uses one as an index, and wipes its working memory. Only the number
/// of attempts to make a key pair depends on numbers, which are discarded.
public enum Sntrup761 {
    /// The size of a public key in bytes: the encoded polynomial h = g / (3 f).
    public static let publicKeySize = 1158
    /// The size of a secret key in bytes: f, 1 / g, the public key, the secret of implicit rejection, and a hash of the
    /// public key.
    public static let secretKeySize = 1763
    /// The size of a ciphertext in bytes: a rounded polynomial and a confirmation hash.
    public static let ciphertextSize = 1039
    /// The size of a shared secret in bytes.
    public static let sharedSecretSize = 32

    /// Returns a new key pair: 1,158 and 1,763 bytes.
    public static func keyPair(random source: any RandomSource) -> (publicKey: Bytes, secretKey: Secret) {
        let numerator = InvertiblePolynomial(random: source)
        let f = Polynomial.randomShort(source)
        let publicKey = f.inverseOfTripleModQ().timesModQ(numerator.polynomial).publicKey()
        let rejection = Secret(random: source, count: Polynomial.smallSize)

        var writer = SecretWriter()
        writer.secret(f.smallBytes().secret())
        writer.secret(numerator.inverse.smallBytes().secret())
        writer.plain.raw(publicKey)
        writer.secret(rejection)
        writer.plain.raw(hash(of: publicKey))
        return (publicKey, writer.finish())
    }

    /// Encapsulates a new secret to `publicKey`, of which only the size is checked.
    ///
    /// - Throws: ``CryptoError/invalidKey`` for another size.
    public static func encapsulate(
        to publicKey: Bytes, random source: any RandomSource
    ) throws(CryptoError) -> (ciphertext: Bytes, secret: Secret) {
        guard publicKey.count == publicKeySize else { throw .invalidKey }
        let r = Polynomial.randomShort(source)
        let input = PrefixedHash.of(3, r.smallBytes())
        let ciphertext = ciphertext(of: r, input, for: publicKey, hash(of: publicKey)).copyBytes()
        return (ciphertext, session(1, input, ciphertext))
    }

    /// Returns the secret in `ciphertext`, of which only the size is checked. A ciphertext for another key, or a
    /// damaged one, yields a random secret (implicit rejection).
    ///
    /// - Throws: ``CryptoError/invalidKey`` or ``CryptoError/authenticationFailed`` for a wrong size.
    public static func decapsulate(_ ciphertext: Bytes, with secretKey: Secret) throws(CryptoError) -> Secret {
        guard secretKey.count == secretKeySize else { throw .invalidKey }
        guard ciphertext.count == ciphertextSize else { throw .authenticationFailed }
        let size = Polynomial.smallSize
        let parts = secretKey.split(size, size, publicKeySize, size, PrefixedHash.size)
        let f = Polynomial(small: SecretArray(copying: parts[0]))
        let inverse = Polynomial(small: SecretArray(copying: parts[1]))

        let product = Polynomial(ciphertext: ciphertext).timesModQ(f).map {
            Residue.mod3(Int32(Residue.modQ(3 &* Int32($0))))
        }
        let r = product.timesMod3(inverse).orFixedShort()

        let encoded = r.smallBytes()
        let expected = Sntrup761.ciphertext(
            of: r, PrefixedHash.of(3, encoded), for: parts[2].copyBytes(), parts[4].copyBytes())
        let isWrong = expected.differs(from: ciphertext)
        encoded.exchange(for: SecretArray(copying: parts[3]), where: isWrong)
        return session(1 &+ isWrong, PrefixedHash.of(3, encoded), ciphertext)
    }

    // MARK: - Hashes

    /// Returns the hash of a public key, which goes into its ciphertexts.
    private static func hash(of publicKey: Bytes) -> Bytes {
        var hash = PrefixedHash(4)
        hash.add(publicKey)
        return hash.finish().copyBytes()
    }

    /// Returns the ciphertext of a short polynomial. `input` is the hash of its encoding.
    private static func ciphertext(
        of r: borrowing Polynomial, _ input: borrowing SecretArray<UInt8>, for publicKey: Bytes, _ keyHash: Bytes
    ) -> SecretArray<UInt8> {
        let product = Polynomial(publicKey: publicKey).timesModQ(r)
        var confirmation = PrefixedHash(2)
        confirmation.add(input)
        confirmation.add(keyHash)
        return product.roundedBytes() + confirmation.finish()
    }

    /// Returns the shared secret (prefix 1), or the secret of implicit rejection (prefix 0).
    private static func session(
        _ prefix: UInt8, _ input: borrowing SecretArray<UInt8>, _ ciphertext: Bytes
    ) -> Secret {
        var hash = PrefixedHash(prefix)
        hash.add(input)
        hash.add(ciphertext)
        return hash.finish().secret()
    }
}

/// The first half of the SHA-512 of a byte and several parts, some of them secret.
struct PrefixedHash: ~Copyable {
    /// The size of the hash in bytes.
    static let size = 32

    // On the heap, because the state contains secrets.
    private let state: SecretArray<crypto_hash_sha512_state>

    /// Begins with a prefix byte, one for each use of the hash.
    init(_ prefix: UInt8) {
        state = SecretArray(repeating: crypto_hash_sha512_state(), count: 1)
        unsafe crypto_hash_sha512_init(state.start)
        add([prefix])
    }

    /// Returns the hash of one part.
    static func of(_ prefix: UInt8, _ bytes: borrowing SecretArray<UInt8>) -> SecretArray<UInt8> {
        var hash = PrefixedHash(prefix)
        hash.add(bytes)
        return hash.finish()
    }

    mutating func add(_ bytes: [UInt8]) {
        unsafe crypto_hash_sha512_update(state.start, bytes, UInt64(bytes.count))
    }

    mutating func add(_ bytes: borrowing SecretArray<UInt8>) {
        unsafe crypto_hash_sha512_update(state.start, bytes.start, UInt64(bytes.count))
    }

    consuming func finish() -> SecretArray<UInt8> {
        let whole = SecretArray<UInt8>(repeating: 0, count: 2 * PrefixedHash.size)
        unsafe crypto_hash_sha512_final(state.start, whole.start)
        return whole.prefix(PrefixedHash.size)
    }
}
