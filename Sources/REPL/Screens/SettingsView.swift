import ChatCore
import Commands
import Navigation
import TerminalKit

/// The settings, or one section of them: what commands show, and the commands that change it.
struct SettingsView: ScreenView {
    let section: SettingsScreen.Section?

    /// Below so many columns what a setting does stands below it.
    private static let roomForColumns = 76

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
            let terminal = reader.terminalSettings()
            return [(.bell, terminal.ringsBell), (.title, terminal.setsTitle)]
        case .notifications, .network, .database, .profiles: return []
        }
    }

    private func draw(
        _ switches: [(setting: SessionSwitch, isOn: Bool)], on drawing: inout Drawing, _ area: DrawingArea
    ) {
        guard !switches.isEmpty else { return }
        let hasColumns = area.width >= SettingsView.roomForColumns
        var table = ListTable(count: switches.count)
        for (number, (setting, isOn)) in zip(1..., switches) {
            let name = StyledText("\(setting.rawValue): \(isOn ? "on" : "off")", .name)
            drawing.choices.append(.init(setting, isOn: isOn))
            guard !hasColumns else {
                table.add(name, StyledText(setting.words, .muted))
                continue
            }
            drawing.lines.append((StyledText("\(number)  ", .muted) + name).truncated(toWidth: area.width - 1))
            drawing.lines += setting.words.wrapped(toWidth: max(area.width - 4, 2)).map {
                StyledText("   \($0)", .muted)
            }
        }
        if hasColumns { drawing.lines += table.lines(area) }
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
                words: "receiving messages", commands: [["notify-mode"]],
                note: "An open session receives messages at once. Otherwise:", hint: "notify-mode instant|periodic|off")
        case .network:
            Page(
                words: "relays, proxy", commands: [["net", "status"], ["server", "list"]],
                hint: "server add ADDRESS, server disable ID, net test, help net")
        case .privacy:
            Page(
                words: "receipts, passcode",
                hint: "receipts on|off; passcode set|change|off, lock")
        case .database:
            Page(
                words: "store, key, backups", commands: [["db", "info"]],
                hint: "db backup FILE, export FILE; db check and db rekey work without a session only")
        case .profiles:
            Page(
                words: "names and profiles", commands: [["list", "profiles"]],
                hint: "profile create NAME, profile set, profile use NAME, profile mute NAME, help profile set")
        case .appearance:
            Page(
                words: "colours, keys, bell, title",
                note: "Colours: --color, NO_COLOR. Keys: the inputrc of readline, application tacit.",
                hint: "bell on|off, title on|off; help environment")
        }
    }
}
