import CommandKit
import Commands
import TerminalKit
import Testing

/// The declarations of all commands.
@Suite struct TreeTests {
    @Test func nothingIsDeclaredWrongly() {
        #expect(CommandTree.tacit.defects().isEmpty)
    }

    @Test func everyVerbDoesSomething() {
        let verbs = CommandTree.tacit.root.family.filter { !$0.isNoun }.map(\.path)
        #expect(Set(verbs) == Set(Leaf.all.map(\.command.path)))
        #expect(verbs.count == Leaf.all.count)
    }

    @Test func theShortHelpFitsOneScreen() {
        for command in CommandTree.tacit.root.family {
            let lines = CommandTree.tacit.shortHelp(for: command).split(
                separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 25, "\(command.path)")
            #expect(lines.allSatisfy { $0.count <= 80 || command.path.first == "server" }, "\(command.path)")
        }
    }

    @Test func onlyTheProgramListsTheGlobalOptions() {
        let tree = CommandTree.tacit
        for command in tree.root.family where !command.path.isEmpty {
            for page in [tree.shortHelp(for: command), tree.fullHelp(for: command)] {
                #expect(page.contains("\nGlobal options: tacit --help\n"), "\(command.path)")
                #expect(!page.contains("--lock-timeout TIME"), "\(command.path)")
            }
        }
        let page = tree.fullHelp(for: tree.root)
        for option in tree.root.options {
            #expect(page.contains("--\(option.name)") || page.contains("--[no-]\(option.name)"))
        }
        let manual = tree.manual(.current).first { $0.fileName == "tacit.1" }?.text ?? ""
        #expect(manual.contains("\\-\\-lock\\-timeout"))
    }

    @Test func everyNounHasAnExample() {
        for command in CommandTree.tacit.root.family where command.isNoun && !command.path.isEmpty {
            for page in [CommandTree.tacit.shortHelp(for: command), CommandTree.tacit.fullHelp(for: command)] {
                let lines = page.split(separator: "\n")
                let start = "tacit \(command.path.joined(separator: " ")) "
                let examples = lines.filter { $0.hasPrefix("Example: ") || $0.hasPrefix("  ") }
                #expect(
                    examples.contains { $0.contains(start) && !$0.contains("help") && !$0.contains("[") },
                    "\(command.path)")
            }
        }
    }

    @Test func everyExitCodeIsExplained() throws {
        let page = try CommandTree.tacit.help(about: ["exit-codes"])
        for code in ExitCode.allCases { #expect(page.contains(" \(code.rawValue)  ")) }
    }
}
