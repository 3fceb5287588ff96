import AgentProtocol
import ChatCore
import Navigation
import TerminalKit

/// The screens as the line uses them.
protocol Navigator: AnyObject {
    var profile: Int64? { get }
    /// The conversation on the screen.
    var conversation: ChatReference? { get }
    /// The chat that the screen is about.
    var chat: ChatReference? { get }
    /// The member of a group that the screen is about.
    var member: GroupMemberID? { get }
    /// The support chat on the screen.
    var supportChat: ChatTarget? { get }
    var choices: [Drawing.Choice] { get }
    /// The messages on the screen.
    var shownItems: ClosedRange<Int64>? { get }
    /// True if the newest messages are on the screen.
    var isAtEnd: Bool { get }
    var isListOfChats: Bool { get }
    var showsRequests: Bool { get }

    func go(to screen: any Screen) async -> Bool
    func go(to address: String) async -> Bool
    func goTo(message number: Int64) async
    func choose(_ text: String) async -> Bool
    func follow(_ link: SessionLink) async
    func chat(named name: String) async -> ChatReference?
    /// Carries out a command that leads somewhere. Returns false for another one.
    func perform(_ word: SessionWord, _ line: CommandWords, _ rest: String) async -> Bool
    func leaveWhatIsGone() async
    func showTop() async
    func showEnd() async
    func show(new items: [LocatedItem])
    func show(changed item: LocatedItem)
}

extension Router: Navigator {
    var showsRequests: Bool { state.path.top.isA(RequestsScreen.self) }
}

/// The line and its texts: messages, commands, lines that are typed ahead, answers and completion.
final class Composer {
    /// The commands that are for the session itself.
    struct Controls {
        var lock: () -> Void = {}
        var leave: () -> Void = {}
        /// Puts a text of the user's editor into the line.
        var writeInEditor: () async -> Void = {}
        /// Draws the picture of a message.
        var showPicture: (LocatedItem) async -> Void = { _ in }
        /// The folder that `~/` stands for in paths.
        var home: String?
    }

    let core: any Core
    let reader: StoreReader
    let memory: SessionMemory
    let display: Display
    let drafts: Drafts
    let router: any Navigator
    let commands: any CommandRunner
    let calls: CallBanner
    let outbox: OutboxNotices
    let scheduler: any Scheduler
    /// Set before the first line.
    var controls = Controls()

    init(
        core: any Core, reader: StoreReader, memory: SessionMemory, display: Display, drafts: Drafts,
        router: any Navigator, commands: any CommandRunner, calls: CallBanner, outbox: OutboxNotices,
        scheduler: any Scheduler
    ) {
        (self.core, self.reader, self.memory) = (core, reader, memory)
        (self.display, self.drafts, self.router) = (display, drafts, router)
        (self.commands, self.calls, self.outbox, self.scheduler) = (commands, calls, outbox, scheduler)
    }

    var conversation: ChatReference? { router.conversation }
    var chat: ChatReference? { router.chat }

    /// Takes a line that the person has completed.
    ///
    /// - Parameter onDone: Called when it was carried out.
    func enqueue(_ line: String, then onDone: @escaping () -> Void = {}) {
        drafts.add(line)
        scheduler.enqueue { [weak self] in
            guard let self else { return }
            drafts.beginLine(in: conversation)
            await take(line: line)
            drafts.lineIsDone()
            onDone()
        }
    }

    /// A command asks a question: lines that are typed already are no answer to it.
    func noteQuestion() {
        if drafts.lines.count > 1 { drafts.mayBeAnswer = true }
    }
}
