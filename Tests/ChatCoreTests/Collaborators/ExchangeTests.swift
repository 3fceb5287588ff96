import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import SMPClient
import SMPProtocol
import Testing

@testable import ChatCore

/// Commands that wait for relays.
@Suite struct ExchangeTests {
    private func exchange(_ bench: Workbench, _ inbox: Inbox) -> Exchange {
        Exchange(bench.context, inbox: inbox, connector: bench.connector(), files: bench.files())
    }

    @Test func a_fetch_reports_what_came_and_ends_the_sessions() async throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        inbox.handle(bench.text("before", from: bob))
        var texts = ["one", "two"]
        bench.agent.onWait = {
            if !texts.isEmpty { inbox.handle(bench.text(texts.removeFirst(), from: bob)) }
        }
        let report = try await exchange(bench, inbox).fetch(timeout: .seconds(5), idle: .seconds(1))
        #expect(report.received == 2 && report.isComplete)
        #expect(bench.agent.activities == ["start draining", "stop"])
    }

    @Test func a_command_beside_one_that_receives_keeps_its_sessions() async throws {
        let bench = try Workbench(), inbox = bench.inbox(), exchange = exchange(bench, inbox)
        let bob = try bench.contact()
        bench.agent.sendError = .connection(.outOfStep)
        let sent = try bench.conversations().send(
            SendMessages(.reference(.direct(bob.id)), [ComposedMessage(MessageContent("hello"))]))
        let id = try #require(sent.items.first).item.id
        bench.agent.onWait = { #expect(bench.agent.activities == ["start staying"]) }
        let waited = try await exchange.waitForDelivery(of: id, timeout: .seconds(1))
        #expect(waited.item.item.status == .sendNew)
        #expect(bench.agent.activities == ["start staying", "stop"])
    }

    @Test func an_obstacle_ends_the_wait_for_an_outbox() async throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        bench.agent.obstacle = .timedOut
        let report = try await exchange(bench, inbox).deliver(
            to: .reference(.direct(bob.id)), timeout: .seconds(1))
        #expect(!report.isComplete && report.obstacle == .timedOut)
        bench.agent.obstacle = nil
        let complete = try await exchange(bench, inbox).deliver(
            to: .reference(.direct(bob.id)), timeout: .seconds(1))
        #expect(complete.isComplete && complete.obstacle == nil)
    }

    @Test func a_file_of_a_group_is_sent_when_each_member_has_its_description() async throws {
        let team = try GroupBench(), bench = team.bench, bob = try team.member("bob"), cath = try team.member("cath")
        let item = try team.send("the minutes"), connection = try #require(cath.connection)
        try bench.store.transaction {
            _ = try bench.store.insertFile(
                name: "minutes.txt", size: 9, source: CryptoFile(path: "minutes.txt"), .xftp, .sentComplete,
                isSent: true, item: item.id, of: ProfileID(1), at: bench.now)
        }
        for member in [bob, cath] { team.delivered(item, to: member) }
        let exchange = exchange(bench, team.inbox)
        bench.agent.busy = [connection.id]
        let early = try await exchange.wait(for: item.id, timeout: .seconds(1))
        #expect(early.item.item.status == .sendSent && early.obstacle == .timedOut)
        team.confirmed(item, by: bob)
        let confirmed = try await exchange.waitForDelivery(of: item.id, timeout: .seconds(1))
        #expect(confirmed.item.item.status == .sendReceivedPartly(isIntact: true) && confirmed.obstacle == .timedOut)
        bench.agent.busy = []
        let late = try await exchange.wait(for: item.id, timeout: .seconds(1))
        #expect(late.obstacle == nil)
        bench.agent.busy = [connection.id]
        let report = try await exchange.deliver(to: team.target, timeout: .seconds(1))
        #expect(!report.isComplete && report.obstacle == .timedOut)
    }

    @Test func a_wait_for_a_connection_ends_with_its_problem() async throws {
        let bench = try Workbench(), inbox = bench.inbox(), connector = bench.connector(), bob = try bench.contact()
        let connection = try #require(bob.connection), problem = try #require(ConnectionProblem.allCases.first)
        _ = try connector.recordFailure(
            bench.event(connection.id, .err(problem)), problem, connection, bob, try bench.profile())
        let exchange = Exchange(bench.context, inbox: inbox, connector: connector, files: bench.files())
        let waited = try await exchange.wait(for: connection.id, .ready, timeout: .seconds(1))
        #expect(waited.problem == problem && bench.agent.activities.isEmpty)
    }

    @Test func an_agent_that_failed_fails_the_command() async throws {
        let bench = try Workbench(), inbox = bench.inbox()
        bench.agent.failure = .unknownConnection
        await #expect(throws: (any Error).self) {
            try await exchange(bench, inbox).fetch(timeout: .seconds(1), idle: .zero)
        }
    }
}
