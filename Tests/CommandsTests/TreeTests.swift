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

    @Test func everyExitCodeIsExplained() throws {
        let page = try CommandTree.tacit.help(about: ["exit-codes"])
        for code in ExitCode.allCases { #expect(page.contains(" \(code.rawValue)  ")) }
    }
}
