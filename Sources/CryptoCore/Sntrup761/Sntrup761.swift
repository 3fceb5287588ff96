public import ByteCoding
internal import CSodium

/// Streamlined NTRU Prime 761: a key encapsulation that a quantum computer is not known to break
/// (draft-josefsson-ntruprime-streamlined-00, the KEM of OpenSSH).
///
/// SECURITY: Nothing here branches on a secret or uses one as an index, and what is left of a computation is wiped. Only how
/// often a key pair is tried depends on numbers, which are thrown away then.
public enum Sntrup761 {
    /// The size of a public key: the encoded polynomial h = g / (3 f).
    public static let publicKeySize = 1158
    /// The size of a secret key: f, 1 / g, the public key, a secret for answers to wrong ciphertexts, and a hash of the
    /// public key.
    public static let secretKeySize = 1763
    /// The size of a ciphertext: a rounded polynomial and a hash that confirms it.
    public static let ciphertextSize = 1039
    /// The size of the secret that is shared.
    public static let sharedSecretSize = 32

    /// A new key pair.
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

    /// A new secret and its ciphertext for the holder of `publicKey`, of which only the size is checked.
    public static func encapsulate(
        to publicKey: Bytes, random source: any RandomSource
    ) throws(CryptoError) -> (ciphertext: Bytes, secret: Secret) {
        guard publicKey.count == publicKeySize else { throw .invalidKey }
        let r = Polynomial.randomShort(source)
        let input = PrefixedHash.of(3, r.smallBytes())
        let ciphertext = ciphertext(of: r, input, for: publicKey, hash(of: publicKey)).copyBytes()
        return (ciphertext, session(1, input, ciphertext))
    }

    /// The secret inside of `ciphertext`, of which only the size is checked: one for another key, or a damaged one, gives a
    /// secret that nobody knows (implicit rejection).
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

    /// The hash of a public key that goes into the ciphertexts for it.
    private static func hash(of publicKey: Bytes) -> Bytes {
        var hash = PrefixedHash(4)
        hash.add(publicKey)
        return hash.finish().copyBytes()
    }

    /// The ciphertext of a short polynomial. `input` is the hash of its encoding.
    private static func ciphertext(
        of r: borrowing Polynomial, _ input: borrowing SecretArray<UInt8>, for publicKey: Bytes, _ keyHash: Bytes
    ) -> SecretArray<UInt8> {
        let product = Polynomial(publicKey: publicKey).timesModQ(r)
        var confirmation = PrefixedHash(2)
        confirmation.add(input)
        confirmation.add(keyHash)
        return product.roundedBytes() + confirmation.finish()
    }

    /// The shared secret (prefix 1), or the one that answers a wrong ciphertext (prefix 0).
    private static func session(
        _ prefix: UInt8, _ input: borrowing SecretArray<UInt8>, _ ciphertext: Bytes
    ) -> Secret {
        var hash = PrefixedHash(prefix)
        hash.add(input)
        hash.add(ciphertext)
        return hash.finish().secret()
    }
}

/// The first half of SHA-512 of a byte and several parts, some of which are secret.
struct PrefixedHash: ~Copyable {
    /// The size of the hash.
    static let size = 32

    // Not in the stack of the caller, because the state has the secrets.
    private let state: SecretArray<crypto_hash_sha512_state>

    /// Begins with the byte, which tells the uses of the hash apart.
    init(_ prefix: UInt8) {
        state = SecretArray(repeating: crypto_hash_sha512_state(), count: 1)
        unsafe crypto_hash_sha512_init(state.start)
        add([prefix])
    }

    /// The hash of one part.
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
