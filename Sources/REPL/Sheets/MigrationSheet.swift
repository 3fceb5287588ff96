import ChatCore
import Commands
import SystemIO
import TerminalKit

/// The sheet of an unfinished migration. It comes before the store is open, and before the first steps without a store.
struct MigrationSheet {
    private let start: SessionStart
    private let area: DrawingArea

    /// Asks until there is no unfinished migration, or the person leaves.
    ///
    /// - Returns: True if a session may open.
    static func run(_ start: SessionStart) throws -> Bool {
        guard let first = try start.migration else { return true }
        let sheet = MigrationSheet(
            start: start, area: DrawingArea(width: Terminal(descriptor: 1).columns ?? 80, height: 24))
        var stage: MigrationStage? = first
        do {
            while let current = stage {
                guard try sheet.ask(current) else { return current.refusal == .nothing }
                stage = try start.migration
            }
        } catch PromptError.ended, PromptError.interrupted, PromptError.timedOut {
            return false
        }
        // What was moved away is no reason to begin anew here.
        return try start.hasStore
    }

    /// Asks what to do, and does it. False if the person leaves.
    private func ask(_ stage: MigrationStage) throws -> Bool {
        let view = SheetView.migration(stage)
        try start.output.write(lines: view.lines(area))
        try start.output.flush()
        let typed = try ControllingTerminal().line(view.question).trimmed
        guard !typed.isEmpty else { return false }
        let number = Int(typed).map { $0 &- 1 } ?? view.choices.firstIndex { $0.name == typed } ?? -1
        guard view.choices.indices.contains(number), case .command(let words) = view.choices[number].action else {
            try start.output.write(lines: [StyledText("unknown choice \(UntrustedText(typed).quoted)", .error)])
            try start.output.flush()
            return true
        }
        start.run(words)
        return true
    }
}

extension SheetView {
    /// The sheet of a migration at a stage.
    static func migration(_ stage: MigrationStage) -> SheetView {
        SheetView(
            title: "migration", text: [stage.sentence],
            choices: stage.commands.map { command in
                let words = command.line.split(separator: " ").dropFirst().map(String.init)
                return Choice(name: words.last ?? "", note: command.note, action: .command(words))
            })
    }
}
