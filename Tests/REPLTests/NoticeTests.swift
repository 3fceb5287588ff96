import AgentProtocol
import ChatProtocol
import Commands
import Navigation
import TerminalKit
import Testing

@testable import ChatCore
@testable import REPL

@MainActor @Suite struct NoticeTests {
    private static func call(_ number: Int64, of contact: Contact) -> LocatedItem {
        let record = CallRecord(.audio, .pending, id: SharedMessageID([UInt8(number)]))
        return MemoryCore.located(number, contact, .call(record))
    }

    // MARK: - Calls

    @Test func calls_of_all_profiles_stand_above_the_prompt() async {
        let session = TestSession()
        session.core.change {
            $0.calls = [Self.call(20, of: TestSession.carol), Self.call(21, of: TestSession.alice)]
        }
        await session.begin()
        #expect(
            session.terminal.banner.text
                == "work: carol is calling (audio, and 1 more): /decline. A session has no audio")
        session.calls.remove(ChatItemID(20))
        #expect(session.terminal.banner.text == "alice is calling (audio): /decline. A session has no audio")
        session.calls.remove(ChatItemID(21))
        #expect(session.terminal.banner.text == "")
    }

    @Test func calls_of_muted_contacts_and_profiles_are_not_shown() async {
        let session = TestSession()
        session.core.change {
            $0.profiles[1] = MemoryCore.profile(2, "work", isMuted: true)
            let muted = MemoryCore.contact(3, "alice", isMuted: true)
            $0.calls = [Self.call(20, of: TestSession.carol), Self.call(21, of: muted)]
        }
        await session.begin()
        #expect(session.terminal.banner.text == "")
    }

    @Test func declined_call_leaves_the_banner() async {
        let session = TestSession()
        session.core.change { $0.calls = [Self.call(20, of: TestSession.alice)] }
        await session.begin()
        await session.enter("decline")
        #expect(session.core.commands(RejectCall.self).count == 1)
        #expect(session.terminal.shows("declined the call from alice"))
        #expect(session.terminal.banner.text == "")
        await session.enter("decline")
        #expect(session.terminal.shows("no calls"))
    }

    // MARK: - Unread messages

    @Test func prompt_counts_unread_messages_of_other_chats() async {
        let session = TestSession()
        session.core.change {
            $0.profiles[0] = MemoryCore.profile(1, "me", isActive: true, unread: 5)
            $0.contacts[0] = MemoryCore.contact(3, "alice", unread: 2)
        }
        await session.begin()
        #expect(session.prompt.unread == 5)
        #expect(session.terminal.prompt.text == "me:/ (5) > ")
        await session.open(TestSession.alice)
        #expect(session.terminal.prompt.text == "me:/alice (3) > ")
        session.router.take(.newItems([MemoryCore.located(30, TestSession.bob, "hi")]))
        #expect(session.terminal.prompt.text == "me:/alice (4) > ")
    }

    @Test func next_chat_is_one_that_is_not_muted() async {
        let session = TestSession()
        session.core.change {
            $0.profiles[0] = MemoryCore.profile(1, "me", isActive: true, unread: 2)
            $0.contacts[0] = MemoryCore.contact(3, "alice", unread: 1, isMuted: true)
            $0.contacts[1] = MemoryCore.contact(4, "bob", unread: 1)
        }
        await session.begin()
        await session.enter("next")
        #expect(session.router.conversation == .direct(ContactID(4)))
    }

    // MARK: - Relays

    @Test func relay_is_named_when_it_stays_lost_and_when_it_is_back() async {
        let session = TestSession()
        await session.begin()
        session.relays.lose("relay.example.org", because: "it cannot be reached")
        session.scheduler.fire()
        #expect(session.terminal.shows("relay.example.org") == false)
        session.clock.instant += RelayNotices.delay
        session.relays.sayLosses()
        session.relays.sayLosses()
        let notices = session.terminal.rows.filter { $0.hasPrefix("relay.example.org") }
        #expect(notices == ["relay.example.org: it cannot be reached; retrying"])
        session.relays.reach("relay.example.org")
        #expect(session.terminal.shows("relay.example.org: the relay is reachable again"))
    }

    @Test func relay_that_is_back_at_once_is_not_named() async {
        let session = TestSession()
        await session.begin()
        session.terminal.forget()
        session.relays.lose("relay.example.org", because: "it cannot be reached")
        session.relays.reach("relay.example.org")
        session.clock.instant += RelayNotices.delay
        session.scheduler.fire()
        #expect(session.terminal.rows == [])
    }

    @Test func lost_relays_are_named_when_the_gate_opens() async throws {
        let session = TestSession()
        try await session.beginLocked()
        session.relays.lose("relay.example.org", because: "it cannot be reached")
        session.clock.instant += RelayNotices.delay
        session.scheduler.fire()
        #expect(session.terminal.rows == [])
        session.clock.answer = .right
        session.terminal.enterSecret("1234")
        await session.scheduler.run()
        #expect(session.terminal.shows("relay.example.org: it cannot be reached"))
    }

    // MARK: - Outbox

    @Test func message_that_waits_is_named_once_until_all_are_sent() async {
        let session = TestSession()
        await session.begin()
        await session.open(TestSession.alice)
        await session.enter("one")
        await session.enter("two")
        session.scheduler.fire()
        await session.scheduler.run()
        let notices = session.terminal.rows.filter { $0.contains("stays in the outbox") }
        #expect(notices == ["message 12 stays in the outbox until its relay is reachable"])
        let sent = [12, 13].map { MemoryCore.located($0, TestSession.alice, "", .sent, .sendSent) }
        session.outbox.update([sent[0]])
        #expect(session.terminal.shows("the queued messages were sent") == false)
        session.outbox.update([sent[1]])
        #expect(session.terminal.shows("the queued messages were sent"))
    }

    // MARK: - Bell and title

    private static var settings: TerminalSettings {
        var settings = TerminalSettings()
        (settings.ringsBell, settings.setsTitle) = (true, true)
        return settings
    }

    @Test func bell_rings_for_new_messages_but_not_too_often() async {
        let session = TestSession(Self.settings)
        session.window.loadSettings()
        let items = [MemoryCore.located(30, TestSession.alice, "hi")]
        session.window.ring(for: items)
        await session.scheduler.run()
        session.window.ring(for: items)
        await session.scheduler.run()
        #expect(session.terminal.rings == 1)
        session.clock.instant += WindowNotices.bellInterval
        session.window.ring(for: items)
        await session.scheduler.run()
        #expect(session.terminal.rings == 2)
    }

    @Test func bell_is_silent_for_muted_contacts() async {
        let session = TestSession(Self.settings)
        session.window.loadSettings()
        session.window.ring(for: [MemoryCore.located(30, MemoryCore.contact(3, "alice", isMuted: true), "hi")])
        session.window.ring(for: [MemoryCore.located(31, TestSession.bob, "hi", .received, .receivedRead)])
        await session.scheduler.run()
        #expect(session.terminal.rings == 0)
    }

    @Test func title_shows_the_screen_unless_it_is_hidden() async throws {
        let session = TestSession(Self.settings)
        session.window.loadSettings()
        try await session.beginLocked()
        #expect(session.terminal.title == "tacit")
        session.clock.answer = .right
        session.terminal.enterSecret("1234")
        await session.scheduler.run()
        await session.open(TestSession.alice)
        #expect(session.terminal.title == "tacit me:/alice")
        session.gate.lock()
        #expect(session.terminal.title == "tacit")
    }
}
