import AgentProtocol
import ChatCore
import Commands
import Navigation
import TerminalKit

/// The path of screens and the screen on top: going to a place, restoring and storing the last one, sheets, links, and changes of
/// other processes.
final class Router {
    let core: any Core
    let reader: StoreReader
    let memory: SessionMemory
    let display: Display
    let drafts: Drafts
    let commands: any CommandRunner
    let prompt: PromptLine
    let calls: CallBanner
    let relays: RelayNotices
    let scheduler: any Scheduler
    /// Opens a link with the user's program, or copies the link.
    var browse: (String) async -> Void = { _ in }
    /// Leads through the first steps. Returns false if they are not complete.
    var guide: () async -> Bool = { true }

    var state = NavigationState()
    /// The entries of the screen that can be chosen by number or name.
    var choices: [Drawing.Choice] = []
    /// The messages on the screen.
    var shownItems: ClosedRange<Int64>?
    /// True if the newest messages are on the screen, so that new ones belong below.
    var isAtEnd = true
    /// The message that must be on the screen at the next drawing.
    var position: Int64?
    /// The number of drawings of screens.
    var drawings = 0
    /// True if a screen was shown: before that there is no place to be stored.
    var hasPlace = false
    /// True if the list on the screen is going to be drawn again.
    var isListStale = false
    /// The way in which messages were printed last, for the line between days.
    var messages = MessageLines(width: 80)
    /// Destinations that wait until something can be shown.
    var pending = PendingDestinations()
    /// Destinations of other processes that wait until the line is empty.
    var laterDestinations = PendingDestinations()

    init(
        core: any Core, reader: StoreReader, memory: SessionMemory, display: Display, drafts: Drafts,
        commands: any CommandRunner, prompt: PromptLine, calls: CallBanner, relays: RelayNotices,
        scheduler: any Scheduler
    ) {
        (self.core, self.reader, self.memory) = (core, reader, memory)
        (self.display, self.drafts, self.commands) = (display, drafts, commands)
        (self.prompt, self.calls, self.relays, self.scheduler) = (prompt, calls, relays, scheduler)
    }

    var profile: Int64? { state.profile }

    var area: DrawingArea {
        var area = display.area
        area.profile = state.profile
        return area
    }

    /// True if the chats of a profile are on the screen.
    var isListOfChats: Bool { state.path.top.value is HomeScreen && conversation == nil }

    @discardableResult
    func go(to screen: any Screen) async -> Bool { await go(to: screen, leaving: nil) }
}

extension Router: GatedScreens {
    func didHide() {
        pending.deactivate()
        state.present(.unlock)
        prompt.showTitle()
    }

    func didReveal() {
        state.dismiss(.unlock)
        prompt.showTitle()
    }

    /// Shows the screen on top, after the first steps, and the destinations that waited.
    func enter() async {
        guard !display.isHidden else { return await updatePrompt() }
        guard await guide() else { return }
        let destinations = pending.activate(), before = drawings
        // Another screen that is going to be shown at once makes this one needless.
        if destinations.allSatisfy({ $0.needsPlan }) { await showTop() }
        await showNews()
        for destination in destinations { await arrive(at: destination) }
        if drawings == before { await showTop() }
        relays.sayLosses()
    }
}
