import AgentProtocol
import ByteCoding
import ChatProtocol
import CommandKit
import Host
import JSONCoding
import SMPProtocol
import SystemIO
import TerminalKit
import Testing

@testable import ChatCore
@testable import Commands

/// Commands on a core in memory: the commands of the core that they need, their reports and exit codes.
@Suite(.timeLimit(.minutes(60))) struct CommandCoreTests {
    private let bench: CommandBench
    private var core: ScriptedCore { bench.core }
    private static let owner = EventSamples.owner, ann = EventSamples.ann, team = EventSamples.team()
    private static let bob = EventSamples.bob

    init() throws {
        bench = try CommandBench()
        core.answer(ListProfiles.self) { _ in ProfileList([Self.owner]) }
        core.answer(ShowActiveProfile.self) { _ in ActiveProfile(Self.owner) }
        core.answer(ListContacts.self) { _ in ContactList(Self.owner, [Self.ann]) }
        core.answer(ListChats.self) { _ throws(ChatError) in throw .noActiveProfile }
        core.answer(FindChat.self) { command throws(ChatError) in
            switch command.chat {
            case .name("ann"): ChatInfo(profile: Self.owner, chat: .direct(Self.ann))
            case .name("team"): ChatInfo(profile: Self.owner, chat: .group(Self.team))
            default: throw .contactNotFoundByName("")
            }
        }
    }

    // MARK: - send

    private func sent(_ status: ChatItem.Status) -> LocatedItem {
        EventSamples.located(12, text: "hi", direction: .sent, status: status)
    }

    private func answerSending(_ status: ChatItem.Status, _ obstacle: RelayProblem? = nil) {
        let queued = sent(.sendNew), arrived = sent(status)
        core.answer(SendMessages.self) { _ in .newItems(Self.owner, [queued]) }
        core.answer(WaitForItem.self) { _ in WaitedItem(Self.owner, arrived, obstacle: obstacle) }
        core.answer(WaitForDelivery.self) { _ in WaitedItem(Self.owner, arrived, obstacle: obstacle) }
    }

    @Test func a_message_is_composed_once_and_its_delivery_awaited() throws {
        answerSending(.sendSent)
        let run = bench.run("send", "@ann", "hi", "--json")
        #expect(run.code == .ok && run.error == nil, "\(run)")
        let command = try #require(core.commands(SendMessages.self).first)
        #expect(core.commands(SendMessages.self).count == 1)
        #expect(command.chat == .reference(.direct(ContactID(3))))
        #expect(command.messages.map(\.content.text) == ["hi"] && command.once == nil)
        #expect(core.commands(WaitForItem.self).map(\.item) == [ChatItemID(12)])
        #expect(run.reports.map { $0["state"]?.string } == ["sent"])
    }

    @Test func a_message_that_stays_in_the_outbox_is_no_success() {
        answerSending(.sendNew, .timedOut)
        let run = bench.run("send", "@ann", "hi", "--json")
        #expect(run.code == .later && run.error != nil, "\(run)")
        #expect(run.reports.map { $0["state"]?.string } == ["queued"])
    }

    @Test func a_queued_message_is_not_awaited_if_nobody_wants_that() {
        answerSending(.sendSent)
        let run = bench.run("send", "@ann", "hi", "--wait", "queued", "--json")
        #expect(run.code == .ok)
        #expect(core.commands(WaitForItem.self).isEmpty)
        #expect(run.reports.map { $0["state"]?.string } == ["queued"])
    }

    @Test func an_unknown_name_sends_to_none_of_the_targets() {
        answerSending(.sendSent)
        core.answer(ListChats.self) { _ in ChatList(profile: Self.owner, chats: [], pending: []) }
        let run = bench.run("send", "@ann", "--to", "@zoe", "hi", "--json")
        #expect(run.code == .noTarget && run.error != nil, "\(run)")
        #expect(core.commands(SendMessages.self).isEmpty)
    }

    @Test func a_dry_run_writes_nothing() {
        let run = bench.run("send", "@ann", "hi", "--dry-run", "--json")
        #expect(run.code == .ok, "\(run)")
        #expect(core.commands(SendMessages.self).isEmpty)
        #expect(run.reports.map { $0["chat"]?.string } == [Chat.direct(Self.ann).target])
    }

    // MARK: - fetch

    private func answerFetch(_ report: FetchReport, _ events: [any ChatEvent] = []) {
        let tell = bench.tell
        core.answer(FetchMessages.self) { _ in
            for event in events { tell(event) }
            return report
        }
        core.answer(ListOperators.self) { _ in OperatorList([]) }
    }

    @Test func fetch_prints_events_as_they_come_and_then_its_summary() throws {
        answerFetch(
            FetchReport(received: 1, isComplete: true),
            [NewItemsEvent(profile: Self.owner, items: [EventSamples.located(7, text: "news")])])
        let run = bench.run("fetch", "--json")
        #expect(run.code == .ok, "\(run)")
        #expect(run.reports.count == 2)
        #expect(run.reports.first?["text"]?.string == "news")
        #expect(run.reports.last?["received"]?.integer == 1)
    }

    @Test func fetch_that_receives_nothing_says_so_by_its_code_if_that_is_wanted() {
        answerFetch(FetchReport(isComplete: true))
        #expect(bench.run("fetch", "--exit-code").code == .no)
        #expect(bench.run("fetch").code == .ok)
    }

    @Test func fetch_that_is_not_complete_is_to_be_repeated() {
        answerFetch(FetchReport(received: 3))
        let run = bench.run("fetch", "--json")
        #expect(run.code == .later && run.error != nil, "\(run)")
    }

    @Test func fetch_fails_if_messages_stay_that_must_be_sent() {
        answerFetch(FetchReport(waiting: 2, isComplete: true))
        core.answer(ListOutbox.self) { _ in ChatItems(profile: Self.owner, items: []) }
        #expect(bench.run("fetch", "--require-sent", "--json").code == .later)
    }

    // MARK: - watch

    @Test func watch_prints_until_it_is_cancelled() {
        let tell = bench.tell, item = EventSamples.located(7, text: "news")
        core.answer(ReceiveMessages.self) { command in
            tell(NewItemsEvent(profile: Self.owner, items: [item]))
            return FetchReport(received: 1, isComplete: true)
        }
        let run = bench.run("watch", "--json", "--timeout", "3s")
        #expect(run.code == .ok, "\(run)")
        #expect(core.commands(ReceiveMessages.self).map(\.timeout) == [.seconds(3)])
        #expect(run.reports.first?["text"]?.string == "news")
    }

    @Test func watch_of_one_chat_leaves_out_the_others() {
        let tell = bench.tell, item = EventSamples.located(7, text: "news")
        core.answer(ReceiveMessages.self) { _ in
            tell(NewItemsEvent(profile: Self.owner, items: [item]))
            return FetchReport(received: 1, isComplete: true)
        }
        #expect(bench.run("watch", "+team", "--json").output.isEmpty)
        #expect(!bench.run("watch", "@ann", "--json").output.isEmpty)
    }

    // MARK: - file receive

    private func listed(_ state: FileState) -> ListedFile {
        let file = ChatFile(
            id: ChatFileID(4), name: "a.txt", size: 7, source: nil, transport: .xftp, state: state)
        var item = EventSamples.located(7).item
        item.file = file
        return ListedFile(
            file: file, isSent: false, path: state == .received ? "\(bench.path)/a.txt" : nil,
            item: LocatedItem(chat: .direct(Self.ann), item: item), links: [], createdAt: EventSamples.time)
    }

    private func answerFile(_ states: FileState...) {
        let files = states.map(listed)
        let core = core
        core.answer(ShowFile.self) { _ in
            let isDone = !core.commands(WaitForFile.self).isEmpty
            return FileInfo(profile: Self.owner, file: isDone ? files[files.count - 1] : files[0])
        }
        core.answer(WaitForFile.self) { _ in FileInfo(profile: Self.owner, file: files[files.count - 1]) }
        core.answer(ListFiles.self) { _ in FileList(profile: Self.owner, files: [files[0]]) }
        let item = EventSamples.located(7)
        core.answer(ReceiveFile.self) { _ in FileAccepted(profile: Self.owner, item: item) }
    }

    @Test func an_offered_file_is_accepted_and_awaited() {
        answerFile(.offered, .received)
        let run = bench.run("file", "receive", "f4", "--json")
        #expect(run.code == .ok, "\(run)")
        #expect(core.commands(ReceiveFile.self).map(\.file) == [ChatFileID(4)])
        #expect(core.commands(WaitForFile.self).count == 1)
        #expect(run.reports.last?["state"]?.string == "ready")
    }

    @Test func an_interrupted_file_is_not_accepted_again() {
        answerFile(.accepted, .received)
        #expect(bench.run("file", "receive", "f4", "--json").code == .ok)
        #expect(core.commands(ReceiveFile.self).isEmpty && core.commands(WaitForFile.self).count == 1)
    }

    @Test func all_files_of_a_contact_are_received() {
        answerFile(.offered, .received)
        #expect(bench.run("file", "receive", "@ann", "--json").code == .ok)
        #expect(core.commands(ReceiveFile.self).map(\.file) == [ChatFileID(4)])
    }

    @Test func without_a_file_the_core_is_not_asked() {
        answerFile(.offered)
        #expect(bench.run("file", "receive", "--json").code == .usage)
        #expect(core.commands(ListFiles.self).isEmpty)
    }

    // MARK: - group role

    private func answerGroup() {
        core.answer(ListMembers.self) { _ in MemberList(Self.owner, Self.team, [Self.bob]) }
        core.answer(SetMemberRole.self) { _ in MembersChange(.role(.moderator), Self.owner, Self.team, [Self.bob]) }
        core.answer(FetchMessages.self) { _ in FetchReport(isComplete: true) }
    }

    @Test func the_role_of_a_member_is_changed_and_the_members_told() throws {
        answerGroup()
        let run = bench.run("group", "role", "+team/@bob", "moderator", "--json")
        #expect(run.code == .ok, "\(run)")
        let command = try #require(core.commands(SetMemberRole.self).first)
        #expect(command.role == .moderator && command.group == .id(GroupID(4)))
        #expect(core.commands(FetchMessages.self).count == 1)
        #expect(run.reports.map { $0["member"]?.string } == ["+team/@bob"])
    }

    @Test func the_change_of_a_role_can_stay_queued() {
        answerGroup()
        #expect(bench.run("group", "role", "+team/@bob", "member", "--wait", "queued").code == .ok)
        #expect(core.commands(FetchMessages.self).isEmpty)
    }

    @Test func an_unknown_member_changes_nothing() {
        answerGroup()
        let run = bench.run("group", "role", "+team/@zoe", "member", "--json")
        #expect(run.code != .ok && run.error != nil, "\(run)")
        #expect(core.commands(SetMemberRole.self).isEmpty)
    }

    // MARK: - A store that is in use

    @Test func commands_that_need_the_store_for_themselves_are_refused() {
        for words in [["daemon", "run"], ["repl"], ["init"]] {
            let run = bench.run(words[0], words.count > 1 ? words[1] : "--json", "--json")
            #expect(run.code != .ok && run.error != nil, "\(words)")
        }
    }
}
