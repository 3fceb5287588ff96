import ByteCoding
import CryptoCore
import Glibc

/// Secrets that are memory which nobody wrote, so that valgrind tells of every branch and every index that depends on one.
///
/// One is expected: whether a random polynomial has an inverse. Those that have none are thrown away.
struct UndefinedMemory: RandomSource {
    @unsafe
    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let memory = unsafe UndefinedMemory.allocate(buffer.count) else { stop("no memory") }
        unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(start: memory, count: buffer.count))
        unsafe free(memory)
    }

    // Out of sight of the optimizer, which takes undefined memory for whatever is convenient.
    @inline(never) @_optimize(none)
    private static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
        unsafe malloc(count)
    }

    /// Uses such secrets in every part of the KEM.
    static func run() throws {
        let pair = Sntrup761.keyPair(random: SystemRandom()), undefined = UndefinedMemory()
        _ = Sntrup761.keyPair(random: undefined)
        _ = try Sntrup761.encapsulate(to: pair.publicKey, random: undefined)
        let ciphertext = try Sntrup761.encapsulate(to: pair.publicKey, random: SystemRandom()).ciphertext
        // Both polynomials, and what answers wrong ciphertexts; between and behind them is what everybody knows.
        let parts = pair.secretKey.split(382, Sntrup761.publicKeySize, 191, 32)
        var secretKey = SecretWriter()
        secretKey.secret(Secret(random: undefined, count: parts[0].count))
        secretKey.secret(parts[1])
        secretKey.secret(Secret(random: undefined, count: parts[2].count))
        secretKey.secret(parts[3])
        _ = try Sntrup761.decapsulate(ciphertext, with: secretKey.finish())
    }
}
