import ChatCore
import CommandKit
import TestSupport
import Testing

@testable import Commands

/// The commands of the official program: each is understood, or the manual lists it with a reason.
@Suite struct OfficialCommandTests {
    @Test func every_command_is_understood_or_listed() throws {
        let manual = CommandTree.Topic.bots.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let rows = VectorFile.rows("api-commands")
        #expect(rows.count > 700)
        for row in rows {
            let text = row[1]
            switch row[0] {
            case "ok":
                #expect(throws: Never.self, "\(text)") { try ChatCommands.parse(text) }
            case "unsupported":
                #expect(throws: ChatError.commandNotSupported, "\(text)") { try ChatCommands.parse(text) }
            case "refused":
                #expect(throws: ChatError.commandSyntax, "\(text)") { try ChatCommands.parse(text) }
                #expect(manual.contains(row[2]), "the manual does not name \(row[2])")
            default: Issue.record("\(row[0]) is no state")
            }
        }
        for group in UnsupportedCommands.groups {
            #expect(!group.words.isEmpty && manual.contains(group.reason))
            for words in group.words { #expect(manual.contains(words), "\(words)") }
        }
    }
}
