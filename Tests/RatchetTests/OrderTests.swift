import ByteCoding
import CryptoCore
import Ratchet
import TestSupport
import Testing

/// Messages that arrive late, twice, or never.
@Suite struct OrderTests {
    @Test(arguments: Beginning.all)
    func anyOrderOfOneChain(beginning: Beginning) throws {
        let parties = try beginning.parties(seed: 1)
        var bob = parties.bob
        let messages = try bob.send(count: 5)
        let orders = permutations(Array(messages.indices))
        #expect(orders.count == 120)
        for order in orders {
            var alice = parties.alice
            for number in order {
                #expect(try alice.read(messages[number]) == "\(number)")
            }
            #expect(alice.skipped.count == 0)
            for number in order {
                #expect(throws: number == 4 ? RatchetError.duplicate : .earlier(by: 4 - number)) {
                    try alice.read(messages[number])
                }
            }
        }
    }

    @Test func late_duplicate_error_depends_on_missing_messages() throws {
        var (alice, bob) = try Beginning().parties(seed: 2)
        let first = try bob.send(count: 4)
        _ = try alice.read(first[3])
        _ = try alice.read(first[1])
        #expect(throws: RatchetError.earlier(by: 2)) { try alice.read(first[1]) }

        _ = try bob.read(try alice.send("answer"))
        _ = try alice.read(try bob.send("new chain"))
        #expect(throws: RatchetError.formerChain) { try alice.read(first[1]) }
        #expect(throws: RatchetError.formerChain) { try alice.read(first[3]) }
        #expect(try alice.read(first[0]) == "0")
        #expect(try alice.read(first[2]) == "2")
        #expect(throws: RatchetError.headerNotAuthentic) { try alice.read(first[0]) }
        #expect(alice.skipped.count == 0)
    }

    @Test func keysOfSeveralChainsWait() throws {
        var (alice, bob) = try Beginning().parties(seed: 3)
        var late: [(text: String, message: Bytes)] = []
        for round in 0..<5 {
            let lateMessage = try bob.send("late \(round)"), message = try bob.send("\(round)")
            late.append(("late \(round)", lateMessage))
            #expect(try alice.read(message) == "\(round)")
            #expect(try bob.read(try alice.send("answer")) == "answer")
        }
        #expect(alice.skipped.count == 5)
        try alice.reload()
        for (text, message) in late.reversed() {
            #expect(try alice.read(message) == text)
        }
        #expect(alice.skipped.count == 0)
    }

    @Test func theFirstMessageOfAChainNeedNotArriveFirst() throws {
        var (alice, bob) = try Beginning().parties(seed: 4)
        let first = try bob.send(count: 3)
        _ = try alice.read(first[0])
        _ = try bob.read(try alice.send("answer"))
        let second = try bob.send(count: 3)
        let opened = try alice.state.decrypting(second[2], skipped: alice.skipped, random: alice.random)
        #expect(opened.isAdvance)
        guard case .added(let keys) = opened.skipped else {
            Issue.record("the messages between have no keys")
            return
        }
        #expect(keys.count == 4)
        for number in 0..<3 {
            #expect(try alice.read(second[2 - number]) == "\(2 - number)")
        }
        #expect(try alice.read(first[2]) == "2")
        #expect(try alice.read(first[1]) == "1")
    }

    @Test func atMost512InARowAreMissing() throws {
        let parties = try Beginning().parties(seed: 5)
        var bob = parties.bob
        let messages = try bob.send(count: 514)
        var alice = parties.alice
        #expect(throws: RatchetError.tooManySkipped(514)) { try alice.read(messages[513]) }
        #expect(try alice.read(messages[512]) == "512")
        #expect(alice.skipped.count == 512)
        #expect(try alice.read(messages[513]) == "513")
        #expect(try alice.read(messages[0]) == "0")
    }

    /// Each of the two skips of a new chain has its own limit.
    @Test func skip_limit_counts_each_chain_separately() throws {
        var (alice, bob) = try Beginning().parties(seed: 6)
        _ = try alice.read(try bob.send("first"))
        _ = try bob.send(count: 512)
        let answer = try alice.send("answer")
        var lossy = bob
        _ = try lossy.send("one too many")
        for (party, error) in [(bob, nil), (lossy, RatchetError.tooManySkipped(514))] {
            var party = party, reader = alice
            _ = try party.read(answer)
            let messages = try party.send(count: 513)
            let read = { () throws(RatchetError) in try reader.read(messages[512]) }
            if let error {
                #expect(throws: error, performing: read)
            } else {
                #expect(try read() == "512")
                #expect(reader.skipped.count == 1024)
            }
        }
    }

    private func permutations(_ items: [Int]) -> [[Int]] {
        guard !items.isEmpty else { return [[]] }
        return items.flatMap { item in permutations(items.filter { $0 != item }).map { [item] + $0 } }
    }
}
