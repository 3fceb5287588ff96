import ByteCoding
import ChatProtocol
import Testing

/// Packing of what relays pass on.
@Suite struct BinaryBatchTests {
    @Test func aSingleElementHasTheCountBeforeIt() throws {
        var batch = BinaryBatch()
        #expect(batch.payload == nil)
        let isAppended = batch.append(Bytes("{}".utf8))
        #expect(isAppended)
        #expect(batch.payload == Bytes("=\u{1}\u{0}\u{2}{}".utf8))
        #expect(batch.size == batch.payload?.count)
    }

    @Test func anElementFitsUpToTheLimitOfAMessage() {
        var batch = BinaryBatch()
        #expect(batch.largestElement == 15598)
        let results = [15599, 15598, 0].map { batch.append(Bytes(repeating: 0x20, count: $0)) }
        #expect(results == [false, true, false])
        #expect(batch.payload?.count == ChatLimit.message)
    }

    @Test func aBatchHasAsManyElementsAsItsCountCanSay() throws {
        let batches = BinaryBatch.batches(of: (0..<600).map { Bytes("{\"n\":\($0)}".utf8) })
        #expect(batches.map(\.elements.count) == [255, 255, 90])
        let read = try batches.flatMap { ChatPayload.elements(of: try #require($0.payload)).map(\.bytes) }
        #expect(read == (0..<600).map { Bytes("{\"n\":\($0)}".utf8) })
    }

    @Test func theOrderStaysAndWhatIsTooLargeIsLeftOut() {
        let sizes = [9000, 6000, 20000, 700, 15598, 1]
        let batches = BinaryBatch.batches(of: sizes.map { Bytes(repeating: 0x7b, count: $0) })
        #expect(batches.map { $0.elements.map(\.count) } == [[9000, 6000], [700], [15598], [1]])
        for batch in batches { #expect(batch.size <= ChatLimit.message && batch.payload?.count == batch.size) }
    }

    @Test func introductionsStandBeforeTheElements() {
        var batch = BinaryBatch()
        _ = batch.append(Bytes("post".utf8))
        let known = batch.preceded(by: [])
        #expect(known == [batch])
        let names = ["bob", "cath"].map { Bytes($0.utf8) }
        #expect(batch.preceded(by: names).map(\.elements) == [names + [Bytes("post".utf8)]])
    }

    @Test func introductionsThatDoNotFitComeFirst() {
        var batch = BinaryBatch()
        _ = batch.append(Bytes(repeating: 0x31, count: 10_000))
        let sizes = [5000, 4000, 580, 16_000]
        let sent = batch.preceded(by: sizes.map { Bytes(repeating: 0x32, count: $0) })
        #expect(sent.map { $0.elements.map(\.count) } == [[4000], [5000, 580, 10_000]])
    }

    @Test(arguments: 0..<40) func allElementsArriveOnceInOrder(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let elements = (0..<Int.random(in: 1...80, using: &random)).map { number in
            Bytes("{\"n\":\(number),\"x\":\"".utf8)
                + Bytes(repeating: 0x61, count: Int.random(in: 0...4000, using: &random)) + Bytes("\"}".utf8)
        }
        let batches = BinaryBatch.batches(of: elements)
        #expect(try batches.flatMap { ChatPayload.elements(of: try #require($0.payload)).map(\.bytes) } == elements)
        let introductions = elements.shuffled(using: &random).prefix(5)
        let last = try #require(batches.last)
        let sent = last.preceded(by: Array(introductions))
        #expect(sent.allSatisfy { $0.size <= ChatLimit.message })
        #expect(Set(sent.flatMap(\.elements)) == Set(introductions + last.elements))
        #expect(sent.last?.elements.suffix(last.elements.count) == last.elements[...])
    }
}

/// Numbers that are the same for the same seed.
private struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
