public import ByteCoding
internal import CSodium

/// Argon2id version 1.3 (RFC 9106) with one lane, which derives a key from a passphrase slowly and with much memory.
public enum Argon2id {
    /// The size of a salt in bytes.
    public static let saltSize = 16

    /// The time and memory that one derivation takes.
    public struct Cost: Hashable, Sendable {
        /// The number of passes over the memory, at least 1.
        public let passes: UInt32
        /// The memory in KiB, at least 8.
        public let memory: UInt32

        /// Creates a cost, or returns nil if libsodium does not support it.
        public init?(passes: UInt32, memory: UInt32) {
            guard passes >= crypto_pwhash_argon2id_OPSLIMIT_MIN, memory >= 8 else { return nil }
            self.passes = passes
            self.memory = memory
        }

        private init(known passes: UInt32, _ memory: UInt32) {
            self.passes = passes
            self.memory = memory
        }

        /// Three passes over 64 MiB, the recommendation of RFC 9106 section 4 for little memory.
        public static let recommended = Cost(known: 3, 64 << 10)
        /// The largest memory of a cost read from a file, in KiB: 256 MiB.
        public static let largestMemory: UInt32 = 256 << 10
        /// The largest total work of the costs in one file: eight times the recommended cost, about two seconds. The
        /// author of a file chooses its costs, so the limit is checked before any derivation.
        public static let budget = 8 * recommended.work

        /// The memory times the passes, in KiB.
        var work: UInt64 { UInt64(passes) * UInt64(memory) }

        /// Returns true if costs from a file are within ``largestMemory`` each and ``budget`` together.
        public static func areAffordable(_ costs: [Cost]) -> Bool {
            var left = budget
            for cost in costs {
                guard cost.memory <= largestMemory, cost.work <= left else { return false }
                left -= cost.work
            }
            return true
        }

        /// The smallest cost, for tests.
        public static let minimal = Cost(known: 1, 8)
    }

    /// Derives `count` bytes (16 or more) from a passphrase. Blocks for a large part of a second at the recommended
    /// cost.
    ///
    /// - Parameter salt: 16 bytes.
    /// - Throws: ``CryptoError/libraryFailed`` if memory is short.
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
