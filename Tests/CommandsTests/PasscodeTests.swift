import Commands
import CryptoCore
import Navigation
import TestSupport
import Testing

@Suite struct PasscodeTests {
    private func passcode(_ text: String) throws -> Passcode {
        try #require(Passcode(Secret(copying: Array(text.utf8))))
    }

    @Test func passcodesAreStoredAsHashes() throws {
        let random = SeededRandom(seed: 1)
        let stored = try passcode("1234").hash(random, cost: .minimal)
        #expect(stored.isNumeric)
        #expect(try passcode("1234").matches(stored))
        #expect(try !passcode("1235").matches(stored))
        #expect(try !passcode("12345").matches(stored))
        let again = try passcode("1234").hash(random, cost: .minimal)
        #expect(again.hash != stored.hash, "each has its salt")
        #expect(try !passcode("12a4").hash(random, cost: .minimal).isNumeric)
    }

    @Test func whatIsTooShortOrTooLongIsNone() {
        #expect(Passcode(Secret(copying: [])) == nil)
        #expect(Passcode(Secret(copying: Array(repeating: 49, count: 257))) == nil)
        #expect(Passcode(Secret(copying: Array(repeating: 49, count: 256))) != nil)
    }

    @Test func damagedHashesAreNobodysPasscode() throws {
        let stored = try passcode("1234").hash(SeededRandom(seed: 1), cost: .minimal)
        for broken in [
            GateRecord.Hash(salt: [], hash: stored.hash, passes: 1, memory: 8, isNumeric: true),
            GateRecord.Hash(salt: stored.salt, hash: stored.hash, passes: 0, memory: 8, isNumeric: true),
            GateRecord.Hash(salt: stored.salt, hash: stored.hash, passes: 1, memory: 0, isNumeric: true),
            GateRecord.Hash(salt: stored.salt, hash: [1], passes: 1, memory: 8, isNumeric: true),
            // These would take hours, or all of the memory.
            GateRecord.Hash(salt: stored.salt, hash: stored.hash, passes: .max, memory: 8, isNumeric: true),
            GateRecord.Hash(salt: stored.salt, hash: stored.hash, passes: 1, memory: .max, isNumeric: true),
        ] {
            #expect(try !passcode("1234").matches(broken))
        }
    }

    @Test func aPasscodeIsTheRightOneOrTheLastOneOrNone() throws {
        var record = GateRecord()
        #expect(try passcode("1234").answer(to: record) == .wrong)
        record.passcode = try passcode("1234").hash(SeededRandom(seed: 1), cost: .minimal)
        record.selfDestruct = try passcode("9999").hash(SeededRandom(seed: 2), cost: .minimal)
        #expect(try passcode("1234").answer(to: record) == .right)
        #expect(try passcode("9999").answer(to: record) == .selfDestruct)
        #expect(try passcode("1111").answer(to: record) == .wrong)
    }
}
