import CommandKit
import TerminalKit

/// `tacit help`
enum HelpCommand {
    static let subject = Positional<[String]>(
        repeated: "COMMAND|TOPIC", "Command or topic", .text("WORD", completing: .topic), minimum: 0)

    static let leaf: Leaf = .init(
        Command(
            "help", "Show help for a command or a topic", promise: "the page was printed", store: .none,
            positionals: [subject],
            examples: [
                Example("tacit help send", "Show help for a command"),
                Example("tacit help exit-codes", "Show the meaning of exit codes"),
            ],
            exits: [64]),
        purpose: { _ in "print help" },
        run: { invocation in
            let width = min(invocation.output.traits.width ?? 80, 100)
            let page = try CommandTree.tacit.help(about: invocation[subject], width: width)
            try invocation.output.write(page: page, environment: invocation.environment)
            return .ok
        })
}
