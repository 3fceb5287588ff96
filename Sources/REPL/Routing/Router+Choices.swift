import AgentProtocol
import ChatCore
import Commands
import Navigation
import TerminalKit

/// Settings that are on or off.
extension Session {
    /// Turns a setting on or off, and shows the page as it is then.
    func turn(_ setting: SessionSwitch, on isOn: Bool) async {
        switch setting {
        case .receipts:
            do {
                // Contacts that have a setting of their own keep it.
                guard let profile = state.profile else { return }
                try await store.execute(SetReceipts(ProfileID(profile), isOn, clearsContacts: false))
            } catch {
                return report(error)
            }
        case .bell: guard await set("session.bell", isOn) else { return }
        case .title: guard await set("session.title", isOn) else { return }
        }
        await showTop()
    }

    private func set(_ key: String, _ isOn: Bool) async -> Bool {
        await run(["config", "set", key, isOn ? "yes" : "no"]) == .ok
    }
}
