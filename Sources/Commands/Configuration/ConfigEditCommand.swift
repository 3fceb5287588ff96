import CommandKit
import SystemIO
import TerminalKit

/// `tacit config edit`
enum ConfigEditCommand {
    static let leaf: Leaf = .init(
        Command(
            "config edit", "Edit the configuration file and check it",
            promise: "the editor exited with 0, and the files are valid", store: .none,
            examples: [Example("tacit config edit", "Edit with $VISUAL, $EDITOR or vi")], exits: [71, 73, 77],
            reports: ConfigurationCheck.forms,
            discussion: """
                Creates the file if needed and opens it in the editor. Errors in the edited file are reported, and the exit \
                code is 78.
                """),
        purpose: { _ in "edit the configuration" },
        run: { invocation in
            guard Terminal(descriptor: 0).isTerminal, Terminal(descriptor: 1).isTerminal else {
                throw Reason.editorWithoutTerminal
            }
            let file = try ConfigurationFile(invocation)
            if !Files.exists(file.path) { try file.replace(with: SettingsText(Array(beginning.utf8))) }
            try edit(file.path, invocation)
            return try ConfigCheckCommand.leaf.run(invocation)
        })

    /// What a new file says.
    private static let beginning = """
        # Settings of tacit: see man tacit.conf, or tacit config list --all.

        # [net]
        # proxy = tor

        # [alias]
        # s = send

        """

    private static func edit(_ path: String, _ invocation: Invocation) throws {
        let named = ["VISUAL", "EDITOR"].compactMap { invocation.environment[$0] }.first { !$0.isEmpty }
        // The variable is a line of the shell, as everywhere: it may hold options.
        let line = "\(named ?? "vi") \"$1\""
        let ending = try Subprocess.run(
            "/bin/sh", ["sh", "-c", line, "sh", path], environment: invocation.environment)
        guard ending == .exited(0) else {
            throw Reason.editorFailed(ending)
        }
    }
}
