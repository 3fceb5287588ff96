import CommandKit
import TerminalKit

/// `tacit completion`
enum CompletionCommand {
    static let shell = Positional<CompletionShell>("SHELL", "The shell: bash, zsh or fish", .choice("SHELL"))

    static let leaf: Leaf = .init(
        Command(
            "completion", "Print a shell completion script", promise: "the script was printed",
            store: .none, positionals: [shell],
            examples: [
                Example("source <(tacit completion bash)", "Enable completion in ~/.bashrc"),
                Example("tacit completion zsh > _tacit", "Install completion in a folder of $fpath"),
                Example("tacit completion fish > tacit.fish", "Install completion in ~/.config/fish/completions"),
            ],
            discussion: """
                The Debian package and make install put the scripts in place. The shell completes commands, options and \
                values, and names and ids from the store if it opens without a prompt for the key. Completion never uses the \
                network.
                """),
        purpose: { _ in "print the script" },
        run: { invocation in
            try invocation.output.write(verbatim: CommandTree.tacit.completionScript(for: invocation[shell]))
            return .ok
        })
}
