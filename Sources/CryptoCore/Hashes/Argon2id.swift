public import ByteCoding
internal import CSodium

/// Argon2id version 1.3 (RFC 9106) with one lane: a key from a passphrase, slow and large on purpose.
public enum Argon2id {
    public static let saltSize = 16

    /// What one attempt costs, for whoever knows the passphrase as for whoever guesses.
    public struct Cost: Hashable, Sendable {
        /// How often the memory is gone through, at least once.
        public let passes: UInt32
        /// The memory in KiB, at least 8.
        public let memory: UInt32

        /// Nil if libsodium cannot do it.
        public init?(passes: UInt32, memory: UInt32) {
            guard passes >= crypto_pwhash_argon2id_OPSLIMIT_MIN, memory >= 8 else { return nil }
            self.passes = passes
            self.memory = memory
        }

        private init(known passes: UInt32, _ memory: UInt32) {
            self.passes = passes
            self.memory = memory
        }

        /// Three passes over 64 MiB: what RFC 9106 section 4 recommends where memory is short, as on a rented server.
        public static let recommended = Cost(known: 3, 64 << 10)
        /// The most memory that a cost from a file may ask for, in KiB: 256 MiB.
        public static let largestMemory: UInt32 = 256 << 10
        /// The most work that the costs from one file may ask for together: eight times the recommended cost, about two
        /// seconds. Whoever made the file decides how much is asked for, so it is checked before anything is computed.
        public static let budget = 8 * recommended.work

        /// The memory that is gone through in all passes, in KiB.
        var work: UInt64 { UInt64(passes) * UInt64(memory) }

        /// True if costs from a file are within ``largestMemory`` each and ``budget`` together.
        public static func areAffordable(_ costs: [Cost]) -> Bool {
            var left = budget
            for cost in costs {
                guard cost.memory <= largestMemory, cost.work <= left else { return false }
                left -= cost.work
            }
            return true
        }

        /// As little as possible: for tests.
        public static let minimal = Cost(known: 1, 8)
    }

    /// `count` bytes (16 or more) from a passphrase. Blocks for a good part of a second at the recommended cost.
    ///
    /// - Parameter salt: 16 bytes.
    /// - Throws: ``CryptoError/libraryFailed`` if there is not enough memory.
    public static func derive(
        _ count: Int, from passphrase: Secret, salt: Bytes, cost: Cost
    ) throws(CryptoError) -> Secret {
        precondition(salt.count == saltSize, "Argon2id has a salt of 16 bytes")
        Sodium.require()
        return unsafe Secret(
            try SecretBytes(count: count) { output throws(CryptoError) in
                let status = unsafe passphrase.withUnsafeBytes { text in
                    unsafe text.octets.withMemoryRebound(to: CChar.self, capacity: text.count) { characters in
                        unsafe crypto_pwhash_argon2id(
                            output.octets, UInt64(count), characters, UInt64(text.count), salt, UInt64(cost.passes),
                            Int(cost.memory) << 10, crypto_pwhash_argon2id_ALG_ARGON2ID13)
                    }
                }
                guard status == 0 else { throw .libraryFailed }
            })
    }
}
