import AgentProtocol
import ChatCore
import CommandKit
import Commands
import Navigation
import TerminalKit

/// Things that can be chosen on a screen: the entries of a list, requests and settings.
extension Router {
    /// Chooses an entry of the screen by its number or name. Returns false if there is none.
    func choose(_ text: String) async -> Bool {
        let name = CommandWords(text).texts.joined(separator: " ")
        let isCommand = CommandTree.tacit.root.subcommand(CommandWords(text).texts.first ?? "") != nil
        // SECURITY: the name of a contact must not take the place of a command.
        guard !isCommand || choices.contains(where: { $0.winsOverCommands && $0.name == name }) else { return false }
        for choice in choices {
            let words = CommandWords(text).texts
            guard let change = choice.change, let value = change.setting.value(words, isOn: change.isOn)
            else { continue }
            await turn(change.setting, on: value)
            return true
        }
        let choice: Drawing.Choice?
        if let number = Int(name) {
            choice = choices.indices.contains(number &- 1) ? choices[number &- 1] : nil
            guard choice != nil else {
                display.say("there is no number \(number) here", .error)
                return true
            }
        } else {
            let plain = name.first == "@" || name.first == "+" ? String(name.dropFirst()) : name
            choice = choices.first { $0.name == plain }
        }
        guard let choice else { return false }
        if let request = choice.request { await decide(on: request) }
        if let change = choice.change { await turn(change.setting, on: !change.isOn) }
        if let screen = choice.screen, await go(to: screen) { await showTop() }
        return true
    }

    /// Asks whether to accept a contact request.
    private func decide(on request: String) async {
        switch await display.answer(to: StyledText("Accept @\(request), or reject it? [a/r] "))?.trimmed.lowercased() {
        case "a", "accept": await commands.run(["accept", "--", request])
        case "r", "reject": await commands.run(["reject", "--", request])
        default: return display.say("nothing was done", .muted)
        }
        await showTop()
    }

    // MARK: - Settings

    /// Turns a setting on or off, and draws the page again.
    private func turn(_ setting: SessionSwitch, on isOn: Bool) async {
        switch setting {
        case .receipts:
            do {
                // Contacts that have a setting of their own keep it.
                guard let profile = state.profile else { return }
                _ = try await core.execute(SetReceipts(ProfileID(profile), isOn, clearsContacts: false))
            } catch {
                return display.report(error)
            }
        case .bell: guard await set("session.bell", isOn) else { return }
        case .title: guard await set("session.title", isOn) else { return }
        }
        await showTop()
    }

    private func set(_ key: String, _ isOn: Bool) async -> Bool {
        await commands.run(["config", "set", key, isOn ? "yes" : "no"]) == .ok
    }
}
