import ByteCoding
import CryptoCore
import Ratchet
import TestSupport
import Testing

/// How two parties of a test begin.
struct Beginning: Sendable, CustomTestStringConvertible {
    var version: UInt16 = 3
    /// Whether the initiator (alice) and the joiner (bob) use the KEM.
    var aliceUsesKEM = false
    var bobUsesKEM = false
    /// Whether alice's link proposes a KEM key.
    var isProposedInLink = false

    var testDescription: String {
        "version \(version), KEM of alice \(aliceUsesKEM), of bob \(bobUsesKEM), in the link \(isProposedInLink)"
    }

    static let all = [
        Beginning(version: 2), Beginning(), Beginning(bobUsesKEM: true), Beginning(aliceUsesKEM: true),
        Beginning(aliceUsesKEM: true, bobUsesKEM: true),
        Beginning(aliceUsesKEM: true, bobUsesKEM: true, isProposedInLink: true),
        Beginning(version: 2, aliceUsesKEM: true, bobUsesKEM: true),
    ]

    /// The initiator and the joiner, after the confirmation and before the first message.
    func parties(seed: UInt64) throws -> (alice: Party, bob: Party) {
        let alice = ToyRatchetKeys(SeededRandom(seed: seed), usesKEM: aliceUsesKEM)
        let bob = ToyRatchetKeys(SeededRandom(seed: seed &+ 1_000_000), usesKEM: bobUsesKEM)
        let aliceKeys = X3DHPrivateKeys(
            key1: alice.x448PrivateKey(), key2: alice.x448PrivateKey(),
            kem: isProposedInLink ? .proposed(alice.keyPair()) : nil)
        let offer = aliceKeys.offer(RatchetVersion.supported)
        let bobKeys = X3DHPrivateKeys(
            key1: bob.x448PrivateKey(), key2: bob.x448PrivateKey(), kem: bobsKEM(bob, offer: offer))
        return (
            Party(
                state: try .initiator(
                    own: aliceKeys, peer: bobKeys.parameters(for: version), maximumVersion: 3,
                    isPostQuantum: aliceUsesKEM, random: alice),
                random: alice),
            Party(
                state: try .joiner(
                    own: bobKeys, peer: offer.parameters(for: version), maximumVersion: 3, random: bob),
                random: bob)
        )
    }

    private func bobsKEM(_ bob: ToyRatchetKeys, offer: RatchetOffer) -> X3DHPrivateKeys.KEM? {
        guard bobUsesKEM else { return nil }
        guard let key = offer.kemKey, let made = bob.encapsulate(to: key) else { return .proposed(bob.keyPair()) }
        return .accepted(bob.keyPair(), made)
    }
}
