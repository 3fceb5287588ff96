import Navigation
import TerminalKit

/// The settings, or one section of them: what commands show, and the commands that change it.
struct SettingsView: ScreenView {
    let section: SettingsScreen.Section?

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        guard let section else { return list(area) }
        let page = section.page
        return Drawing(
            lines: [area.rule("settings: \(section.rawValue)")] + (page.note.map { area.text($0, .muted) } ?? []),
            commands: page.commands, hint: page.hint)
    }

    private func list(_ area: DrawingArea) -> Drawing {
        var drawing = Drawing(lines: [area.rule("settings")])
        let sections = SettingsScreen.Section.allCases
        var table = ListTable(count: sections.count)
        for section in sections {
            table.add(StyledText(section.rawValue, .name), StyledText(section.page.words, .muted))
            drawing.choices.append(
                .init(name: section.rawValue, screen: SettingsScreen(section), winsOverCommands: true))
        }
        drawing.lines += table.lines(area)
        return drawing
    }
}

extension SettingsScreen.Section {
    /// What a section shows, and how it is changed.
    fileprivate struct Page {
        let words: String
        var commands: [[String]] = []
        var note: String?
        let hint: String
    }

    fileprivate var page: Page {
        switch self {
        case .notifications:
            Page(
                words: "how messages arrive", commands: [["notify-mode"]],
                note: "While a session is open they come at once. Otherwise:", hint: "notify-mode instant|periodic|off")
        case .network:
            Page(
                words: "servers, proxy", commands: [["net", "status"], ["server", "list"]],
                hint: "server add ADDRESS, server disable ID, net test, help net")
        case .privacy:
            Page(
                words: "receipts, passcode",
                note: "receipts are set with: api '/set receipts contacts on|off'",
                hint: "lock; in the shell: tacit passcode set|change|off")
        case .database:
            Page(
                words: "the store and its key", commands: [["db", "info"]],
                hint: "db backup FILE, export FILE; db check and db rekey need the store for themselves")
        case .profiles:
            Page(
                words: "who you are", commands: [["list", "profiles"]],
                hint: "profile create NAME, profile set, profile use NAME, profile mute NAME, help profile set")
        case .appearance:
            Page(
                words: "how it looks",
                note: "Colours follow --color and NO_COLOR, keys the inputrc of readline (tacit).",
                hint: "help environment")
        }
    }
}
