import CommandKit
import Commands
import SystemIO
import TerminalKit
import TestSupport
import Testing

/// The text that the program prints about itself: help, manual, fields of JSON objects, and errors with their advice.
///
/// `make texts` writes it to a file, so that a person can read it in one go.
@Suite struct ProgramTexts {
    private static let tree = CommandTree.tacit

    @Test func a_file_holds_all_text_of_the_program() throws {
        let text = ProgramTexts.chapters.map { "==== \($0.title)\n\n\($0.lines.joined(separator: "\n"))\n" }
            .joined(separator: "\n")
        #expect(text.utf8.count > 200_000)
        guard let path = ProcessEnvironment.variables()["TACIT_TEXTS"] else { return }
        try Files.create(path, Array(text.utf8))
    }

    private static var chapters: [(title: String, lines: [String])] {
        [
            ("Short help", commands.flatMap { page("\(name(of: $0)) -h", tree.shortHelp(for: $0)) }),
            ("Help", commands.flatMap { page("\(name(of: $0)) --help", tree.fullHelp(for: $0)) }),
            ("Topics", tree.topics.flatMap { page("tacit help \($0.name)", "\($0.abstract)\n\n\($0.text)") }),
            ("Manual beyond the help", commands.flatMap { $0.manual.flatMap(lines) } + settings),
            ("JSON objects", tree.reports.flatMap { ["", "## \($0.type)", $0.abstract] + lines(of: $0.fields) }),
            ("Errors", ErrorSamples.all.flatMap(lines)),
        ]
    }

    private static var commands: [Command] { tree.root.family.filter { !$0.isHidden } }

    private static func name(of command: Command) -> String { tree.invocation(of: command.path) }

    private static func page(_ title: String, _ text: String) -> [String] { ["", "## \(title)", text] }

    private static func lines(of part: ManualPart) -> [String] {
        switch part {
        case .heading(let title), .subheading(let title): ["", "## \(title)"]
        case .text(let text): [text]
        case .term(let word, let rest, let meaning): ["  \(word) \(rest)", "      \(meaning)"]
        }
    }

    private static var settings: [String] {
        ["", "## tacit.conf"]
            + tree.settings.flatMap { ["  \($0.key) = \($0.metavariable)", "      \($0.abstract); \($0.expected)"] }
    }

    private static func lines(of fields: [ReportForm.Field], below parent: String = "") -> [String] {
        fields.flatMap { field -> [String] in
            let inner: [ReportForm.Field] =
                switch field.kind {
                case .object(let fields), .objects(let fields): fields
                default: []
                }
            return ["  \(parent)\(field.name): \(field.abstract)"] + lines(of: inner, below: "\(parent)\(field.name).")
        }
    }

    private static func lines(of failure: Failure) -> [String] {
        ["", "[\(failure.code.text), exit \(failure.exit.rawValue)]"] + failure.lines.map(\.text)
    }
}
