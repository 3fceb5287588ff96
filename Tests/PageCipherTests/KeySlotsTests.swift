import ByteCoding
import CryptoCore
import PageCipher
import SystemIO
import TestSupport
import Testing

/// The ways into a store.
@Suite struct KeySlotsTests {
    private let passphrase = Credential.passphrase(Secret(copying: Bytes("correct horse".utf8)))
    private let other = Credential.passphrase(Secret(copying: Bytes("battery staple".utf8)))
    private let file = Credential.keyFile(Secret(random: SeededRandom(seed: 1), count: 32))

    private func fresh(_ credential: Credential) throws -> (key: StoreKey, slots: KeySlots) {
        try KeySlots.fresh(for: credential, cost: .minimal)
    }

    @Test func slot_opens_for_its_credential_only() throws {
        for (right, wrong) in [(passphrase, other), (file, passphrase), (other, file)] {
            let (key, slots) = try fresh(right)
            let unlocked = try slots.unlock(with: right)
            #expect(unlocked.key.isEqual(to: key) && unlocked.slot == 1)
            #expect(throws: CipherError.wrongKey) { try slots.unlock(with: wrong) }
        }
        // The same bytes as a file are another credential.
        let bytes = Secret(copying: Bytes("correct horse".utf8)), (_, slots) = try fresh(passphrase)
        #expect(throws: CipherError.wrongKey) { try slots.unlock(with: .keyFile(bytes)) }
        #expect(slots.slots.map(\.kind) == [.passphrase(.minimal)])
    }

    @Test func slots_are_added_and_removed() throws {
        let (key, first) = try fresh(passphrase)
        let both = try first.adding(file, for: key)
        #expect(both.slots.map(\.id) == [1, 2] && both.revision == 2)
        #expect(try both.unlock(with: file).slot == 2)
        #expect(try both.unlock(with: passphrase).key.isEqual(to: key))
        let onlyFile = try both.removing(1)
        #expect(throws: CipherError.wrongKey) { try onlyFile.unlock(with: passphrase) }
        #expect(throws: CipherError.noSuchSlot) { try onlyFile.removing(1) }
        #expect(throws: CipherError.lastSlot) { try onlyFile.removing(2) }
        var full = first
        while full.slots.count < KeySlots.limit { full = try full.adding(file, for: key) }
        #expect(throws: CipherError.noFreeSlot) { try full.adding(file, for: key) }
        #expect(full.encoded.count == 797)
    }

    @Test func an_archive_has_one_passphrase_of_its_own() throws {
        let (key, first) = try fresh(file)
        let archive = try first.addingArchivePassphrase(passphrase, for: key, cost: .minimal)
        #expect(!first.hasArchivePassphrase && archive.hasArchivePassphrase)
        #expect(try archive.unlock(with: passphrase).slot == KeySlots.archiveID)
        #expect(try archive.unlock(with: file).key.isEqual(to: key))
        #expect(throws: CipherError.wrongKey) { try archive.unlock(with: other) }
        #expect(throws: CipherError.noFreeSlot) { try archive.addingArchivePassphrase(other, for: key, cost: .minimal) }
        // No other slot gets its number.
        var full = first
        while full.slots.count < KeySlots.limit { full = try full.adding(file, for: key) }
        #expect(!full.hasArchivePassphrase)
        #expect(throws: CipherError.noFreeSlot) { try full.addingArchivePassphrase(other, for: key, cost: .minimal) }
        let store = try archive.removing(KeySlots.archiveID)
        #expect(throws: CipherError.wrongKey) { try store.unlock(with: passphrase) }
    }

    @Test func aReplacementHasTwoSteps() throws {
        let (key, old) = try fresh(passphrase)
        #expect(old.settled == nil)
        let both = try old.replacing(1, by: other, for: key, cost: .minimal)
        #expect(both.slots.map(\.isLeaving) == [true, false])
        #expect(throws: CipherError.lastSlot) { try both.removing(2) }
        let new = try #require(both.settled)
        #expect(new.settled == nil && KeySlots.newer(old, both) == both && KeySlots.newer(new, both) == new)
        #expect(throws: CipherError.wrongKey) { try new.unlock(with: passphrase) }
        #expect(try new.unlock(with: other).key.isEqual(to: key))
    }

    @Test func encodingsAreChecked() throws {
        let (key, first) = try fresh(passphrase)
        let slots = try first.replacing(1, by: file, for: key)
        #expect(try KeySlots(decoding: slots.encoded) == slots)
        Damage.check(slots.encoded) { try KeySlots(decoding: $0) }
        // A changed slot does not open.
        for changed in Damage.variants(of: first.encoded) {
            guard let changed = try? KeySlots(decoding: changed), changed.slots[0].kind == first.slots[0].kind else {
                continue
            }
            guard let unlocked = try? changed.unlock(with: passphrase) else { continue }
            #expect(unlocked.key.isEqual(to: key))
        }
    }

    /// The encoding of as many slots, in which each passphrase costs the same: the words of revision and count come first, then
    /// of each slot its number, its mark, its kind, the passes and the memory.
    private func encoded(_ count: Int, passes: UInt32, memory: UInt32) throws -> Bytes {
        let slot = try Bytes(fresh(passphrase).slots.encoded.dropFirst(5))
        var writer = ByteWriter()
        writer.uint32(1)
        writer.uint8(UInt8(count))
        for id in 1...UInt8(count) {
            writer.uint8(id)
            writer.raw(Bytes(slot[1..<3]))
            writer.uint32(passes)
            writer.uint32(memory)
            writer.raw(Bytes(slot.dropFirst(11)))
        }
        return writer.bytes
    }

    @Test func costs_of_all_slots_have_one_budget() throws {
        let memory: UInt32 = 64 << 10
        #expect(try KeySlots(decoding: encoded(8, passes: 3, memory: memory)).slots.count == 8)
        #expect(try KeySlots(decoding: encoded(1, passes: 24, memory: memory)).slots.count == 1)
        #expect(try KeySlots(decoding: encoded(2, passes: 3, memory: 4 * memory)).slots.count == 2)
        let (most, dear) = (UInt32.max, DecodeError.invalid("cost"))
        for (count, passes, memory) in [
            (8, 4, memory), (1, 25, memory), (2, 13, memory), (1, 1, 4 * memory + 1), (8, 64, 16 * memory),
            (1, most, 8),
            (1, 1, most), (8, most, most),
        ] {
            let bytes = try encoded(count, passes: passes, memory: memory)
            #expect(throws: dear, "\(count) slots, \(passes) passes, \(memory) KiB") { try KeySlots(decoding: bytes) }
        }
    }
}
