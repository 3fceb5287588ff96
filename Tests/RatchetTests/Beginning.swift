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
        try parties(
            alice: ToyRatchetKeys(SeededRandom(seed: seed)), bob: ToyRatchetKeys(SeededRandom(seed: seed &+ 1_000_000)))
    }

    /// The same with other sources of keys.
    func parties(alice: any RatchetRandomness, bob: any RatchetRandomness) throws -> (alice: Party, bob: Party) {
        let aliceKeys = X3DHPrivateKeys(proposesKEM: isProposedInLink, random: alice)
        let offer = aliceKeys.offer(RatchetVersion.supported)
        let bobKeys = try X3DHPrivateKeys(answering: offer.parameters(for: version), usesKEM: bobUsesKEM, random: bob)
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
}
