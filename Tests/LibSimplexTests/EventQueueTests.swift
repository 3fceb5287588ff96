import ByteCoding
import Synchronization
import SystemIO
import Testing

@testable import LibSimplex

@Suite struct EventQueueTests {
    @Test func events_come_in_order_and_once() {
        let queue = EventQueue()
        for number in 0..<5000 { queue.put(Bytes("\(number)".utf8)) }
        for number in 0..<5000 { #expect(queue.next(within: .zero) == Bytes("\(number)".utf8)) }
        #expect(queue.next(within: .zero) == nil)
        #expect(queue.next(within: .milliseconds(5)) == nil)
    }

    @Test func old_events_are_dropped_above_the_limit() {
        let queue = EventQueue(limit: 3)
        for number in UInt8(0)..<10 { queue.put([number]) }
        #expect(queue.next(within: nil) == LibraryError.answer(.eventsDropped(7)))
        #expect((0..<3).map { _ in queue.next(within: nil) } == [[7], [8], [9]])
    }

    @Test func threads_share_the_events() {
        let queue = EventQueue(), taken = Mutex<[Int]>([]), ended = Mutex(0)
        for _ in 0..<8 {
            WorkerThread.start {
                while let event = queue.next(within: .milliseconds(500)) {
                    taken.withLock { $0.append(Int(String(decoding: event, as: UTF8.self)) ?? -1) }
                }
                ended.withLock { $0 += 1 }
            }
        }
        for number in 0..<2000 { queue.put(Bytes("\(number)".utf8)) }
        while ended.withLock({ $0 }) < 8 { SystemClock.pause(.milliseconds(10)) }
        #expect(taken.withLock { $0.sorted() } == Array(0..<2000))
    }

    @Test func a_closed_queue_lets_nobody_wait() {
        let queue = EventQueue(), ended = Mutex(false)
        WorkerThread.start {
            _ = queue.next(within: nil)
            ended.withLock { $0 = true }
        }
        SystemClock.pause(.milliseconds(20))
        queue.close()
        while !ended.withLock({ $0 }) { SystemClock.pause(.milliseconds(1)) }
        #expect(queue.next(within: nil) == nil)
        queue.open()
        queue.put([1])
        #expect(queue.next(within: nil) == [1])
    }
}
