import ByteCoding
import Navigation
import TestSupport
import Testing

@Suite struct GateTests {
    private static let hash = GateRecord.Hash(
        salt: Bytes(repeating: 1, count: 16), hash: Bytes(repeating: 2, count: 32), passes: 3, memory: 65536,
        isNumeric: true)
    private static let other = GateRecord.Hash(
        salt: Bytes(repeating: 3, count: 16), hash: Bytes(repeating: 4, count: 32), passes: 1, memory: 8,
        isNumeric: false)

    private static func record(grace: Int64 = 0, idle: Int64? = nil) -> GateRecord {
        var record = GateRecord()
        record.passcode = hash
        record.selfDestruct = other
        record.grace = grace
        record.idle = idle
        return record
    }

    /// A gate that was opened at 0.
    private func openGate(_ record: GateRecord) -> Gate {
        var gate = Gate(record, at: 0)
        _ = gate.beginTry(at: 0)
        _ = gate.endTry(.right, at: 0)
        return gate
    }

    @Test func withoutAPasscodeThereIsNoGate() {
        var gate = Gate(GateRecord(), at: 0)
        #expect(!gate.isLocked)
        let actions = gate.lock() + gate.suspend(at: 1) + gate.resume(at: 9_999_999) + gate.tick(at: 99_999_999)
        #expect(actions == [])
        #expect(!gate.isLocked)
        #expect(gate.nextTick == nil)
    }

    @Test func sessionsBeginLocked() {
        var gate = Gate(Self.record(), at: 0)
        #expect(gate.isLocked)
        let begun = gate.beginTry(at: 5)
        #expect(begun == .store(gate.record))
        #expect(gate.record.failures == 1, "counted before it is compared")
        let actions = gate.endTry(.right, at: 6)
        #expect(actions == [.store(Self.record()), .unlock])
        #expect(!gate.isLocked)
        let again = gate.lock()
        #expect(again == [.lock])
        let removed = gate.update(GateRecord())
        #expect(removed == [.unlock])
    }

    @Test(
        arguments: [
            (0, 10, 11, true), (1_000, 10, 1_009, false), (1_000, 10, 1_010, true), (1_000, 10, 9, true),
        ] as [(Int64, Int64, Int64, Bool)])
    func suspensionsLockAfterTheGrace(grace: Int64, since: Int64, until: Int64, isLocked: Bool) {
        var gate = openGate(Self.record(grace: grace))
        let atOnce = gate.suspend(at: since)
        #expect(atOnce == (grace == 0 ? [.lock] : []))
        let later = gate.resume(at: until)
        #expect(gate.isLocked == isLocked)
        #expect(later == (isLocked && grace > 0 ? [.lock] : []))
        let twice = gate.resume(at: until + 999_999)
        #expect(twice == [], "it was not suspended")
    }

    @Test func idlingLocks() {
        var gate = openGate(Self.record(idle: 1_000))
        #expect(gate.nextTick == 1_000)
        var actions = gate.tick(at: 999) + gate.noteActivity(at: 999) + gate.tick(at: 1_998)
        #expect(actions == [])
        #expect(gate.nextTick == 1_999)
        actions = gate.tick(at: 1_999)
        #expect(actions == [.lock])
        #expect(gate.nextTick == nil)
        gate = openGate(Self.record(idle: 1_000))
        actions = gate.noteActivity(at: 5_000)
        #expect(actions == [.lock], "the key that comes too late does not count")
        gate = openGate(Self.record(idle: 1_000))
        actions = gate.noteActivity(at: 500) + gate.tick(at: 100) + gate.tick(at: 1_099)
        #expect(actions == [], "the clock was put back")
        actions = gate.tick(at: 1_100)
        #expect(actions == [.lock])
    }

    @Test func wrongTriesGetSlower() throws {
        var gate = Gate(Self.record(), at: 0)
        var now: Int64 = 1_000
        var waits: [Int64] = []
        for _ in 0..<14 {
            let wait = gate.wait(at: now)
            waits.append(wait)
            if wait > 0 {
                let early = gate.beginTry(at: now + wait - 1)
                #expect(early == nil)
            }
            now += wait
            let begun = gate.beginTry(at: now)
            #expect(begun != nil)
            let ended = gate.endTry(.wrong, at: now)
            #expect(ended == [])
            // What is stored goes on counting after a restart.
            gate = Gate(try GateRecord(decoding: gate.record.encoded), at: now)
        }
        let seconds: [Int64] = [0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
        #expect(waits == seconds.map { $0 * 1_000 })
        #expect(gate.wait(at: 0) == 300_000, "a clock that was put back")
        var set = gate
        #expect(set.noteClock(at: now + 5) == nil)
        #expect(set.noteClock(at: 100) == .store(set.record))
        #expect(set.wait(at: 100) == 300_000, "the wait begins anew")
        #expect(set.wait(at: 300_100) == 0)
        #expect(gate.wait(at: now + 300_000) == 0)
        _ = gate.beginTry(at: now + 300_000)
        _ = gate.endTry(.right, at: now + 300_000)
        #expect(gate.wait(at: now + 300_000) == 0)
        #expect(gate.record == Self.record())
    }

    @Test func selfDestructionLeavesAnOrdinaryGate() throws {
        var gate = Gate(Self.record(grace: 7, idle: 9), at: 0)
        for _ in 0..<2 {
            _ = gate.beginTry(at: 0)
            _ = gate.endTry(.wrong, at: 0)
        }
        _ = gate.beginTry(at: 0)
        let actions = gate.endTry(.selfDestruct, at: 1)
        var expected = GateRecord()
        expected.passcode = Self.other
        (expected.grace, expected.idle) = (7, 9)
        #expect(actions == [.destroy(expected)])
        #expect(!gate.isLocked)
        #expect(gate.record == expected)
        #expect(!expected.encoded.contains("selfDestruct"))
    }

    // MARK: - Storage

    @Test func recordsAreReadAgain() throws {
        for record in [GateRecord(), Self.record(), Self.record(grace: 30_000, idle: 60_000)] {
            #expect(try GateRecord(decoding: record.encoded) == record)
            Damage.check(Bytes(record.encoded.utf8)) {
                try GateRecord(decoding: String(decoding: $0, as: UTF8.self)).encoded
            }
        }
        let extreme = try GateRecord(
            decoding:
                #"{"v":1,"grace":-5,"idle":9223372036854775807,"failures":9223372036854775807,"failedAt":-9223372036854775808}"#
        )
        var gate = Gate(extreme, at: 1_000)
        #expect(gate.wait(at: 1_000) == 299_000)
        let begun = gate.beginTry(at: 1 << 40)
        #expect(begun != nil)
        #expect(gate.nextTick == nil)
        for text in ["", "{}", #"{"v":2,"grace":0,"failures":0,"failedAt":0}"#, #"{"v":1,"passcode":{}}"#] {
            #expect(throws: DecodeError.self) { try GateRecord(decoding: text) }
        }
    }

    /// The wait never goes down but by time or by the right passcode, whatever happens in between.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func delay_cannot_be_shortened(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var gate = Gate(Self.record(grace: 500, idle: 5_000), at: 0)
        var now: Int64 = 0
        var failures = 0
        for _ in 0..<300 {
            now += Int64.random(in: 0...3_000, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: _ = gate.suspend(at: now)
            case 1: _ = gate.resume(at: now)
            case 2: _ = gate.tick(at: now)
            case 3: gate = Gate(try GateRecord(decoding: gate.record.encoded), at: now)
            default:
                let wait = gate.wait(at: now)
                let begun = gate.beginTry(at: now)
                #expect((begun == nil) == (wait > 0))
                if begun != nil { failures += 1 }
            }
            #expect(gate.record.failures == Int64(failures), "seed \(seed)")
            #expect(failures < 4 || now - gate.record.failedAt + gate.wait(at: now) >= 1_000, "seed \(seed)")
        }
    }
}
