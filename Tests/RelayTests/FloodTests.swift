import Relay
import SMPProtocol
import SystemIO
import Testing

/// Clients that send more than they may.
@Suite(.timeLimit(.minutes(60))) struct FloodTests {
    @Test func client_above_rate_is_delayed() {
        let start = ContinuousClock.now
        var allowance = Allowance(rate: 100, burst: .seconds(2), at: start)
        #expect(allowance.take(200, at: start) == .zero)
        #expect(allowance.take(50, at: start) == .milliseconds(500))
        // Half of what is owed is paid back after half of the time.
        #expect(allowance.take(0, at: start + .milliseconds(250)) == .milliseconds(250))
        #expect(allowance.take(0, at: start + .milliseconds(500)) == .zero)
        // Nobody saves more than the burst.
        #expect(allowance.take(200, at: start + .seconds(1000)) == .zero)
        #expect(allowance.take(1, at: start + .seconds(1000)) > .zero)
    }

    private func limits(commands: Int = 1_000_000, bytes: Int = 1_000_000_000) -> RelayLimits {
        var limits = RelayLimits()
        limits.commandRate = commands
        limits.byteRate = bytes
        limits.burst = .milliseconds(100)
        return limits
    }

    /// Sends `blocks` blocks of `count` commands; all are answered, not sooner than they may be and not much later.
    private func flood(_ world: RelayWorld, blocks: Int, of count: Int, seconds: ClosedRange<Double>) throws {
        let flooder = try world.connect(), other = try world.connect()
        let start = ContinuousClock.now
        for _ in 0..<blocks { try flooder.send(Array(repeating: (.ping, .empty, nil), count: count)) }
        try world.run("a part is answered") { flooder.received.count > 0 }
        #expect(try world.ask(other, .ping) == .pong)
        try world.run("the flood is answered") { flooder.received.count == blocks * count }
        let passed = (ContinuousClock.now - start) / .seconds(1)
        #expect(seconds.contains(passed), "\(passed)")
        #expect(world.server?.statistics.delays ?? 0 > 0)
        // It is served like everybody when it has waited.
        #expect(try world.ask(flooder, .ping) == .pong)
    }

    @Test func aFloodOfCommandsIsDelayed() throws {
        // 2550 commands, of which 500 are saved up and the last block is not waited for.
        try flood(try RelayWorld(limits: limits(commands: 5000)), blocks: 10, of: 255, seconds: 0.3...20)
    }

    @Test func aFloodOfBlocksIsDelayed() throws {
        // 655 KB, of which 100 KB are saved up.
        try flood(try RelayWorld(limits: limits(bytes: 1_000_000)), blocks: 40, of: 1, seconds: 0.5...20)
    }

    @Test func delayed_client_ends_with_the_relay() throws {
        let world = try RelayWorld(limits: limits(commands: 1))
        let flooder = try world.connect()
        try flooder.send(Array(repeating: (.ping, .empty, nil), count: 255))
        try world.run("it has to wait") { world.server?.statistics.delays == 1 }
        try world.run("the answers come") { flooder.received.count == 255 }
        flooder.close()
        // The end of a connection that is not read is found out when it is read again, or here:
        world.stop()
        #expect(world.server == nil)
    }
}
