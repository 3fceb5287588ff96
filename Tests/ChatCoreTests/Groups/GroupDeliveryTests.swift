import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store
import TestSupport
import Testing

@testable import ChatCore

/// Receipts, times, and the two ways of a message to a member.
@Suite struct GroupDeliveryTests {
    @Test func receipts_are_sent_in_small_groups_only() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        for number in 3...Conversations.mostForReceipts { _ = try team.member("m\(number)") }
        try team.receive("one", 1, from: bob)
        #expect(team.bench.agent.confirmed.count == 1)
        // Nobody waits for a receipt of a reaction or a deletion.
        try team.receive(.deletion(MessageDeletion(Workbench.sharedID(1))), 2, from: bob)
        #expect(team.bench.agent.confirmed.count == 1)
        let last = try team.member("last")
        try team.receive("two", 3, from: bob)
        #expect(team.bench.agent.confirmed.count == 1)
        try team.bench.store.transaction {
            try team.bench.store.update(last.id, status: .left, at: team.bench.now)
        }
        try team.receive("three", 4, from: bob)
        #expect(team.bench.agent.confirmed.count == 2)
    }

    /// One member is away, and the other has confirmed the message.
    @Test func the_receipts_of_all_members_are_awaited() throws {
        let house = try TestHouse()
        let (alice, bob, _) = try house.trio()
        try alice.say("hello")
        _ = try alice.fetch()
        try house.settle([bob, alice], rounds: 4) { try alice.lastStatus() == .sendReceivedPartly(isIntact: true) }
        let item = try #require(try alice.lastItem())
        #expect(item.status == .sendReceivedPartly(isIntact: true))
        let clock = ContinuousClock()
        let time = try clock.measure {
            _ = try alice.execute(WaitForDelivery(of: item.id, timeout: .milliseconds(1500)))
        }
        #expect(time >= .milliseconds(1400), "\(time)")
    }

    @Test func an_own_message_disappears_after_its_time() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        try team.set(.timedMessages, .init(true, ttl: 2))
        let item = try team.send("for your eyes")
        team.bench.environment.pass(.seconds(10))
        // Not as long as it is in the outbox.
        #expect(try team.items().count == 1)
        _ = team.bench.events()
        team.delivered(item, to: bob)
        team.bench.environment.pass(.seconds(1))
        #expect(try team.items().count == 1)
        team.bench.environment.pass(.seconds(2))
        #expect(try team.items().isEmpty)
        let deleted = team.bench.events().compactMap { $0 as? ItemsDeletedEvent }
        #expect(deleted.count == 1 && deleted.first?.items.first?.hasExpired == true)
    }

    @Test func the_time_of_a_live_message_begins_when_it_is_complete() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        try team.set(.timedMessages, .init(true, ttl: 2))
        let live = SendMessages(team.target, [ComposedMessage(MessageContent("once"))], isLive: true)
        let item = try #require(try team.conversations.send(live).items.first?.item)
        team.delivered(item, to: bob)
        team.bench.environment.pass(.seconds(10))
        #expect(try team.items().first?.isLive == true)
        _ = try team.conversations.edit(EditItem(team.target, item.id, MessageContent("once upon a time")))
        team.bench.environment.pass(.seconds(3))
        #expect(try team.items().isEmpty)
    }

    @Test func the_time_of_a_received_message_begins_when_it_is_read() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        try team.set(.timedMessages, .init(true, ttl: 60))
        try team.receive(.message(MessageContainer(MessageContent("hello"), ttl: 2)), 1, from: bob)
        team.bench.environment.pass(.seconds(10))
        #expect(try team.texts() == ["hello"])
        try team.bench.store.transaction { try team.bench.store.markRead(.group(team.id), at: team.bench.now) }
        try team.groups.expiry.schedule()
        team.bench.environment.pass(.seconds(3))
        #expect(try team.items().isEmpty)
    }

    @Test func a_host_passes_its_own_messages_on_with_the_history() throws {
        let team = try GroupBench(), host = try team.member("host", .admin)
        try team.receive([team.forward(text("first of all"), 1, of: host.memberID, named: "host")], from: host)
        let item = try #require(try team.items().first)
        #expect(item.group?.author?.id == host.id)
        // A message that waited until the newcomer was connected is in the history too; nobody has to be told of that.
        try team.receive("first of all", 1, from: host)
        #expect(try team.items().count == 1 && team.sent(to: host).isEmpty)
    }

    @Test func a_message_that_was_edited_is_not_taken_back_from_the_outbox() throws {
        let team = try GroupBench(), bob = try team.member("bob"), item = try team.send("helo")
        _ = try team.conversations.edit(EditItem(team.target, item.id, MessageContent("hello")))
        _ = try team.conversations.delete(DeleteItems(team.target, [item.id], .broadcast))
        #expect(team.sent(to: bob).map(\.event.name) == ["x.msg.new", "x.msg.update", "x.msg.del"])
        #expect(try team.items().first?.deletedAt != nil)
    }

    @Test func the_host_passes_on_until_the_author_is_connected() throws {
        let team = try GroupBench(role: .admin), bob = try team.member("bob"), cath = try team.member("cath")
        try team.bench.store.transaction {
            try team.bench.store.insertIntroduction(of: cath.id, to: bob.id, at: team.bench.now)
        }
        func passedOn(to member: GroupMember) -> Int {
            team.sent(to: member).count { if case .group(.forwarded, _) = $0.event { true } else { false } }
        }
        try team.receive(.group(.memberConnected(cath.memberID)), 1, from: bob)
        // What cath wrote before she was connected may still come.
        try team.receive("hello", 2, from: cath)
        #expect(passedOn(to: bob) == 1)
        try team.receive("hello", 3, from: bob)
        #expect(passedOn(to: cath) == 0)
        try team.receive(.group(.memberConnected(bob.memberID)), 4, from: cath)
        try team.receive("later", 5, from: cath)
        #expect(passedOn(to: bob) == 1)
    }

    @Test func who_gets_messages_twice_ends_the_passing_on() throws {
        let team = try GroupBench(role: .admin), bob = try team.member("bob"), cath = try team.member("cath")
        try team.bench.store.transaction {
            try team.bench.store.insertIntroduction(of: cath.id, to: bob.id, at: team.bench.now)
        }
        for number in 1...2 {
            try team.receive(.group(.memberConnected(cath.memberID)), UInt8(number), from: bob)
        }
        try team.receive("hello", 3, from: cath)
        #expect(team.sent(to: bob).isEmpty)
    }

    /// The relay of the host was out of reach for a minute: what passed through it is not later than what came directly after it.
    @Test func what_was_passed_on_is_older_than_what_comes_directly() throws {
        for isDirectFirst in [false, true] {
            let team = try GroupBench(), host = try team.member("host", .admin), bob = try team.member("bob")
            let start = team.bench.now
            func forwarded() throws {
                try team.receive(
                    [team.forward(text("first"), 1, of: bob.memberID, at: start + .seconds(60))], from: host)
            }
            team.bench.environment.pass(.seconds(90))
            if !isDirectFirst { try forwarded() }
            try team.receive("second", 2, from: bob, at: start + .seconds(10))
            if isDirectFirst { try forwarded() }
            try team.receive("third", 3, from: bob, at: start + .seconds(20))
            let texts = try team.texts()
            #expect(texts.firstIndex(of: "second").map { $0 < (texts.firstIndex(of: "third") ?? 0) } == true)
            #expect(isDirectFirst || texts == ["first", "second", "third"])
        }
    }

    /// A reaction that was passed on, and its end that came directly and faster.
    @Test func a_reaction_ends_in_whatever_way_it_came() throws {
        let team = try GroupBench(), host = try team.member("host", .admin), bob = try team.member("bob")
        let item = try team.send("hello"), id = try #require(item.sharedID)
        let thumb = try #require(Reaction(emoji: "👍")), start = team.bench.now
        team.bench.environment.pass(.seconds(90))
        func reaction(_ isAdded: Bool) -> ChatMessage.Event {
            .reaction(MessageReaction(id, thumb, isAdded: isAdded, of: GroupBench.memberID(1)))
        }
        try team.receive(
            [team.forward(reaction(true), 1, of: bob.memberID, at: start + .seconds(60))], from: host)
        #expect(try team.items().first?.reactions.count == 1)
        try team.receive(reaction(false), 2, from: bob, at: start + .seconds(10))
        #expect(try team.items().first?.reactions.isEmpty == true)
    }

    @Test func what_a_crash_kept_from_the_agent_goes_before_what_follows_from_repeated_events() throws {
        let team = try GroupBench(role: .admin), bench = team.bench
        let bob = try team.member("bob", .member, .invitee), cath = try team.member("cath", .member, .invitee)
        try bench.store.transaction {
            try bench.store.insertIntroduction(of: cath.id, to: bob.id, at: bench.now)
        }
        bench.agent.sendError = .store(StoreError(.disk))
        #expect(throws: AgentError.self) { try team.send("before") }
        bench.agent.sendError = nil
        let body = ChatMessage(id: Workbench.sharedID(1), event: text("after")).encoded
        let received = ReceivedMessage(
            number: 1, hash: [], relayTime: bench.now, integrity: .ok, isPostQuantum: false, body: body)
        bench.agent.unrecorded = [bench.event(try #require(cath.connection).id, .connection(.msg(received)))]
        let restarted = bench.inbox()
        try restarted.open()
        bench.agent.handler = { restarted.handle($0) }
        try restarted.replay()
        #expect(team.sent(to: bob).map(\.event.name) == ["x.msg.new", "x.grp.msg.forward"])
    }
}
