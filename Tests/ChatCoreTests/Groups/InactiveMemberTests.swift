import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import Store
import Testing

@testable import ChatCore

/// Members whose queues are full.
@Suite struct InactiveMemberTests {
    /// A group with a member whose queue was full so often that it is inactive.
    private func inactive() throws -> (GroupBench, GroupMember, ConnectionID) {
        let team = try GroupBench(), bob = try team.member("bob")
        let connection = try #require(bob.connection).id
        try team.bench.store.transaction {
            for _ in 0..<ContactConnection.mostQuotaErrors { try team.bench.store.countQuotaError(of: connection) }
        }
        return (team, bob, connection)
    }

    @Test func messages_wait_until_the_queue_takes_them() throws {
        let (team, bob, connection) = try inactive(), cath = try team.member("cath")
        let item = try team.send("hello")
        #expect(team.sent(to: bob).isEmpty && team.sent(to: cath).count == 1)
        #expect(try team.bench.store.deliveries(of: item.id).map(\.delivery) == [.inactive, .new])
        team.delivered(item, to: cath)
        #expect(try team.items().last?.status == .sendSent)
        team.inbox.handle(team.bench.event(connection, .connection(.qcont)))
        #expect(team.sent(to: bob).count == 1)
        #expect(try team.member(bob.id).connection?.isInactive == false)
        _ = try team.send("again")
        #expect(team.sent(to: bob).count == 2)
    }

    @Test func a_member_that_writes_is_active() throws {
        let (team, bob, _) = try inactive()
        _ = try team.send("hello")
        try team.receive("I am here", 1, from: bob)
        #expect(team.sent(to: bob).count == 1)
    }

    @Test func a_message_that_expired_in_front_of_a_full_queue_makes_a_member_inactive() throws {
        let team = try GroupBench(), bob = try team.member("bob"), item = try team.send("hello")
        let connection = try #require(bob.connection).id
        team.inbox.handle(team.bench.event(connection, .merr(token: item.sharedID?.bytes ?? [], .full)))
        #expect(try team.member(bob.id).connection?.isInactive == true)
        _ = try team.send("again")
        #expect(team.sent(to: bob).count == 1)
        func changes() -> [ConnectionInactiveEvent] {
            team.bench.events().compactMap { $0 as? ConnectionInactiveEvent }
        }
        let told = changes()
        #expect(told.map(\.isInactive) == [true])
        // Once for all messages that are refused.
        team.inbox.handle(team.bench.event(connection, .merr(token: item.sharedID?.bytes ?? [], .full)))
        team.inbox.handle(team.bench.event(connection, .connection(.qcont)))
        #expect(changes().map(\.isInactive) == [false])
        guard case .member(let member, let group)? = told.first?.person else {
            Issue.record("no member")
            return
        }
        #expect(member.id == bob.id && group.id == team.id)
    }

    @Test func what_waited_is_not_forgotten_by_a_crash_when_the_queue_takes_messages() throws {
        let (team, bob, connection) = try inactive()
        _ = try team.send("hello")
        team.bench.agent.sendError = .store(StoreError(.disk))
        team.inbox.handle(team.bench.event(connection, .connection(.qcont)))
        #expect(team.sent(to: bob).isEmpty)
        team.bench.agent.sendError = nil
        try team.bench.groups().retryPending()
        #expect(team.sent(to: bob).count == 1)
    }
}
