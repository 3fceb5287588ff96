import Agent
import AgentProtocol
import ByteCoding
import CryptoCore
import SMPClient
import SMPProtocol
import TestSupport
import Testing

/// Addresses, and the requests that come to them.
@Suite struct AddressTests {
    @Test(arguments: [true, false])
    func oneShotCommandsConnectThroughAnAddress(isShort: Bool) throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 51)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let links = try alice.createAddress(showing: "welcome")
        let short = try #require(links.short)
        try bob.join(isShort ? .short(short) : .full(links.full))
        for person in [bob, alice, bob, alice] {
            try person.fetch()
            try person.restart()
        }
        #expect(alice.requests == ["bob"])
        #expect(alice.isConnected && bob.isConnected)
        try bob.send("hello")
        for person in [bob, alice] { try person.fetch() }
        #expect(alice.texts == ["hello"])
        #expect(alice.problems.isEmpty && bob.problems.isEmpty)
        // The address is there for others.
        #expect(try alice.agent?.links(of: TestPerson.address) == links)
    }

    @Test func aRequestWaitsForItsAnswer() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 52)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        alice.acceptsRequests = false
        try bob.join(try alice.createAddress().full)
        for person in [bob, alice, bob, alice] { try person.fetch() }
        #expect(alice.requests == ["bob"] && !bob.isConnected)
        try alice.accept(#require(alice.waiting))
        for person in [alice, bob, alice] { try person.fetch() }
        #expect(alice.isConnected && bob.isConnected)
    }

    @Test func aRequestWhoseAnswerWasLostComesOnce() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 53)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        try bob.join(try alice.createAddress().full)
        try bob.agent?.start(.staying)
        // The relay has the request, and he does not know it.
        let queue = try #require(world.relay.queues.values.first { $0.mode == .contact })
        #expect(world.run { !queue.messages.isEmpty })
        try bob.restart()
        try bob.fetch()
        #expect(queue.messages.count == 2)
        for person in [alice, bob, alice] { try person.fetch() }
        #expect(alice.requests == ["bob"] && alice.isConnected && bob.isConnected)
        #expect(alice.problems.isEmpty && bob.problems.isEmpty)
    }

    @Test func content_of_address_link_can_be_changed() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 54)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let short = try #require(try alice.createAddress(showing: "first").short)
        #expect(try bob.open(short).user.content == Bytes("first".utf8))
        try alice.agent?.show(Bytes("second".utf8), behindLinkOf: TestPerson.address)
        try alice.restart()
        try alice.fetch()
        #expect(try bob.open(short).user.content == Bytes("second".utf8))
        #expect(try alice.agent?.hasTasks(TestPerson.address) == false)
    }

    @Test func link_known_before_its_queue_leads_to_it_and_tells_when_its_record_changed() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 57)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let random = world.random
        let root = Ed25519.PrivateKey(random: random), key = Ed25519.PrivateKey(random: random)
        let new = try NewLinkedQueue.address(
            on: FakeRelay.address, clientText: "{}", entityID: [7, 7], rootKey: root, random: random)
        let link = try #require(new.link(.channel))
        let owner = LinkOwner(id: [1], key: key.publicKey, authorizedBy: root)
        // The record names its own link.
        let record = AddressRecord(isDirect: false, owners: [owner], content: Bytes(link.description.utf8))
        let pair = try alice.createAddress(new, showing: record)
        #expect(pair.short?.isSame(as: link) == true)
        let opened = try bob.open(link)
        #expect(opened.user == .address(record) && opened.fixed.entityID == [7, 7])
        #expect(opened.fixed.rootKey == root.publicKey && alice.published.isEmpty)
        let relay = ShortLink(target: .address(.group), server: FakeRelay.address, key: link.key)
        let changed = AddressRecord(isDirect: false, owners: [owner], relays: [relay], content: [3])
        try alice.agent?.show(changed, behindLinkOf: TestPerson.address)
        try alice.restart()
        try alice.fetch()
        #expect(try bob.open(link).user == .address(changed))
        #expect(alice.published == [changed])
        // An ordinary address tells nothing.
        try alice.agent?.show(AddressRecord(content: [4]), behindLinkOf: TestPerson.address)
        try alice.fetch()
        #expect(alice.published == [changed])
        #expect(throws: AgentError.unknownConnection) {
            try alice.agent?.show(changed, behindLinkOf: ConnectionID(99))
        }
    }

    @Test func replaced_address_is_deleted_at_relay() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 55)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let former = try alice.createAddress(), next = ConnectionID(51)
        let links = try alice.createAddress(next)
        try alice.agent?.delete(TestPerson.address)
        try alice.restart()
        try alice.fetch()
        #expect(try alice.agent?.contains(TestPerson.address) == false)
        #expect(world.relay.queues.count == 1)
        try bob.join(former.full)
        try bob.fetch()
        #expect(bob.problems == [.err(.linkUsed)])
        #expect(throws: AgentError.relay(FakeRelay.address, .refused(.authorization))) {
            try bob.open(#require(former.short))
        }
        #expect(try bob.open(#require(links.short)).request == links.full)
    }

    @Test func invalid_request_is_dropped() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 56)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let carol = try TestPerson("carol", world, folder)
        let address = try alice.createAddress().full
        // A handshake with a queue that takes requests.
        guard case .invitation(_, let offer) = try carol.invite() else { throw Crash() }
        let location = address.queues.first.location
        let forged = QueueAddress(
            versions: address.queues.first.versions,
            location: QueueLocation(
                server: location.server, senderID: location.senderID, dhKey: location.dhKey, mode: nil))
        try bob.join(.full(.invitation(ConnectionQueues(versions: address.queues.versions, queues: [forged]), offer)))
        try bob.fetch()
        try alice.fetch()
        #expect(alice.requests.isEmpty && alice.problems == [.unreadable(.malformed)])
        // The next one is not kept back by it.
        let dave = try TestPerson("dave", world, folder)
        try dave.join(address)
        for person in [dave, alice, dave, alice] { try person.fetch() }
        #expect(alice.requests == ["dave"] && dave.isConnected)
    }

    // MARK: - Notices

    @Test func blocked_queue_with_notice_prevents_new_addresses() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 57)
        let alice = try TestPerson("alice", world, folder)
        _ = try alice.createAddress()
        let day: Int64 = 24 * 3600
        world.relay.refusals[.sub] = .blocked(Blocking(reason: .spam, notice: Blocking.Notice(seconds: day)))
        try alice.fetch()
        let noted = world.time
        // Another process refuses too, before it has contacted the relay.
        try alice.restart()
        let error = #expect(throws: AgentError.self) { try alice.createAddress(ConnectionID(7)) }
        guard case .notice(FakeRelay.address, isPreset: false, until: let end?) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(abs(end.milliseconds - noted - day * 1000) < 60_000)
        #expect(try alice.agent?.contains(ConnectionID(7)) == false)
        // Invitations are permitted.
        _ = try alice.invite()
        world.pass(.seconds(day + 60))
        _ = try alice.createAddress(ConnectionID(8))
    }

    @Test func notice_without_end_lasts_until_the_queue_is_unblocked() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 58)
        let alice = try TestPerson("alice", world, folder)
        _ = try alice.createAddress()
        world.relay.refusals[.sub] = .blocked(Blocking(reason: .content, notice: Blocking.Notice(seconds: nil)))
        try alice.fetch()
        alice.agent?.isPreset = { _ in true }
        world.pass(.seconds(400 * 24 * 3600))
        #expect(throws: AgentError.notice(FakeRelay.address, isPreset: true, until: nil)) {
            try alice.createAddress(ConnectionID(7))
        }
        world.relay.refusals[.sub] = nil
        try alice.restart()
        try alice.fetch()
        _ = try alice.createAddress(ConnectionID(7))
    }

    @Test func durations_of_notices_add_up() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 59)
        let alice = try TestPerson("alice", world, folder)
        for number: Int64 in 7...9 { _ = try alice.createAddress(ConnectionID(number)) }
        world.relay.refusals[.sub] = .blocked(Blocking(reason: .spam, notice: Blocking.Notice(seconds: 3600)))
        try alice.fetch()
        world.pass(.seconds(3 * 3600 - 120))
        #expect(throws: AgentError.self) { try alice.createAddress(ConnectionID(10)) }
        world.pass(.seconds(180))
        _ = try alice.createAddress(ConnectionID(10))
        // No duration of a relay overflows.
        for seconds in [Int64.min, -1, .max] {
            world.relay.refusals[.sub] = .blocked(Blocking(reason: .spam, notice: Blocking.Notice(seconds: seconds)))
            try alice.fetch()
        }
        #expect(throws: AgentError.self) { try alice.createAddress(ConnectionID(11)) }
    }
}
