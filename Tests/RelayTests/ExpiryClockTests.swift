import ByteCoding
import Relay
import SMPProtocol
import SystemIO
import Testing

/// Clocks that jump.
@Suite(.timeLimit(.minutes(60))) struct ExpiryClockTests {
    private final class Clocks {
        var wall = Timestamp(seconds: 1_700_000_000)
        var steady = ContinuousClock.now

        /// Time that passes for both.
        func pass(_ duration: Duration) {
            wall = wall + duration
            steady += duration
        }
    }

    private static let day = Duration.seconds(86_400)
    private let clocks = Clocks()

    private func clock(_ earlier: ExpiryClock.State? = nil) -> ExpiryClock {
        ExpiryClock(
            lifetime: Self.day * 21, earlier: earlier, wallClock: { [clocks] in clocks.wall },
            steadyClock: { [clocks] in clocks.steady })
    }

    @Test func a_clock_that_is_corrected_a_little_is_trusted() {
        let clock = clock()
        for step in [3600, -3600, 80_000, -80_000] {
            clocks.wall = clocks.wall + .seconds(step)
            #expect(clock.now() == clocks.wall && !clock.isDoubted)
        }
    }

    @Test(arguments: [40, -40, 20_000, -19_000]) func a_jump_is_doubted_until_the_clock_is_back(_ days: Int) {
        let clock = clock(), before = clock.now()
        clocks.wall = clocks.wall + Self.day * days
        #expect(clock.now() == before && clock.isDoubted)
        clocks.pass(.seconds(100))
        #expect(clock.now() == before + .seconds(100))
        clocks.wall = clocks.wall + Self.day * -days
        #expect(clock.now() == clocks.wall && !clock.isDoubted)
    }

    @Test func a_jump_that_stands_for_a_third_of_the_lifetime_is_trusted() {
        let clock = clock(), before = clock.now()
        clocks.wall = clocks.wall + Self.day * 40
        for _ in 0..<6 {
            _ = clock.now()
            clocks.pass(Self.day)
        }
        #expect(clock.now() == before + Self.day * 6)
        // Another jump begins another doubt.
        clocks.wall = clocks.wall + Self.day * 40
        _ = clock.now()
        clocks.pass(Self.day * 6)
        #expect(clock.now() == before + Self.day * 12 && clock.isDoubted)
        clocks.pass(Self.day * 2)
        #expect(clock.now() == clocks.wall && !clock.isDoubted)
    }

    @Test func time_passes_in_small_steps_while_the_clock_is_doubted() {
        let clock = clock(), before = clock.now()
        clocks.wall = clocks.wall + Self.day * 40
        for _ in 0..<10_000 {
            clocks.pass(.microseconds(300))
            _ = clock.now()
        }
        #expect(clock.now() == before + .seconds(3))
    }

    @Test func a_doubt_outlives_the_process() {
        let first = clock(), before = first.now()
        clocks.wall = clocks.wall + Self.day * 40
        _ = first.now()
        clocks.pass(Self.day * 4)
        _ = first.now()
        let second = clock(first.state)
        #expect(second.now() == before + Self.day * 4 && second.isDoubted)
        clocks.pass(Self.day * 4)
        #expect(second.now() == clocks.wall && !second.isDoubted)
    }

    @Test(arguments: [Int64.min, -1, 0, .max]) func times_at_the_ends_of_what_can_be_counted(_ milliseconds: Int64) {
        let clock = clock(ExpiryClock.State(time: Timestamp(milliseconds: milliseconds)))
        for wall in [Int64.min, 0, 1_700_000_000_000, .max] {
            clocks.wall = Timestamp(milliseconds: wall)
            clocks.steady += .seconds(1)
            _ = clock.now()
        }
    }

    // MARK: - In a relay

    /// A relay whose clocks are those of the test.
    private func world() throws -> (RelayWorld, RelayLimits) {
        var limits = RelayLimits.loopback
        limits.steadyClock = { [clocks] in clocks.steady }
        limits.housekeepingInterval = .milliseconds(20)
        let world = try RelayWorld(limits: limits)
        world.stop()
        try Files.remove("\(world.path)/relay.stats")
        try world.start(limits: limits, clock: { [clocks] in clocks.wall })
        return (world, limits)
    }

    private func send(_ world: RelayWorld, _ client: LoopbackClient, to queue: TestQueue) throws {
        let send = ClientCommand.send(MessageFlags(notifies: false), body: Bytes("hello".utf8))
        #expect(try world.ask(client, send, of: queue.senderID) == .ok)
    }

    @Test(arguments: [false, true]) func messages_outlive_a_clock_that_is_40_days_ahead(_ restarts: Bool) throws {
        let (world, limits) = try world()
        var client = try world.connect()
        let queue = try world.makeQueue(client, subscribe: false)
        try send(world, client, to: queue)
        if restarts { world.stop() }
        clocks.wall = clocks.wall + Self.day * 40
        if restarts {
            try world.start(limits: limits, clock: { [clocks] in clocks.wall })
            client = try world.connect()
        }
        // Several walks through the queues.
        for _ in 0..<40 { #expect(try world.ask(client, .ping) == .pong) }
        let start = ContinuousClock.now
        try world.run("the relay has looked for old messages") { .now - start > .milliseconds(100) }
        #expect(world.server?.statistics.expiredMessages == 0)
        // One that came while the clock was ahead does not become old when the clock is trusted.
        try send(world, client, to: queue)
        for _ in 0..<9 {
            clocks.pass(Self.day)
            _ = try world.ask(client, .ping)
            let now = ContinuousClock.now
            try world.run("the relay has looked again") { .now - now > .milliseconds(50) }
        }
        #expect(world.server?.statistics.expiredMessages == 1)
        #expect(try world.ask(client, .get, of: queue.recipientID, key: queue.recipientKey).tag == .msg)
    }
}
