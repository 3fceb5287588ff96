import CommandKit
import TerminalKit

/// `tacit completion`
enum CompletionCommand {
    static let shell = Positional<CompletionShell>("SHELL", "The shell: bash, zsh or fish", .choice("SHELL"))

    static let leaf: Leaf = .init(
        Command(
            "completion", "Print what lets a shell complete commands and names", promise: "the script was printed",
            store: .none, positionals: [shell],
            examples: [
                Example("source <(tacit completion bash)", "In ~/.bashrc"),
                Example("tacit completion zsh > _tacit", "In a folder of $fpath"),
                Example("tacit completion fish > tacit.fish", "In ~/.config/fish/completions"),
            ],
            discussion: """
                Installed packages have the scripts in place. Commands, options and their values are completed, and names and \
                ids from the store if it can be opened without asking for a key. Nothing is asked of relays.
                """),
        purpose: { _ in "print the script" },
        run: { invocation in
            try invocation.output.write(verbatim: CommandTree.tacit.completionScript(for: invocation[shell]))
            return .ok
        })
}
