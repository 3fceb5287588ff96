import Agent
import AgentProtocol
import ByteCoding
import SMPClient
import SMPProtocol
import TestSupport
import Testing

/// Invitations with short links, from both sides.
@Suite struct LinkTests {
    @Test func aShortInvitationConnects() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 31)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let links = try alice.inviteWithLinks(showing: "alice says hello")
        let short = try #require(links.short)
        try alice.restart()
        #expect(try alice.agent?.links(of: #require(alice.connection)) == links)
        try bob.join(.short(short))
        for person in [bob, alice, bob] { try person.fetch() }
        #expect(alice.isConnected && bob.isConnected)
        try alice.send("hello")
        for person in [alice, bob] { try person.fetch() }
        #expect(bob.texts == ["hello"])
    }

    @Test func opened_invitation_is_reserved() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 32)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let carol = try TestPerson("carol", world, folder)
        let short = try #require(try alice.inviteWithLinks(showing: "alice says hello").short)
        #expect(try bob.open(short).user.content == Bytes("alice says hello".utf8))
        #expect(throws: AgentError.relay(FakeRelay.address, .refused(.authorization))) { try carol.open(short) }
        try carol.join(.short(short))
        try carol.fetch()
        #expect(carol.problems == [.err(.linkUsed)])
        // The key is on disk: the process that opens is not the one that joins.
        try bob.restart()
        _ = try bob.open(short)
        try bob.join(.short(short))
        for person in [bob, alice, bob] { try person.fetch() }
        #expect(alice.isConnected && bob.isConnected)
    }

    @Test func aRelayWithoutLinksGivesFullOnesOnly() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 33)
        world.relay.version = SMP.shortLinks - 1
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let links = try alice.inviteWithLinks(showing: "alice")
        #expect(links.short == nil)
        try bob.join(links.full)
        for person in [bob, alice, bob] { try person.fetch() }
        #expect(alice.isConnected && bob.isConnected)
    }

    /// However long its relay was away, a link shows in the end what it should.
    @Test func invitation_shows_change_made_offline() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 36)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let short = try #require(try alice.inviteWithLinks(showing: "before").short)
        world.relay.isUp = false
        let id = try #require(alice.connection)
        try alice.agent?.show(Bytes("after".utf8), behindLinkOf: id)
        try alice.fetch()
        world.pass(.seconds(9 * 24 * 3600))
        try alice.restart()
        try alice.fetch()
        world.relay.isUp = true
        try alice.fetch()
        #expect(try bob.open(short).user.content == Bytes("after".utf8))
        try bob.join(.short(short))
        for person in [bob, alice, bob] { try person.fetch() }
        #expect(throws: AgentError.connection(.notReady)) { try alice.agent?.show([1], behindLinkOf: id) }
    }

    @Test func anAddressGetsAShortLinkWhenItsRelayKnowsThem() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 37)
        world.relay.version = SMP.shortLinks - 1
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let id = TestPerson.address
        let links = try alice.createAddress(showing: "alice")
        #expect(links.short == nil)
        // The old relay does not know how.
        world.relay.refusals[.lset] = .command(.unknown)
        try alice.agent?.addLink(to: id, showing: Bytes("alice".utf8))
        #expect(try alice.agent?.links(of: id)?.short == nil)
        try alice.fetch()
        #expect(try alice.agent?.links(of: id)?.short == nil)
        // The new one does, also if the process ends while it answers.
        world.relay.version = SMP.versions.max
        world.relay.refusals = [:]
        try alice.agent?.addLink(to: id, showing: Bytes("alice".utf8))
        try alice.agent?.start(.draining)
        world.run { world.relay.queues.values.contains { $0.link != nil } }
        try alice.restart()
        #expect(try alice.agent?.links(of: id)?.short == nil)
        try alice.fetch()
        let short = try #require(try alice.agent?.links(of: id)?.short)
        #expect(try alice.agent?.links(of: id)?.full == links.full)
        #expect(try bob.open(short).user.content == Bytes("alice".utf8))
        try bob.join(.short(short))
        for person in [bob, alice, bob, alice] { try person.fetch() }
        #expect(alice.isConnected && bob.isConnected)
    }

    @Test func aShortLinkIsOpenedWhenItsRelayIsBack() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 34)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let short = try #require(try alice.inviteWithLinks().short)
        world.relay.isUp = false
        try bob.join(.short(short))
        try bob.fetch()
        try bob.restart()
        world.relay.isUp = true
        for person in [bob, alice, bob] { try person.fetch() }
        #expect(alice.isConnected && bob.isConnected)
        #expect(bob.problems.isEmpty)
    }

    @Test func recordsThatWereExchangedEndTheConnection() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 35)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let carol = try TestPerson("carol", world, folder)
        let short = try #require(try alice.inviteWithLinks().short)
        _ = try carol.inviteWithLinks()
        let queues = world.relay.queues.values.filter { $0.link != nil }
        let hers = try #require(queues.first { $0.link?.id == short.linkID }), other = queues.first { $0 !== hers }
        hers.link = try (short.linkID, #require(other?.link).blobs)
        try bob.join(.short(short))
        try bob.fetch()
        #expect(bob.problems == [.err(.badLink)])
        #expect(throws: AgentError.link(.notAuthentic)) { try bob.open(short) }
    }

    @Test(arguments: 41...50 as ClosedRange<UInt64>)
    func aConnectionThroughAShortLinkIsMadeThroughCrashes(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let world = World(seed: seed)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let isAddress = seed % 2 == 0
        let links = try isAddress ? alice.createAddress() : alice.inviteWithLinks()
        try bob.join(.short(#require(links.short)))
        for person in [alice, bob] {
            person.crashProbability = 0.2
            try? person.agent?.start(.staying)
        }
        for _ in 0..<3000 where !(alice.isConnected && bob.isConnected) {
            for person in [alice, bob] {
                try person.recover(.staying)
                if Int.random(in: 0..<20, using: &world.random) == 0 { person.environment.cut() }
            }
            world.pass(.milliseconds(100))
        }
        #expect(alice.isConnected && bob.isConnected, "seed \(seed)")
        #expect(alice.problems.isEmpty && bob.problems.isEmpty)
        #expect(alice.requests == (isAddress ? ["bob"] : []))
    }

    @Test func names_are_resolved_by_a_relay() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 39)
        let alice = try TestPerson("alice", world, folder)
        let record = NameRecord(name: "alice.simplex", contactLinks: ["simplex:/a#1"])
        world.relay.names["alice.simplex"] = record
        #expect(try alice.resolve("Alice.simplex") == record)
        #expect(throws: AgentError.relay(FakeRelay.address, .refused(.name(.notFound)))) {
            try alice.resolve("bob.simplex")
        }
        world.relay.refusals[.rslv] = .name(.resolver("timeout"))
        #expect(throws: AgentError.relay(FakeRelay.address, .refused(.name(.resolver("timeout"))))) {
            try alice.resolve("alice.simplex")
        }
        world.relay.isUp = false
        #expect(throws: AgentError.self) { try alice.resolve("alice.simplex") }
    }
}
