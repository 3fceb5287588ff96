import Synchronization
import SystemIO
import Testing

@Suite struct BackgroundWriterTests {
    private enum Trouble: Error { case full, broken }

    /// Takes bytes only when it is let, as a reader does who stands still.
    private final class Reader: Sendable {
        let taken = Mutex<[UInt8]>([])
        let begun = try? BlockingResult<Void>()
        let gate = try? BlockingResult<Void>()

        func take(_ bytes: [UInt8]) throws(Trouble) {
            begun?.deliver(())
            _ = gate?.wait(within: .seconds(10))
            if bytes.contains(0) { throw .broken }
            taken.withLock { $0 += bytes }
        }
    }

    private func wait(_ writer: BackgroundWriter<Trouble>) async {
        await withCheckedContinuation { continuation in writer.whenIdle { continuation.resume() } }
    }

    @Test func writes_in_order_without_blocking() async throws {
        let reader = Reader()
        let writer = BackgroundWriter(limit: 100, overflow: Trouble.full, write: reader.take)
        for byte in UInt8(1)...50 { try writer.put([byte]) }
        #expect(reader.taken.withLock { $0 }.isEmpty)
        reader.gate?.deliver(())
        await wait(writer)
        #expect(reader.taken.withLock { $0 } == Array(UInt8(1)...50))
        try writer.put([51])
        await wait(writer)
        #expect(reader.taken.withLock { $0.last } == 51)
    }

    @Test func overflow_is_an_error() async throws {
        let reader = Reader()
        let writer = BackgroundWriter(limit: 3, overflow: Trouble.full, write: reader.take)
        try writer.put([1])
        // What is being written does not wait any more.
        _ = reader.begun?.wait(within: .seconds(10))
        try writer.put([2, 3, 4])
        #expect(throws: Trouble.full) { try writer.put([5]) }
        #expect(throws: Trouble.full) { try writer.check() }
        reader.gate?.deliver(())
        await wait(writer)
        #expect(throws: Trouble.full) { try writer.put([6]) }
    }

    @Test func keepsTheErrorOfAWrite() async throws {
        let reader = Reader()
        let writer = BackgroundWriter(limit: 100, overflow: Trouble.full, write: reader.take)
        reader.gate?.deliver(())
        try writer.put([0])
        await wait(writer)
        #expect(throws: Trouble.broken) { try writer.check() }
        #expect(throws: Trouble.broken) { try writer.put([1]) }
        await wait(writer)
        #expect(reader.taken.withLock { $0 }.isEmpty)
    }
}
