import AgentProtocol
import ChatCore
import Commands

/// The bell of the terminal and the title of its window.
final class WindowNotices {
    /// The shortest time between two rings.
    static let bellInterval = Duration.seconds(3)

    private let reader: StoreReader
    private let display: Display
    private let scheduler: any Scheduler
    private let now: () -> ContinuousClock.Instant
    private(set) var settings = TerminalSettings()
    private var lastBell: ContinuousClock.Instant?

    init(
        reader: StoreReader, display: Display, scheduler: any Scheduler,
        now: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        (self.reader, self.display, self.scheduler, self.now) = (reader, display, scheduler, now)
    }

    /// Reads the settings from the configuration files.
    func loadSettings() {
        settings = reader.terminalSettings()
    }

    /// Rings for new messages and calls, unless their contacts or profiles are muted.
    func ring(for items: [LocatedItem]) {
        guard settings.ringsBell else { return }
        let profiles = Set(
            items.filter { $0.item.status == .receivedNew && !$0.isMuted }.map(\.chat.profileID))
        guard !profiles.isEmpty else { return }
        scheduler.start { [weak self] in await self?.ring(in: profiles) }
    }

    private func ring(in profiles: Set<ProfileID>) async {
        let known = await reader.profilesIfReadable()
        guard known.contains(where: { profiles.contains($0.id) && !$0.isMuted }) else { return }
        if let lastBell, now() - lastBell < WindowNotices.bellInterval { return }
        lastBell = now()
        display.terminal?.ring()
    }

    /// Shows the screen in the title. SECURITY: not while it is hidden.
    func showTitle(_ place: String, unread: Int) {
        let isHidden = display.isHidden
        display.terminal?.title =
            settings.setsTitle ? TerminalTitle.text(place: isHidden ? "" : place, unread: isHidden ? 0 : unread) : nil
    }
}
