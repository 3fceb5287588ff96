import Agent
import AgentProtocol
import ByteCoding
import SystemIO
import TestSupport
import Testing

/// Two people who talk while their network breaks, their processes crash, their queues move and their ratchets are replaced.
struct Conversation {
    /// How many conversations there are after the first.
    static let rounds: UInt64 = isLong ? 12 : 3
    /// How many messages each side sends: 10,000 altogether in the long run.
    private static let count = isLong ? 400 : 80
    private static let isLong = ProcessEnvironment.variables()["TACIT_LONG_SIMULATION"] != nil

    private let world: World
    private let seed: UInt64
    let alice: TestPerson
    let bob: TestPerson
    private var next = [0, 0]
    private var moves = 0
    private var renewals = 0

    init(seed: UInt64, _ folder: borrowing TemporaryFolder) throws {
        self.seed = seed
        world = World(seed: seed)
        (alice, bob) = try ConnectingTests.friends(world, folder)
        world.otherRelay.slowness = Int64.random(in: 1...8, using: &world.random)
        for person in [alice, bob] {
            person.sendsReceipts = true
            person.crashProbability = 0.01
            try person.agent?.start(.staying)
        }
    }

    private var people: [TestPerson] { [alice, bob] }

    private var isOver: Bool {
        next.allSatisfy { $0 == Conversation.count }
            && people.allSatisfy { $0.texts.count >= Conversation.count && $0.confirmed.count >= Conversation.count }
    }

    var state: String {
        "sent \(next), received \(people.map(\.texts.count)), confirmed \(people.map(\.confirmed.count)), "
            + "switches \(people.map { $0.switches.suffix(3) }), states \(people.map { $0.states.suffix(3) }), "
            + "conditions \(people.map { person in try? person.connection.map { try person.agent?.condition(of: $0) } })"
    }

    /// Talks until everything has arrived. Returns whether it did.
    mutating func run() throws -> Bool {
        let end = world.time + 100 * 3_600_000
        while !isOver {
            for index in people.indices {
                let person = people[index]
                try person.recover(.staying)
                try act(person, index)
            }
            world.pass(.milliseconds(Int.random(in: 1...300, using: &world.random)))
            guard world.time < end else { return false }
        }
        return true
    }

    private mutating func act(_ person: TestPerson, _ index: Int) throws {
        guard let connection = person.connection else { return }
        do {
            switch Int.random(in: 0..<200, using: &world.random) {
            case 0..<80 where next[index] < Conversation.count:
                try person.send("\(person.name) \(next[index])")
                next[index] += 1
            case 80..<86: person.environment.cut()
            case 86..<88: try restart(person)
            case 88..<94:
                try person.agent?.switchQueue(of: connection)
                moves += 1
            case 94: try person.agent?.abortSwitch(of: connection)
            case 95..<99 where people.allSatisfy { ($0.states.last ?? .ok) == .ok }:
                try person.agent?.synchronize(connection, force: true)
                renewals += 1
            default: break
            }
        } catch AgentError.connection(.notReady), AgentError.connection(.outOfStep) {
            // Not now.
        } catch is AgentError {
            // What a crash prevented is asked for again, as an application does that stored its request first.
            try restart(person)
        }
    }

    private func restart(_ person: TestPerson) throws {
        let probability = person.crashProbability
        person.crashProbability = 0
        try person.restart()
        try person.agent?.start(.staying)
        person.crashProbability = probability
    }

    func check() {
        let numbers = 0..<Conversation.count
        #expect(bob.texts == numbers.map { "alice \($0)" }, "seed \(seed)")
        #expect(alice.texts == numbers.map { "bob \($0)" }, "seed \(seed)")
        #expect(alice.confirmed.sorted() == numbers.map { "alice \($0)" }.sorted(), "seed \(seed)")
        #expect(bob.confirmed.sorted() == numbers.map { "bob \($0)" }.sorted(), "seed \(seed)")
        #expect(alice.problems == [], "seed \(seed)")
        #expect(bob.problems == [], "seed \(seed)")
        #expect((alice.integrities + bob.integrities).allSatisfy { $0 == .ok }, "seed \(seed)")
        #expect(alice.crashes + bob.crashes > 0 && moves > 0 && renewals > 0)
        #expect(people.contains { $0.switches.contains { $0.phase == .completed } })
    }
}
