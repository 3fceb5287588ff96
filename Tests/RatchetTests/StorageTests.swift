import ByteCoding
import CryptoCore
import Ratchet
import TestSupport
import Testing

@Suite struct StorageTests {
    /// States with and without chains and KEM keys.
    private func states(_ beginning: Beginning) throws -> [RatchetState] {
        var (alice, bob) = try beginning.parties(seed: 1)
        var states = [alice.state, bob.state]
        _ = try alice.read(try bob.send("first"))
        states.append(alice.state)
        _ = try bob.read(try alice.send("second"))
        return states + [bob.state]
    }

    @Test(arguments: Beginning.all)
    func statesSurviveTheStore(beginning: Beginning) throws {
        for state in try states(beginning) {
            let stored = state.stored().copyBytes()
            let loaded = try RatchetState(stored: Secret(copying: stored))
            #expect(loaded.stored().copyBytes() == stored)
            #expect(stored.count <= (state.postQuantum.kem == nil ? 528 : 4495))
        }
    }

    @Test func damagedStatesAreRefusedOrDifferent() throws {
        let withKEM = Beginning(aliceUsesKEM: true, bobUsesKEM: true, isProposedInLink: true)
        for state in try states(Beginning()) + states(withKEM).suffix(1) {
            Damage.check(state.stored().copyBytes()) {
                try RatchetState(stored: Secret(copying: $0)).stored().copyBytes()
            }
        }
    }

    /// A damaged state may be readable; then it must not trap either.
    @Test func damagedStatesDoNotTrap() throws {
        var (alice, bob) = try Beginning(aliceUsesKEM: true, bobUsesKEM: true).parties(seed: 2)
        _ = try alice.read(try bob.send("first"))
        _ = try bob.read(try alice.send("second"))
        let message = try alice.send("third")
        Damage.survive(bob.state.stored().copyBytes()) { damaged in
            let state = try RatchetState(stored: Secret(copying: damaged))
            _ = try? state.decrypting(message, skipped: SkippedKeys(), random: bob.random)
            _ = try state.encrypting([1, 2, 3], paddedSize: 100)
        }
    }

    /// Keys without and with the KEM, whose first bytes differ.
    @Test(arguments: [false, true])
    func skippedKeysSurviveTheStore(isPostQuantum: Bool) throws {
        let beginning = Beginning(
            aliceUsesKEM: isPostQuantum, bobUsesKEM: isPostQuantum, isProposedInLink: isPostQuantum)
        var (alice, bob) = try beginning.parties(seed: 3)
        let messages = try bob.send(count: 3)
        _ = try alice.read(messages[2])
        for key in alice.skipped.all {
            let stored = key.stored().copyBytes()
            #expect(stored.count == 85 && stored.first == (isPostQuantum ? 2 : 1))
            let loaded = try SkippedKey(stored: Secret(copying: stored))
            #expect(loaded.stored().copyBytes() == stored)
            Damage.check(stored) { try SkippedKey(stored: Secret(copying: $0)).stored().copyBytes() }
        }
        let opened = try alice.state.decrypting(messages[0], skipped: alice.skipped, random: alice.random)
        guard case .removed(let used) = opened.skipped else {
            Issue.record("the key stays in the store")
            return
        }
        #expect(alice.skipped.all.filter { $0.stored().isEqual(to: used.stored()) }.count == 1)
    }

    @Test func privateKeysSurviveTheStore() throws {
        let keys = ToyRatchetKeys(SeededRandom(seed: 4))
        let pair = keys.keyPair(), made = try #require(keys.encapsulate(to: pair.publicKey))
        for kem in [nil, X3DHPrivateKeys.KEM.proposed(pair), .accepted(pair, made)] {
            let own = X3DHPrivateKeys(key1: keys.x448PrivateKey(), key2: keys.x448PrivateKey(), kem: kem)
            let stored = own.stored().copyBytes()
            let loaded = try X3DHPrivateKeys(stored: Secret(copying: stored))
            #expect(loaded.parameters(for: 3) == own.parameters(for: 3))
            #expect(loaded.key1.secret.isEqual(to: own.key1.secret))
            #expect(loaded.stored().copyBytes() == stored)
            // A proposed key is stored as the beginning of an accepted one.
            if case .proposed = kem { continue }
            Damage.check(stored) { try X3DHPrivateKeys(stored: Secret(copying: $0)).stored().copyBytes() }
        }
    }

    /// What was stored before the KEM was used is what is stored without it.
    @Test func statesWithoutKEMKeepTheirFormat() throws {
        let hashes = try states(Beginning()).map { Hex.encode(SHA256.hash($0.stored().copyBytes()).prefix(8)) }
        #expect(hashes == ["796e09c69d54f713", "c85f037e39b7c3b8", "43c36588bdf9573e", "be9808be4c2654c7"])
    }

    @Test func otherFormatsAreRefused() throws {
        let (alice, _) = try Beginning().parties(seed: 5)
        var stored = alice.state.stored().copyBytes()
        stored[0] = 2
        #expect(throws: DecodeError.invalid("storage format")) { try RatchetState(stored: Secret(copying: stored)) }
        #expect(throws: DecodeError.truncated) { try RatchetState(stored: Secret(copying: [])) }
    }
}
