import Agent
import AgentProtocol
import ByteCoding
import SMPClient
import SMPProtocol
import TestSupport
import Testing

/// Two agents and a relay: from the link to a conversation.
@Suite struct ConnectingTests {
    /// Two people who know each other.
    static func friends(_ world: World, _ folder: borrowing TemporaryFolder) throws -> (TestPerson, TestPerson) {
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        try bob.join(try alice.invite())
        for person in [bob, alice, bob] { try person.fetch() }
        #expect(alice.isConnected && bob.isConnected)
        return (alice, bob)
    }

    @Test func oneShotCommandsConnectWithOneSideOfflineAtATime() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 1)
        let (alice, bob) = try Self.friends(world, folder)
        try alice.send("hello")
        try alice.send("bob")
        try alice.fetch()
        #expect(alice.sent == ["hello", "bob"])
        try bob.send("hello alice")
        try bob.fetch()
        #expect(bob.texts == ["hello", "bob"])
        try alice.fetch()
        #expect(alice.texts == ["hello alice"])
        #expect(alice.problems.isEmpty && bob.problems.isEmpty)
    }

    @Test func staying_agents_connect_automatically() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 2)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        try alice.agent?.start(.staying)
        try bob.agent?.start(.staying)
        try bob.join(try alice.invite())
        #expect(world.run { alice.isConnected && bob.isConnected })
        try bob.send("one")
        #expect(world.run { alice.texts == ["one"] && bob.sent == ["one"] })
    }

    @Test func queuesThatTheirSenderCannotSecureNeedAGreeting() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 6)
        world.relay.version = SMP.senderKeys - 1
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        try bob.join(try alice.invite())
        try bob.fetch()
        try alice.fetch()
        let (initiator, joiner) = (try #require(alice.connection), try #require(bob.connection))
        // bob has not let her into his queue yet.
        #expect(try alice.agent?.canSend(to: initiator) == false)
        try bob.fetch()
        #expect(try !bob.isConnected && bob.agent?.canSend(to: joiner) == true)
        try bob.send("behind the greeting")
        for person in [bob, alice, bob] {
            try person.fetch()
            try person.restart()
        }
        #expect(alice.isConnected && bob.isConnected)
        #expect(alice.texts == ["behind the greeting"])
        try alice.send("hello bob")
        for person in [alice, bob] { try person.fetch() }
        #expect(bob.texts == ["hello bob"])
        #expect(alice.problems.isEmpty && bob.problems.isEmpty)
    }

    @Test func aFetchSurvivesARestartAtAnyStage() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 3)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let link = try alice.invite()
        try alice.restart()
        #expect(try alice.agent?.links(of: #require(alice.connection))?.full == link)
        try bob.join(link)
        try bob.restart()
        for _ in 0..<3 {
            for person in [alice, bob] {
                try person.fetch()
                try person.restart()
            }
        }
        #expect(alice.isConnected && bob.isConnected)
        #expect(try alice.agent?.links(of: #require(alice.connection)) == nil)
    }

    @Test func aLinkThatWasUsedFailsForTheSecond() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 4)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let carol = try TestPerson("carol", world, folder)
        let link = try alice.invite()
        try bob.join(link)
        try bob.fetch()
        try carol.join(link)
        try carol.fetch()
        #expect(carol.problems == [.err(.linkUsed)])
        try alice.fetch()
        try bob.fetch()
        #expect(bob.isConnected)
    }

    @Test func rejected_queue_is_reported() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 5)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let link = try alice.invite()
        world.relay.refusals = [.new: .authorization]
        try bob.join(link)
        try bob.fetch()
        #expect(bob.problems == [.err(.queueRefused)])
        #expect(throws: AgentError.relay(FakeRelay.address, .refused(.authorization))) { try bob.invite() }
    }

    @Test func aDeletedConnectionLeavesNothingAtTheRelay() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 6)
        let (alice, bob) = try Self.friends(world, folder)
        #expect(world.relay.queues.count == 2)
        try bob.send("goodbye")
        try bob.agent?.delete(#require(bob.connection))
        try bob.fetch()
        #expect(bob.sent == ["goodbye"])
        #expect(world.relay.queues.count == 1)
        #expect(throws: AgentError.unknownConnection) { try bob.send("too late") }
        try alice.fetch()
        #expect(alice.texts == ["goodbye"])
        // The other side learns it when it sends.
        try alice.send("are you there?")
        try alice.fetch()
        #expect(alice.problems == [.merr(token: Bytes("are you there?".utf8), .refused)])
    }
}
