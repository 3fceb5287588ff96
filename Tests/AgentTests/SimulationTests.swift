import Agent
import AgentProtocol
import ByteCoding
import TestSupport
import Testing

/// Two agents whose network breaks and whose processes crash: every message arrives once and in order.
@Suite struct SimulationTests {
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func everyMessageArrivesOnceAndInOrder(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let world = World(seed: seed)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        let people = [alice, bob]
        for person in people {
            person.crashProbability = 0.02
            try person.agent?.start(.staying)
        }
        let count = 150
        var next = [0, 0]
        var breaks = 0
        while next.contains(where: { $0 < count }) || people.contains(where: { $0.texts.count < count }) {
            for (index, person) in people.enumerated() {
                try person.recover(.staying)
                switch Int.random(in: 0..<100, using: &world.random) {
                case 0..<40 where next[index] < count:
                    // What a crash prevented is asked for again, as an application does that stored its request first.
                    do {
                        try person.send("\(person.name) \(next[index])")
                        next[index] += 1
                    } catch is AgentError {
                        try person.restart()
                        try person.agent?.start(.staying)
                    }
                case 40..<43:
                    breaks += 1
                    person.environment.cut()
                case 43:
                    try person.restart()
                    try person.agent?.start(.staying)
                default: break
                }
            }
            world.pass(.milliseconds(Int.random(in: 1...300, using: &world.random)))
            guard world.time < 1_700_000_000_000 + 40 * 3_600_000 else {
                Issue.record("the conversation does not end, seed \(seed)")
                return
            }
        }
        #expect(bob.texts == (0..<count).map { "alice \($0)" })
        #expect(alice.texts == (0..<count).map { "bob \($0)" })
        #expect(alice.problems.isEmpty && bob.problems.isEmpty)
        #expect((alice.integrities + bob.integrities).allSatisfy { $0 == .ok })
        #expect(breaks > 0 && alice.crashes + bob.crashes > 2)
    }

    /// The same with everything that a connection does besides: queues move between two relays, ratchets are replaced, and
    /// every message is confirmed.
    @Test(arguments: 21...21 + Conversation.rounds as ClosedRange<UInt64>)
    func everyMessageArrivesOnceWhileEverythingMoves(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        var conversation = try Conversation(seed: seed, folder)
        guard try conversation.run() else {
            Issue.record("the conversation does not end, seed \(seed): \(conversation.state)")
            return
        }
        conversation.check()
    }

    @Test(arguments: 11...20 as ClosedRange<UInt64>)
    func aConnectionIsMadeThroughCrashes(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let world = World(seed: seed)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let link = try alice.invite()
        try bob.join(link)
        for person in [alice, bob] {
            person.crashProbability = 0.2
            try? person.agent?.start(.staying)
        }
        for _ in 0..<2000 where !(alice.isConnected && bob.isConnected) {
            for person in [alice, bob] {
                try person.recover(.staying)
                if Int.random(in: 0..<20, using: &world.random) == 0 { person.environment.cut() }
            }
            world.pass(.milliseconds(100))
        }
        #expect(alice.isConnected && bob.isConnected, "seed \(seed)")
        #expect(alice.problems.isEmpty && bob.problems.isEmpty)
    }
}
