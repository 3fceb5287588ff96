import AgentProtocol
import ChatCore
import Commands
import Host
import JSONCoding
import Navigation
import TerminalKit
import Testing

@testable import REPL

@MainActor @Suite struct RouterTests {
    private let session = TestSession()
    private var router: Router { session.router }

    private var top: String { "\(router.state.path.top.value)" }

    private func isChat(with number: Int64) -> Bool { router.conversation == .direct(ContactID(number)) }

    // MARK: - The path

    @Test func first_screen_is_the_chat_list_of_the_active_profile() async {
        await session.begin()
        #expect(router.profile == 1)
        #expect(router.isListOfChats)
        #expect(router.choices.map(\.name) == ["alice", "bob", "Ann Lee"])
        #expect(session.terminal.prompt.text == "me:/ > ")
    }

    @Test func screens_are_pushed_and_left_in_order() async {
        await session.begin()
        await session.open(TestSession.alice)
        #expect(session.terminal.shows("good morning"))
        #expect(session.terminal.prompt.text == "me:/alice > ")
        await router.go(to: ContactScreen(contact: 3))
        await router.showTop()
        #expect(router.state.path.count == 4)
        #expect(router.chat == .direct(ContactID(3)))
        await router.change { $0.pop() }
        await router.showTop()
        #expect(isChat(with: 3))
        await router.change { $0.pop() }
        await router.showTop()
        #expect(router.isListOfChats)
    }

    @Test func home_leads_to_the_chat_list_from_any_screen() async {
        await session.begin()
        await session.open(TestSession.alice)
        await router.go(to: ContactScreen(contact: 3))
        await router.go(to: VerificationScreen(contact: 3))
        #expect(await router.perform(.home, CommandWords("home"), ""))
        #expect(router.state.path.count == 2)
        #expect(session.place.count == 1)
    }

    @Test func screen_of_another_profile_activates_the_profile() async {
        await session.begin()
        await session.open(TestSession.carol)
        #expect(router.profile == 2)
        #expect(session.core.commands(ActivateProfile.self).map(\.id.number) == [2])
        #expect(session.terminal.prompt.text == "work:/carol > ")
    }

    @Test func missing_contact_is_reported_and_the_screen_stays() async {
        await session.begin()
        #expect(await router.go(to: ChatScreen(contact: 99)) == false)
        #expect(session.terminal.shows("the contact no longer exists"))
        #expect(router.isListOfChats)
    }

    @Test func contact_that_disappears_leaves_a_notice_instead_of_its_screen() async {
        await session.begin()
        await session.open(TestSession.bob)
        session.core.change { $0.contacts.removeAll { $0.name == "bob" } }
        await router.showTop()
        #expect(session.terminal.shows("the subject of this screen was deleted; /back returns"))
        await router.leaveWhatIsGone()
        #expect(router.isListOfChats)
    }

    @Test func addresses_lead_to_their_screens() async {
        await session.begin()
        #expect(await router.go(to: "/contacts/alice"))
        #expect(isChat(with: 3))
        #expect(await router.go(to: "/settings/privacy"))
        #expect(router.state.path.top.value is SettingsScreen)
        #expect(await router.go(to: "/nowhere/at all") == false)
        #expect(session.terminal.shows("unknown contact"))
    }

    @Test func one_to_one_profile_opens_with_its_conversation() async {
        session.core.change { $0.profiles[0] = MemoryCore.profile(1, "me", isActive: true, home: 4) }
        await session.begin()
        #expect(isChat(with: 4))
        #expect(session.terminal.prompt.text == "me:/bob > ")
        session.core.change { $0.profiles[0] = MemoryCore.profile(1, "me", isActive: true) }
        router.take(.homeChanged)
        await session.scheduler.run()
        #expect(isChat(with: 4), "who reads the conversation goes on reading it")
        #expect(router.state.path.count == 3)
    }

    // MARK: - The last place

    @Test(arguments: [
        "{\"v\":1,\"screens\":[{\"screen\":\"home\",\"profile\":1},{\"screen\":\"chat\",\"contact\":3}]}",
        "{\"v\":1,\"screens\":[{\"screen\":\"home\",\"profile\":2}]}",
        "{\"v\":1,\"screens\":[{\"screen\":\"home\",\"profile\":1},{\"screen\":\"settings\",\"section\":\"privacy\"}]}",
        "{\"v\":1,\"screens\":[{\"screen\":\"home\",\"profile\":1},{\"screen\":\"chat\",\"contact\":4},"
            + "{\"screen\":\"contact\",\"contact\":4}]}",
        "{\"v\":1,\"screens\":[]}",
    ]) func stored_places_are_restored(stored: String) async throws {
        session.core.change { $0.values[.place] = stored }
        await router.startAtHome()
        await router.restore()
        await router.enter()
        let place = try LastPlace(decoding: stored)
        let expected = place.screens.isEmpty ? [AnyScreen(HomeScreen(profile: 1, kind: .chats))] : place.screens
        #expect(router.state.path.screens.dropFirst().map { Optional($0) } == expected)
        #expect(session.core.value(.place).flatMap { try? LastPlace(decoding: $0) }?.screens == expected)
    }

    @Test func place_whose_contact_is_gone_becomes_its_parent() async {
        session.core.change {
            $0.values[.place] =
                "{\"v\":1,\"screens\":[{\"screen\":\"home\",\"profile\":1},{\"screen\":\"chat\",\"contact\":99}]}"
        }
        await router.startAtHome()
        await router.restore()
        await router.enter()
        #expect(router.isListOfChats)
        #expect(session.terminal.shows("the contact of the last session no longer exists"))
    }

    @Test func place_of_a_later_version_is_read_as_far_as_it_is_known() async {
        session.core.change {
            $0.values[.place] = "{\"v\":2,\"screens\":[{\"screen\":\"home\",\"profile\":1},{\"screen\":\"maps\"}]}"
        }
        await router.startAtHome()
        await router.restore()
        await router.enter()
        #expect(router.isListOfChats)
        #expect(session.terminal.shows("the last screen cannot be shown by this version"))
    }

    @Test func each_screen_that_is_shown_is_stored() async {
        await session.begin()
        #expect(session.place.count == 1)
        await session.open(TestSession.alice)
        #expect(session.place.count == 2)
        #expect(session.place.last?.contains("3") == true)
        await router.change { $0.pop() }
        await router.showTop()
        #expect(session.place.count == 1)
    }

    @Test func nothing_is_stored_before_a_screen_was_shown() async {
        await router.startAtHome()
        await router.rememberPlace()
        #expect(session.core.value(.place) == nil)
        #expect(router.place == nil)
    }

    // MARK: - Choices

    @Test func entries_are_chosen_by_number_and_by_name() async {
        await session.begin()
        #expect(await router.choose("2"))
        #expect(isChat(with: 4))
        await router.change { $0.popToFirstOpened() }
        await router.showTop()
        #expect(await router.choose("Ann Lee"))
        #expect(isChat(with: 5))
        await router.change { $0.popToFirstOpened() }
        await router.showTop()
        #expect(await router.choose("@alice"))
        #expect(isChat(with: 3))
    }

    @Test func number_without_an_entry_is_a_mistake() async {
        await session.begin()
        #expect(await router.choose("7"))
        #expect(session.terminal.shows("there is no number 7 here"))
        #expect(await router.choose("nobody") == false)
    }

    @Test func name_of_a_contact_never_replaces_a_command() async {
        session.core.change { $0.contacts.append(MemoryCore.contact(7, "lock")) }
        await session.begin()
        #expect(router.choices.contains { $0.name == "lock" })
        #expect(await router.choose("lock") == false)
    }

    @Test func setting_of_a_page_is_a_command() async {
        await session.begin()
        #expect(await router.go(to: "/settings/appearance"))
        await router.showTop()
        #expect(await router.choose("bell on"))
        #expect(session.runner.lines.contains("config set session.bell yes"))
        #expect(await router.choose("title off"))
        #expect(session.runner.lines.contains("config set session.title no"))
    }

    // MARK: - Sheets

    @Test func sheet_lies_over_the_path_until_it_is_answered() async {
        await session.begin()
        await session.open(TestSession.alice)
        let path = router.state.path
        let showing = Task { await router.lay(.profilePicker) }
        await session.waitForQuestion()
        #expect(router.state.sheets == [.profilePicker])
        #expect(router.state.path == path)
        #expect(session.terminal.shows("work"))
        session.terminal.enter("2")
        await showing.value
        #expect(router.state.sheets == [])
        #expect(router.profile == 2)
    }

    @Test func sheet_without_an_answer_leaves_the_place() async {
        await session.begin()
        let path = router.state.path
        let showing = Task { await router.lay(.newChat) }
        await session.waitForQuestion()
        session.terminal.enter("")
        await showing.value
        #expect(router.state.path == path)
        #expect(session.runner.lines == [])
    }

    @Test func news_are_shown_once_in_a_store_of_an_older_version() async {
        session.core.change { $0.values[.seenVersion] = "0.0.1" }
        let showing = Task { await session.begin() }
        await session.waitForQuestion()
        #expect(session.terminal.shows("what is new in"))
        session.terminal.enter()
        await showing.value
        #expect(session.core.value(.seenVersion) == WhatsNew.version)
    }

    // MARK: - Other processes

    @Test func place_of_another_process_waits_until_the_line_is_empty() async {
        await session.begin()
        session.terminal.type("half a sent")
        #expect(router.visit("chat:c3") == .shown)
        await session.scheduler.run()
        #expect(router.isListOfChats)
        #expect(session.terminal.shows("it is shown when the line is empty"))
        session.terminal.clear()
        router.followOthers()
        await session.scheduler.run()
        #expect(isChat(with: 3))
    }

    @Test func known_owner_of_a_link_leads_to_the_conversation() async throws {
        await session.begin()
        session.runner.reports = [["type": "contact", "id": "c4"]]
        await router.follow(try #require(SessionLink(TestSession.link)))
        #expect(isChat(with: 4))
        #expect(session.runner.lines.allSatisfy { $0.contains("--dry-run") })
    }

    @Test func new_link_connects_after_a_question() async throws {
        await session.begin()
        session.runner.reports = [["type": "link"]]
        let link = try #require(SessionLink(TestSession.link))
        let following = Task { await router.follow(link) }
        await session.waitForQuestion()
        #expect(session.terminal.question == "Connect? [y/N] ")
        session.terminal.enter("y")
        await following.value
        #expect(session.runner.lines.last == "connect -- \(link.text)")
    }

    @Test func deleted_profile_is_left_with_an_empty_screen() async {
        await session.begin()
        await session.open(TestSession.carol)
        session.core.change {
            $0.profiles = [MemoryCore.profile(1, "me", isActive: true)]
            $0.contacts.removeAll { $0.name == "carol" }
        }
        router.take(.profileGone(ProfileID(2)))
        #expect(session.terminal.rows == [])
        await session.scheduler.run()
        #expect(router.profile == 1)
        #expect(router.isListOfChats)
    }

    @Test func new_messages_of_the_conversation_are_shown_and_marked_as_read() async {
        await session.begin()
        await session.open(TestSession.alice)
        router.take(.newItems([MemoryCore.located(20, TestSession.alice, "one more")]))
        await session.scheduler.run()
        #expect(session.terminal.shows("one more"))
        #expect(session.core.commands(MarkItemsRead.self).flatMap(\.items).map(\.number) == [20])
    }

    @Test func failing_store_is_reported_once() async {
        await session.begin()
        session.core.change { $0.writeFailure = .database(.diskFull) }
        await session.open(TestSession.alice)
        await session.open(TestSession.bob)
        let reports = session.terminal.rows.filter { $0.contains("full") }
        #expect(reports.count == 1, "\(session.terminal.rows)")
    }
}
