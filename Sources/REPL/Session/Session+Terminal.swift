import AgentProtocol
import ChatCore
import Commands
import TerminalKit

/// The bell and the title of the window, for who looks elsewhere.
extension Session {
    /// How often at most the bell rings: a contact that sends much is no alarm.
    private static let bellInterval = Duration.seconds(3)

    /// Takes over what a command has changed in the configuration.
    func reloadTerminalSettings() {
        terminalSettings = store.terminalSettings
        showTitle()
    }

    /// Rings for messages that have come, unless their contacts or profiles are muted.
    func ring(for items: [LocatedItem]) {
        guard terminalSettings.ringsBell else { return }
        let profiles = Set(
            items.filter { $0.item.status == .receivedNew && !$0.contact.isMuted }.map(\.contact.profileID))
        guard !profiles.isEmpty else { return }
        Task(executorPreference: store.loop) { await self.ring(in: profiles) }
    }

    private func ring(in profiles: Set<ProfileID>) async {
        let known = (try? await reader.profiles()) ?? []
        guard known.contains(where: { profiles.contains($0.id) && !$0.isMuted }) else { return }
        if let lastBell, ContinuousClock.now - lastBell < Session.bellInterval { return }
        lastBell = .now
        editor?.canvas.ring()
    }

    /// Shows where the session is in the title. SECURITY: nothing of that while everything is hidden.
    func showTitle() {
        editor?.canvas.title =
            terminalSettings.setsTitle
            ? TerminalTitle.text(place: isHidden ? "" : promptWords, unread: isHidden ? 0 : unreadElsewhere) : nil
    }
}
