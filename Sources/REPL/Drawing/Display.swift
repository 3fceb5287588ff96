import ChatCore
import Commands
import TerminalKit

/// The terminal as all parts of a session use it: text above the prompt, and questions. Nothing is printed while it is hidden.
final class Display {
    /// Nil before the session takes the terminal over, and after it has given it back.
    var terminal: (any SessionTerminal)?
    /// True if nothing may be seen until the passcode is typed.
    var isHidden = false
    /// The number of times that the process was stopped.
    var pauses = 0

    /// The folder for files of the store.
    var filesFolder = ""
    /// Stands above the prompt: calls, and otherwise transfers of files.
    var calls: StyledText = "" { didSet { showBanner() } }
    var transfers: StyledText = "" { didSet { showBanner() } }

    private func showBanner() {
        // A terminal where nothing can stand above the prompt would get each step of a transfer.
        let transfers = terminal?.isDumb == true ? "" : transfers
        terminal?.banner = calls.isEmpty ? transfers : calls
    }

    var area: DrawingArea {
        DrawingArea(width: terminal?.width ?? 80, height: terminal?.height ?? 24, filesFolder: filesFolder)
    }

    // MARK: - Printing

    func print(_ lines: [StyledText]) {
        guard !isHidden else { return }
        terminal?.print(lines)
    }

    /// Prints a line, without what has no room in its row.
    func print(row: StyledText) { print([row.truncated(toWidth: area.width - 1)]) }

    /// Prints a sentence in rows that fit.
    func say(_ text: String, _ style: Style = .plain) {
        print(area.text(UntrustedText(text).singleLine, style))
    }

    /// Prints a sentence behind the mark that no message can have.
    func notify(_ text: String) {
        let mark = StyledText(MessageLines.noticeMark + " ", .warning)
        let rows = UntrustedText(text).singleLine.wrapped(toWidth: max(area.width - 1 - mark.width, 8))
        print(rows.enumerated().map { index, row in (index == 0 ? mark : "    ") + StyledText(row) })
    }

    /// Prints an error.
    ///
    /// - Parameter purpose: The operation that failed, behind "cannot"; nil if it was typed just now.
    func report(_ error: any Error, during purpose: String? = nil) {
        let failure = purpose.map { SessionStore.failure(error, during: $0) } ?? SessionStore.failure(error)
        let opening = purpose == nil ? SessionStore.opening : "tacit: "
        let lines = failure.lines.map { line in
            line.text.hasPrefix(opening) ? StyledText(String(line.text.dropFirst(opening.count))) : line
        }
        print(
            lines.flatMap { Advice.inSession($0.text).wrapped(toWidth: area.width - 1) }.map {
                StyledText($0, .error)
            })
    }

    /// Returns a contact as a sentence names it.
    static func target(_ name: String) -> String { UntrustedText("@" + name).quoted }

    /// Returns a chat as a sentence names it.
    static func target(_ name: String, _ chat: ChatReference) -> String {
        if case .group = chat { UntrustedText("+" + name).quoted } else { target(name) }
    }

    // MARK: - Questions

    /// Returns true if the person agrees.
    func confirm(_ question: StyledText) async -> Bool {
        await answer(to: question + " [y/N] ").map(Display.isYes) ?? false
    }

    /// Returns the typed answer; nil if there is none.
    func answer(to question: StyledText) async -> String? {
        guard let terminal else { return nil }
        let prompt = fitting(question)
        return await withCheckedContinuation { continuation in
            terminal.ask(prompt) { continuation.resume(returning: $0) }
        }
    }

    /// Returns the prompt of a question. A question that leaves no room on a narrow screen is printed above it.
    func fitting(_ question: StyledText) -> StyledText {
        guard question.width + PromptLayout.leastRoom >= area.width else { return question }
        print(area.text(question.text.trimmed, .heading))
        return "> "
    }

    static func isYes(_ answer: String) -> Bool {
        ["y", "yes"].contains(answer.trimmed.lowercased())
    }
}

/// The advice of commands.
enum Advice {
    private static let opening = "try: tacit "

    /// Returns advice as it is typed on every screen of a session: with a slash instead of the program's name.
    static func inSession(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            // A margin, or the choice of a colour, may stand before it.
            guard let start = line.indices.prefix(24).first(where: { line[$0...].hasPrefix(opening) }) else {
                return String(line)
            }
            return line[..<start] + "try: /" + line[start...].dropFirst(opening.count)
        }.joined(separator: "\n")
    }
}
