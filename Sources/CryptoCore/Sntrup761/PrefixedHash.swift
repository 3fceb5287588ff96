internal import CSodium

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
