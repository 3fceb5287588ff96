import ChatCore
import Commands
import Navigation
import TerminalKit

/// The settings, or one section of them: what commands show, and the commands that change it.
struct SettingsView: ScreenView {
    let section: SettingsScreen.Section?

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        guard let section else { return list(area) }
        let page = section.page
        var drawing = Drawing(lines: [area.rule("settings: \(section.rawValue)")])
        try await draw(switches(of: section, area.profile, reader), on: &drawing, area)
        drawing.lines += page.note.map { area.text($0, .muted) } ?? []
        (drawing.commands, drawing.hint) = (page.commands, page.hint)
        return drawing
    }

    /// What can be switched on and off on a page, and whether it is on.
    private func switches(
        of section: SettingsScreen.Section, _ number: Int64?, _ reader: StoreReader
    ) async throws -> [(setting: SessionSwitch, isOn: Bool)] {
        switch section {
        case .privacy:
            guard let number, let profile = try await reader.profile(number) else { return [] }
            return [(.receipts, profile.sendsReceipts)]
        case .appearance:
            let terminal = reader.store.terminalSettings
            return [(.bell, terminal.ringsBell), (.title, terminal.setsTitle)]
        case .notifications, .network, .database, .profiles: return []
        }
    }

    private func draw(
        _ switches: [(setting: SessionSwitch, isOn: Bool)], on drawing: inout Drawing, _ area: DrawingArea
    ) {
        guard !switches.isEmpty else { return }
        var table = ListTable(count: switches.count)
        for (setting, isOn) in switches {
            table.add(
                StyledText("\(setting.rawValue): \(isOn ? "on" : "off")", .name), StyledText(setting.words, .muted))
            drawing.choices.append(.init(setting, isOn: isOn))
        }
        drawing.lines += table.lines(area)
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
                hint: "a number or a name switches; receipts on|off; lock; in the shell: tacit passcode set|change|off")
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
                words: "colours, keys, bell, title",
                note: "Colours follow --color and NO_COLOR, keys the inputrc of readline (tacit).",
                hint: "a number or a name switches; bell on|off, title on|off; help environment")
        }
    }
}
