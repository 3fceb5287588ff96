import AgentProtocol
import ChatCore
import Commands
import Host
import Navigation
import TerminalKit
import Testing

@testable import REPL

@MainActor @Suite struct PasscodeGateTests {
    private let session = TestSession()
    private var terminal: MemoryTerminal { session.terminal }

    private func enter(_ answer: Gate.Answer) async {
        session.clock.answer = answer
        terminal.enterSecret("1234")
        await session.scheduler.run()
    }

    @Test func nothing_is_shown_until_the_passcode_is_typed() async throws {
        try await session.beginLocked()
        #expect(terminal.secretQuestion == "Passcode: ")
        #expect(terminal.usesOwnPage)
        #expect(terminal.rows == [])
        #expect(session.router.choices.isEmpty)
        #expect(session.router.state.sheets == [.unlock])
        session.router.take(.newItems([MemoryCore.located(20, TestSession.alice, "a secret")]))
        await session.scheduler.run()
        #expect(terminal.rows == [])
        await enter(.right)
        #expect(terminal.shows("alice"))
        #expect(terminal.secretQuestion == nil)
        #expect(session.router.state.sheets == [])
    }

    @Test func store_without_a_passcode_is_open() async throws {
        try await session.gate.begin(isOpened: false)
        #expect(session.display.isHidden == false)
        #expect(terminal.usesOwnPage == false)
        session.gate.lock()
        #expect(terminal.shows("no passcode is set; 'passcode set' sets one"))
    }

    @Test func passcode_of_an_earlier_session_of_the_process_counts() async throws {
        var record = GateRecord()
        record.passcode = GateRecord.Hash(salt: [1], hash: [2], passes: 1, memory: 8, isNumeric: true)
        session.core.change { $0.values[.gate] = record.encoded }
        try await session.gate.begin(isOpened: true)
        #expect(session.display.isHidden == false)
        #expect(terminal.usesOwnPage)
        session.gate.lock()
        #expect(session.display.isHidden)
    }

    @Test func wrong_passcodes_are_counted_before_they_are_compared_and_make_the_next_wait() async throws {
        try await session.beginLocked()
        for _ in 1...3 {
            await enter(.wrong)
            #expect(terminal.rows.last == "Wrong. ")
        }
        let stored = try GateRecord(decoding: try #require(session.core.value(.gate)))
        #expect(stored.failures == 3)
        await enter(.right)
        #expect(terminal.rows.last == "Wait 1 s. ")
        #expect(session.display.isHidden)
        session.clock.time += 1000
        await enter(.right)
        #expect(session.display.isHidden == false)
        let opened = try GateRecord(decoding: try #require(session.core.value(.gate)))
        #expect(opened.failures == 0)
    }

    @Test func passcode_is_not_compared_if_the_try_cannot_be_stored() async throws {
        try await session.beginLocked()
        session.core.change { $0.writeFailure = .database(.diskFull) }
        await enter(.right)
        #expect(session.display.isHidden)
        #expect(terminal.rows.last == "The store cannot be written. ")
    }

    @Test func record_that_cannot_be_read_does_not_open_the_gate() async throws {
        session.core.change { $0.values[.gate] = "{\"v\":7}" }
        await #expect(throws: (any Error).self) { try await session.gate.begin(isOpened: false) }
    }

    @Test func stop_within_the_grace_time_hides_nothing() async throws {
        try await session.beginLocked { $0.grace = 60_000 }
        await enter(.right)
        session.gate.suspend()
        #expect(session.display.isHidden == false)
        session.clock.time += 59_999
        session.gate.resume()
        #expect(session.display.isHidden == false)
        session.gate.suspend()
        session.clock.time += 60_000
        session.gate.resume()
        #expect(session.display.isHidden)
    }

    @Test func stop_without_a_grace_time_hides_everything_before() async throws {
        try await session.beginLocked()
        await enter(.right)
        session.gate.suspend()
        #expect(session.display.isHidden)
    }

    @Test func idle_session_is_locked() async throws {
        try await session.beginLocked { $0.idle = 5000 }
        await enter(.right)
        terminal.type("a key")
        session.gate.lockWhenIdle(terminal.lastKey + .milliseconds(4999))
        #expect(session.display.isHidden == false)
        session.life.isElsewhere = true
        session.gate.lockWhenIdle(terminal.lastKey + .milliseconds(5000))
        #expect(session.display.isHidden == false, "keys in an editor are not seen")
        session.life.isElsewhere = false
        session.gate.lockWhenIdle(terminal.lastKey + .milliseconds(5000))
        #expect(session.display.isHidden)
        #expect(terminal.secretQuestion == "Passcode: ")
        #expect(terminal.rows == [])
    }

    @Test func links_wait_until_the_gate_opens() async throws {
        try await session.beginLocked()
        #expect(session.router.visit("chat:c4") == .kept)
        await session.scheduler.run()
        #expect(session.router.conversation == nil)
        await enter(.right)
        #expect(session.router.conversation == .direct(ContactID(4)))
        session.gate.lock()
        #expect(session.router.visit("chat:c3") == .kept)
        #expect(session.router.conversation == .direct(ContactID(4)))
        await enter(.right)
        #expect(session.router.conversation == .direct(ContactID(3)))
    }

    @Test func self_destruct_passcode_ends_the_session_with_the_record_of_the_empty_store() async throws {
        let other = GateRecord.Hash(salt: [3], hash: [4], passes: 1, memory: 8, isNumeric: true)
        try await session.beginLocked { $0.selfDestruct = other }
        await enter(.selfDestruct)
        #expect(session.life.hasEnded)
        guard case .erased(let record) = session.life.reason else {
            Issue.record("ended for \(session.life.reason)")
            return
        }
        #expect(record.passcode == other)
        #expect(record.selfDestruct == nil)
        #expect(terminal.rows == [], "nothing of the store was shown")
    }

    @Test func passcode_that_is_removed_elsewhere_opens_the_gate() async throws {
        try await session.beginLocked()
        session.core.change { $0.values[.gate] = GateRecord().encoded }
        await session.gate.reload()
        await session.scheduler.run()
        #expect(session.display.isHidden == false)
        #expect(terminal.shows("alice"))
    }
}
