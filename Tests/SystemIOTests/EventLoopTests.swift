import Glibc
import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite struct EventLoopTests {
    @Test func timersFireInTheOrderOfTheirDeadlines() throws {
        let loop = try EventLoop()
        var fired: [Int] = []
        loop.after(.milliseconds(20)) { fired.append(3) }
        loop.after(.milliseconds(5)) { fired.append(1) }
        loop.after(.milliseconds(5)) { fired.append(2) }
        let cancelled = loop.after(.milliseconds(1)) { fired.append(0) }
        cancelled.cancel()
        loop.run { fired.count == 3 }
        #expect(fired == [1, 2, 3])
    }

    @Test func aTimerMayStartATimer() throws {
        let loop = try EventLoop()
        var count = 0
        func again() {
            count += 1
            if count < 100 { loop.after(.zero, again) }
        }
        loop.after(.zero, again)
        loop.run { count == 100 }
        #expect(count == 100)
    }

    @Test func cancelled_timers_are_dropped_before_their_deadline() {
        var queue = TimerQueue()
        let start = ContinuousClock.now
        var fired: [Int] = []
        let first = queue.add(deadline: start + .seconds(1)) { fired.append(1) }
        for number in 0..<10_000 {
            queue.add(deadline: start + .seconds(30 + number)) { fired.append(-1) }.cancel()
            if number % 1000 == 0 { _ = queue.add(deadline: start + .seconds(2 + number)) { fired.append(number + 2) } }
        }
        #expect(queue.size <= 128)
        for timer in queue.takeDue(now: start + .seconds(20_000)) { timer.fire() }
        #expect(fired == [1] + (0..<10).map { $0 * 1000 + 2 } && queue.size == 0)
        _ = first
    }

    @Test func manyTimersKeepTheirOrder() {
        var queue = TimerQueue()
        var random = SeededRandom(seed: 1)
        let start = ContinuousClock.now
        var fired: [Int64] = []
        var expected: [Int64] = []
        for index in 0..<500 {
            let delay = Int64.random(in: 0...30_000, using: &random)
            let timer = queue.add(deadline: start + .microseconds(delay)) { fired.append(delay) }
            if index.isMultiple(of: 7) { timer.cancel() } else { expected.append(delay) }
        }
        for step in 1...30 {
            for timer in queue.takeDue(now: start + .milliseconds(step)) { timer.fire() }
        }
        #expect(fired == expected.sorted())
        #expect(queue.millisecondsToNext(now: start) == -1)
    }

    @Test func anotherThreadWakesTheLoop() throws {
        let loop = try EventLoop()
        var isAwake = false
        WorkerThread.start { [loop] in
            loop.post {}
        }
        let mark = Mutex(false)
        WorkerThread.start {
            usleep(1000)
            loop.post { mark.withLock { $0 = true } }
        }
        loop.after(.seconds(10)) { isAwake = true }
        loop.run { mark.withLock { $0 } || isAwake }
        #expect(!isAwake, "the deadline came before the other thread")
    }

    @Test func aReadableDescriptorCallsItsHandlerUntilUnwatched() throws {
        let loop = try EventLoop()
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        let reader = FileDescriptor(owning: ends[0]), writer = FileDescriptor(owning: ends[1])
        let number = reader.number
        var received: [UInt8] = []
        var descriptor: FileDescriptor? = consume reader
        try loop.watch(number, for: .reading) { ready in
            #expect(ready == .reading)
            if let bytes = try? descriptor?.read(2), !bytes.isEmpty { received += bytes } else { descriptor = nil }
            if descriptor == nil { loop.unwatch(number) }
        }
        try writer.write([1, 2, 3])
        loop.run { received.count == 3 }
        #expect(received == [1, 2, 3])
        // The end of the stream is readable too.
        _ = consume writer
        loop.run { descriptor == nil }
    }

    @Test func prioritized_descriptor_is_handled_first() throws {
        let loop = try EventLoop()
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer {
            close(reader)
            close(writer)
        }
        var happened: [String] = []
        try loop.watch(reader, for: .reading) { _ in
            var byte: UInt8 = 0
            _ = unsafe read(reader, &byte, 1)
            happened.append("key")
        }
        loop.prioritize(reader)
        for number in 0..<3 {
            loop.atEndOfTurn {
                happened.append("\(number)")
                if number == 0 { _ = unsafe write(writer, "x", 1) }
            }
        }
        loop.run { happened.count == 4 }
        // Once, though the loop was told of it, too.
        _ = unsafe write(writer, "y", 1)
        loop.run { happened.count == 5 }
        #expect(happened == ["0", "key", "1", "2", "key"])
        loop.prioritize(nil)
        loop.unwatch(reader)
    }

    @Test func tasksActorsAndTheirCalleesRunOnTheLoop() throws {
        let loop = try EventLoop()
        let counter = Counter(loop)
        let total = try loop.run {
            for _ in 0..<10 { await counter.increment() }
            return await counter.count
        }
        #expect(total == 10)
    }

    @Test func workOfAnotherThreadEndsOnTheLoop() throws {
        let loop = try EventLoop()
        let own = pthread_self()
        var results: [Int] = []
        for number in 0..<20 {
            loop.offload {
                #expect(pthread_equal(own, pthread_self()) == 0)
                return number
            } then: { number in
                #expect(pthread_equal(own, pthread_self()) != 0)
                results.append(number)
            }
        }
        loop.run { results.count == 20 }
        #expect(results.sorted() == Array(0..<20))
    }

    @Test func theEndOfATurnComesBeforeTheNextWait() throws {
        let loop = try EventLoop()
        var order: [String] = []
        loop.after(.zero) {
            order.append("first")
            loop.atEndOfTurn { order.append("end") }
        }
        loop.after(.zero) { order.append("second") }
        loop.run { order.contains("end") }
        #expect(order == ["first", "second", "end"])
    }

    @Test func theEndOfATurnThatHasNotBegunComesAtOnce() throws {
        let loop = try EventLoop()
        var isLate = false, hasEnded = false
        loop.after(.seconds(10)) { isLate = true }
        loop.atEndOfTurn { hasEnded = true }
        loop.run { hasEnded || isLate }
        #expect(!isLate)
    }

    @Test func signalsArriveAsEvents() throws {
        let loop = try EventLoop()
        var received: [Int32] = []
        let watch = try SignalWatch([SIGUSR1], on: loop) { received.append($0) }
        pthread_kill(pthread_self(), SIGUSR1)
        loop.run { !received.isEmpty }
        #expect(received == [SIGUSR1])
        _ = consume watch
    }
}

private actor Counter {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
    private(set) var count = 0

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    func increment() {
        loop.checkIsolated()
        count += 1
    }
}
