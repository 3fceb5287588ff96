import Agent
import ByteCoding
import CryptoCore
import SMPClient
import SMPProtocol
import TestSupport

/// Time, chance and a relay for agents under test. Nothing happens but by ``run(_:until:)``, and always the same for a seed.
final class World {
    private struct Scheduled {
        let time: Int64
        let number: Int
        let action: () -> Void
    }

    /// Milliseconds since 1970.
    private(set) var time: Int64 = 1_700_000_000_000
    private var scheduled: [Scheduled] = []
    private var cancelled: Set<Int> = []
    private var lastNumber = 0
    var random: SeededRandom
    lazy var relay = FakeRelay(world: self)
    lazy var otherRelay = FakeRelay(world: self)
    /// The longest time that a command or an answer is on its way, in milliseconds.
    var latency: Int64 = 20

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// Calls `action` after `delay` milliseconds. What is returned cancels it.
    @discardableResult
    func after(_ delay: Int64, _ action: @escaping () -> Void) -> () -> Void {
        lastNumber += 1
        let number = lastNumber
        let entry = Scheduled(time: time + max(0, delay), number: number, action: action)
        // Few things wait at a time: a sorted array is enough.
        let index = scheduled.firstIndex { ($0.time, $0.number) > (entry.time, entry.number) } ?? scheduled.endIndex
        scheduled.insert(entry, at: index)
        return { [weak self] in
            self?.scheduled.removeAll { $0.number == number }
        }
    }

    /// Lets things happen until `isDone`, at most for `limit` of world time. Returns whether it is done.
    @discardableResult
    func run(_ limit: Duration = .seconds(60), until isDone: () -> Bool) -> Bool {
        let end = time + limit.milliseconds
        while !isDone() {
            guard let next = scheduled.first, next.time <= end else {
                time = end
                return isDone()
            }
            scheduled.removeFirst()
            time = max(time, next.time)
            next.action()
        }
        return true
    }

    /// Lets `duration` of world time pass.
    func pass(_ duration: Duration) {
        run(duration) { false }
    }

    /// A time for something to travel.
    func travelTime() -> Int64 { Int64.random(in: 1...latency, using: &random) }
}

extension Duration {
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}

/// The world as one process sees it. After ``kill()`` nothing reaches the process any more.
final class TestEnvironment: AgentEnvironment {
    private let world: World
    private var isAlive = true
    private var channels: [FakeChannel] = []
    let random: any RandomSource

    init(_ world: World) {
        self.world = world
        random = world.random
    }

    var now: Timestamp { Timestamp(milliseconds: world.time) }

    func after(_ delay: Duration, _ action: @escaping () -> Void) -> () -> Void {
        world.after(delay.milliseconds) { [weak self] in
            if self?.isAlive == true { action() }
        }
    }

    func atEndOfTurn(_ action: @escaping () -> Void) {
        _ = after(.zero, action)
    }

    func connect(
        to server: ServerAddress, handler: @escaping (RelaySession.Event) -> Void
    ) -> any RelayChannel {
        let channel = FakeChannel(
            world: world, relay: server == FakeRelay.otherAddress ? world.otherRelay : world.relay
        ) { [weak self] event in
            if self?.isAlive == true { handler(event) }
        }
        channels.append(channel)
        return channel
    }

    /// The process ends at this instant.
    func kill() {
        isAlive = false
        for channel in channels { channel.vanish() }
    }

    /// How many sessions with a relay there are.
    func sessions(with relay: FakeRelay) -> Int {
        channels.count { $0.relay === relay && $0.version != nil }
    }

    /// Ends all sessions with an error, as a lost network does.
    func cut() {
        for channel in channels { channel.cut() }
    }
}
