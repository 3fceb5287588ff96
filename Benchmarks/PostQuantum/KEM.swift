import CryptoCore

/// The three operations of the KEM, and what it runs beside.
func measureKEM() throws {
    let random = SystemRandom()
    let pair = Sntrup761.keyPair(random: random)
    let made = try Sntrup761.encapsulate(to: pair.publicKey, random: random)
    try measure("sntrup761 key pair", prepare: {}) { _ = Sntrup761.keyPair(random: random) }
    try measure("sntrup761 encapsulate", prepare: {}) {
        _ = try Sntrup761.encapsulate(to: pair.publicKey, random: random)
    }
    try measure("sntrup761 decapsulate", prepare: {}) {
        _ = try Sntrup761.decapsulate(made.ciphertext, with: pair.secretKey)
    }
    let key = X448.PrivateKey(random: random), other = X448.PrivateKey(random: random).publicKey
    try measure("x448 key pair", prepare: {}) { _ = X448.PrivateKey(random: random) }
    try measure("x448 agreement", prepare: {}) { _ = try key.agree(with: other) }
}
