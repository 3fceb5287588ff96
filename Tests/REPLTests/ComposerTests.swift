import AgentProtocol
import ChatCore
import Navigation
import TerminalKit
import Testing

@testable import REPL

@MainActor @Suite struct ComposerTests {
    private let session = TestSession()
    private var terminal: MemoryTerminal { session.terminal }

    // MARK: - Drafts

    @Test func draft_stays_with_its_conversation() async {
        await session.begin()
        await session.open(TestSession.alice)
        terminal.type("half a sentence")
        await session.drafts.keepLine(of: session.router.conversation)
        #expect(session.core.drafts == [3: "half a sentence"])
        terminal.clear()
        await session.open(TestSession.bob)
        #expect(terminal.text == "")
        terminal.type("for bob")
        await session.drafts.keepLine(of: session.router.conversation)
        #expect(session.core.drafts[4] == "for bob")
    }

    @Test func draft_comes_back_with_its_conversation() async {
        session.core.change { $0.drafts[3] = "half a sentence" }
        await session.begin()
        #expect(terminal.text == "")
        await session.open(TestSession.alice)
        #expect(terminal.text == "half a sentence")
    }

    @Test func typed_text_goes_behind_a_draft() async {
        session.core.change { $0.drafts[3] = "draft and " }
        await session.begin()
        terminal.type("more")
        await session.open(TestSession.alice)
        #expect(terminal.text == "draft and more")
    }

    @Test func sent_message_leaves_no_draft() async {
        session.core.change { $0.drafts[3] = "hello" }
        await session.begin()
        await session.open(TestSession.alice)
        await session.enter(" there")
        #expect(session.core.texts == ["3: hello there"])
        #expect(session.core.drafts[3] == nil)
        #expect(terminal.shows("hello there"))
    }

    @Test func message_that_cannot_be_sent_comes_back() async {
        await session.begin()
        await session.open(TestSession.alice)
        session.core.change { $0.writeFailure = .contactNotReady("alice") }
        await session.enter("hello")
        #expect(session.core.texts == [])
        #expect(terminal.text == "hello")
    }

    @Test func text_of_a_conversation_that_a_key_leaves_stays_there() async {
        session.core.change {
            $0.profiles[0] = MemoryCore.profile(1, "me", isActive: true, unread: 1)
            $0.contacts[1] = MemoryCore.contact(4, "bob", unread: 1)
        }
        await session.begin()
        await session.open(TestSession.alice)
        terminal.type("for alice")
        session.drafts.leaveText()
        terminal.type("for bob")
        await session.router.goToNextUnread(byKey: true)
        #expect(session.router.conversation == .direct(ContactID(4)))
        #expect(session.core.drafts[3] == "for alice")
        #expect(terminal.text == "for bob")
        await session.router.rememberPlace()
        #expect(session.core.drafts == [3: "for alice", 4: "for bob"])
    }

    @Test func lines_that_wait_are_unsent_text() async {
        await session.begin()
        await session.open(TestSession.alice)
        session.drafts.add("first")
        session.drafts.add("/back")
        session.drafts.add("second")
        terminal.type("third")
        #expect(session.drafts.unsentText(in: session.router.conversation) == "first\nsecond\nthird")
        #expect(session.drafts.unsentText(in: nil) == "third")
    }

    @Test func line_of_an_earlier_session_comes_back_with_its_cursor() async {
        session.drafts.resumedLine = ("hällo", 3)
        await session.begin()
        #expect(terminal.text == "hällo")
        #expect(terminal.cursor == 3)
    }

    // MARK: - Messages and commands

    @Test func name_and_text_are_sent_from_any_screen() async {
        await session.begin()
        await session.enter("@bob see you at 5")
        #expect(session.core.texts == ["4: see you at 5"])
        #expect(terminal.shows("message 12 sent to '@bob'"))
        #expect(session.router.isListOfChats)
    }

    @Test func name_alone_opens_the_chat() async {
        await session.begin()
        await session.enter("@alice")
        #expect(session.router.conversation == .direct(ContactID(3)))
        #expect(session.core.texts == [])
    }

    @Test func unknown_name_sends_nothing_without_an_answer() async {
        await session.begin()
        await session.open(TestSession.alice)
        await session.enter("@alyce hi", answering: "n")
        #expect(session.core.texts == [])
        #expect(terminal.shows("unknown contact '@alyce'"))
        #expect(terminal.shows("did you mean '@alice'?"))
        #expect(terminal.text == "@alyce hi")
    }

    @Test func several_contacts_that_a_line_may_name_are_offered() async {
        session.core.change { $0.contacts.append(MemoryCore.contact(7, "Ann")) }
        await session.begin()
        await session.enter("@Ann Lee hello", answering: "2")
        #expect(session.core.texts == ["5: hello"])
    }

    @Test func slash_begins_a_command_in_a_conversation() async {
        await session.begin()
        await session.open(TestSession.alice)
        await session.enter("/contact mute @alice")
        #expect(session.runner.lines == ["contact mute @alice"])
        #expect(session.core.texts == [])
        #expect(session.core.lines == ["/contact mute @alice"])
        #expect(terminal.history == ["/contact mute @alice"])
        await session.enter("/back")
        #expect(session.router.isListOfChats)
    }

    @Test func command_of_a_contact_needs_no_name_on_its_screen() async {
        await session.begin()
        await session.open(TestSession.alice)
        await session.enter("/mute")
        #expect(session.runner.lines == ["contact mute @alice"])
    }

    @Test func two_slashes_begin_a_message_with_one() async {
        await session.begin()
        await session.open(TestSession.alice)
        await session.enter("//usr/bin is full")
        #expect(session.core.texts == ["3: /usr/bin is full"])
        #expect(session.runner.lines == [])
    }

    @Test func unknown_command_suggests_a_similar_one() async {
        await session.begin()
        session.runner.isKnown = { _ in false }
        await session.enter("setings")
        #expect(terminal.shows("unknown command or name 'setings'"))
        #expect(terminal.shows("did you mean 'settings'?"))
    }

    @Test func line_with_an_open_quote_is_recalled() async {
        await session.begin()
        await session.enter("contact rename alice \"Al")
        #expect(session.runner.lines == [])
        #expect(terminal.history.last == "contact rename alice \"Al")
    }

    @Test func pasted_block_is_one_message() async {
        await session.begin()
        await session.open(TestSession.alice)
        await session.enter("/first line\nquit\nthird")
        #expect(session.core.texts == ["3: /first line\nquit\nthird"])
        #expect(session.life.hasEnded == false)
    }

    @Test func pasted_block_on_a_list_is_no_command() async {
        await session.begin()
        await session.enter("list\nquit")
        #expect(session.runner.lines == [])
        #expect(terminal.shows("a command has one line"))
        #expect(terminal.text == "list\nquit")
    }

    @Test func link_in_a_conversation_may_be_a_message() async {
        await session.begin()
        await session.open(TestSession.alice)
        await session.enter(TestSession.link, answering: "s")
        #expect(session.core.texts == ["3: \(TestSession.link)"])
        #expect(session.runner.lines == [])
    }

    // MARK: - Lines that are typed ahead, and answers

    @Test func lines_wait_while_a_command_runs() async {
        await session.begin()
        await session.open(TestSession.alice)
        let terminal = terminal
        session.runner.onRun = {
            terminal.enter("typed meanwhile")
            terminal.type("and not sent")
        }
        await session.enter("/list")
        #expect(session.core.texts == ["3: typed meanwhile"])
        #expect(terminal.text == "and not sent")
    }

    @Test func line_behind_a_question_is_no_answer() async {
        await session.begin()
        await session.open(TestSession.alice)
        terminal.enter("quit")
        terminal.enter("y")
        await session.scheduler.run()
        #expect(session.core.texts == [])
        #expect(terminal.shows("'quit' was not sent"))
        #expect(terminal.shows("'y' was not sent"))
        #expect(session.life.hasEnded == false)
    }

    @Test func question_takes_the_next_line() async {
        await session.begin()
        await session.open(TestSession.alice)
        await session.enter("quit", answering: "y")
        #expect(session.core.texts == ["3: quit"])
        await session.enter("help", answering: "")
        #expect(session.core.texts == ["3: quit"])
        #expect(terminal.shows("nothing was sent"))
    }

    @Test func command_as_an_answer_is_carried_out() async {
        await session.begin()
        await session.open(TestSession.alice)
        await session.enter("back", answering: "/quit")
        #expect(session.core.texts == [])
        #expect(session.life.hasEnded)
    }

    @Test func line_comes_back_beside_other_text_with_the_arrow_up_only() async {
        await session.begin()
        await session.open(TestSession.alice)
        session.core.change { $0.writeFailure = .contactNotReady("alice") }
        terminal.enter("hello")
        terminal.type("for somebody else")
        await session.scheduler.run()
        #expect(terminal.text == "for somebody else")
        #expect(terminal.history.last == "hello")
    }

    // MARK: - Completion

    @Test func names_are_completed() async {
        await session.begin()
        terminal.type("@al")
        await session.composer.complete(terminal.text, terminal.cursor)
        #expect(terminal.text == "@alice ")
        terminal.clear()
        await session.open(TestSession.bob)
        terminal.type("well :rock")
        await session.composer.complete(terminal.text, terminal.cursor)
        #expect(terminal.text == "well 🚀 ")
    }

    @Test func line_that_has_changed_is_not_completed() async {
        await session.begin()
        terminal.type("@al")
        await session.composer.complete("@a", 2)
        #expect(terminal.text == "@al")
    }
}
