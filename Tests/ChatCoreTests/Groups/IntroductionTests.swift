import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import TestSupport
import Testing

@testable import ChatCore

/// Members are connected with each other through the host, whoever is away or dies meanwhile.
@Suite struct IntroductionTests {
    enum Actor: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case host, newcomer, old

        var testDescription: String { rawValue }
    }

    /// The host with an old member, and who is going to join.
    private func people() throws -> (TestHouse, [Actor: TestStore]) {
        let house = try TestHouse()
        return (
            house,
            [
                .host: try house.person("alice"), .old: try house.person("bob"), .newcomer: try house.person("cath"),
            ]
        )
    }

    /// Lets a newcomer into a new group, with a fault in each of several rounds.
    private func connect(
        _ house: TestHouse, _ people: [Actor: TestStore], rounds: Int,
        fault: (Actor, TestStore, _ round: Int) throws -> Bool
    ) throws {
        let host = try #require(people[.host]), old = try #require(people[.old])
        let newcomer = try #require(people[.newcomer])
        let link = try house.linkedGroup(of: host)
        try old.join(link)
        try house.settle([old, host]) { try old.isInGroup(with: 1) && host.isInGroup(with: 1) }
        try newcomer.join(link)
        for round in 0..<rounds {
            for (actor, store) in [(Actor.newcomer, newcomer), (.host, host), (.old, old)] {
                if try fault(actor, store, round) { continue }
                _ = try store.fetch()
            }
        }
        let everybody = [host, old, newcomer]
        try house.settle(everybody, rounds: 12) { try everybody.allSatisfy { try $0.isInGroup(with: 2) } }
        for store in everybody { #expect(try store.isInGroup(with: 2)) }
        // Each is there once, and what one says comes to each once.
        for store in everybody {
            let name = try store.group().membership.profile.displayName
            try store.say("I am \(name)")
        }
        try house.settle(everybody, rounds: 3)
        for store in everybody {
            #expect(try store.members().count == 2)
            let heard = try store.heard().filter { $0.hasPrefix("I am") }
            #expect(heard.count == 2 && Set(heard).count == 2)
        }
    }

    @Test(arguments: Actor.allCases) func one_is_away_for_some_rounds(away: Actor) throws {
        let (house, people) = try people()
        for absence in [1, 3] {
            try connect(house, people, rounds: 4) { actor, _, round in actor == away && round < absence }
        }
    }

    @Test(arguments: Actor.allCases) func one_dies_at_any_step(dying: Actor) throws {
        let (house, people) = try people()
        for step in 0..<5 {
            try connect(house, people, rounds: 5) { actor, store, round in
                guard actor == dying, round == step else { return false }
                // Cut off in the middle of its work.
                _ = try store.execute(FetchMessages(timeout: .milliseconds(Int64(4 + 9 * step))))
                try store.reopen()
                return true
            }
        }
    }

    @Test func a_closed_store_goes_on_when_it_is_opened() throws {
        let (house, people) = try people()
        try connect(house, people, rounds: 4) { _, store, _ in
            _ = try store.fetch()
            store.close()
            try store.open(.writing)
            return true
        }
    }

    @Test func a_link_that_could_not_be_made_is_made_at_the_next_start() throws {
        let team = try GroupBench(), host = try team.member("host", .owner, .host)
        let info = MemberInfo(
            GroupBench.memberID(60), .member, versions: ChatVersion.supported, profile: Profile(displayName: "bob"))
        try team.receive(.group(.memberIntroduced(info)), from: host)
        let bob = try #require(try team.bench.store.member(info.id, in: team.id))
        #expect(bob.status == .introduced && bob.connection?.status == .new)
        #expect(team.sent(to: host).isEmpty)
        // The relay is there again.
        team.bench.agent.link = .success(
            LinkPair(full: team.bench.link(), short: nil))
        try team.groups.retryPending()
        #expect(try team.member(bob.id).status == .introInvited)
        guard case .group(.introInvitation(let id, _), _)? = team.sent(to: host).last?.event else {
            Issue.record("no link")
            return
        }
        #expect(id == info.id)
    }

    @Test func links_for_many_members_are_made_some_at_a_time() throws {
        let team = try GroupBench(), host = try team.member("host", .owner, .host)
        team.bench.agent.link = .success(LinkPair(full: team.bench.link(), short: nil))
        let introductions = (0..<100).map { number in
            ChatMessage(
                id: Workbench.sharedID(UInt8(number)),
                event: .group(
                    .memberIntroduced(
                        MemberInfo(
                            GroupBench.memberID(UInt8(150 + number)), .member, versions: ChatVersion.supported,
                            profile: Profile(displayName: "m\(number)")))))
        }
        for part in stride(from: 0, to: 100, by: 10) {
            try team.receive(Array(introductions[part..<part + 10]), from: host)
        }
        try team.groups.retryPending()
        let invited = try team.bench.store.members(of: team.id).count { $0.status == .introInvited }
        #expect(invited == 100)
    }

    /// Somebody whose connection can be written to before it is ready is told who is there before it is told what they became.
    @Test func a_role_does_not_overtake_the_introduction_that_waits() async throws {
        let team = try GroupBench(role: .owner), bench = team.bench
        let bob = try team.member("bob", .member, .invitee, status: .accepted, isConnected: false)
        let cath = try team.member("cath", .member, .invitee, status: .accepted, isConnected: false)
        let connections = try [bob, cath].map { member in
            let connection = try bench.connection(.prepared)
            try bench.store.update(connection, member: member.id)
            return connection
        }
        // Cath comes in while nothing can be sent to Bob, who is told once his connection is ready.
        team.inbox.handle(bench.event(connections[1], .connection(.con(isPostQuantum: false))))
        team.inbox.handle(bench.event(connections[0], .connection(.joined)))
        #expect(try team.member(bob.id).connection?.status == .sendReady)
        _ = try await team.groups.setRole(.moderator, of: [cath.id], in: try team.group())
        #expect(try team.sent(to: team.member(bob.id)).isEmpty)
        team.inbox.handle(bench.event(connections[0], .connection(.con(isPostQuantum: false))))
        let told = try team.sent(to: team.member(bob.id)).compactMap { message -> GroupRole? in
            switch message.event {
            case .group(.memberJoined(let info, _), _) where info.id == cath.memberID: info.role
            case .group(.roleChanged(cath.memberID, let role), _): role
            default: nil
            }
        }
        #expect(told == [.member, .moderator])
    }
}
