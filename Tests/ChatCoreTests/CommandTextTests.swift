import ByteCoding
import JSONCoding
import TestSupport
import Testing

@testable import ChatCore

/// The texts of all commands, and the JSON of their answers, which are the boundary to other processes.
@Suite struct CommandTextTests {
    private static let seeds = UInt64(1)...200

    @Test func every_command_has_a_sample() {
        let sampled = Set(CommandSamples.all(HostileTexts(seed: 1)).map { ObjectIdentifier(type(of: $0)) })
        for type in ChatCommands.all {
            #expect(sampled.contains(ObjectIdentifier(type)), "\(type) has no sample")
        }
        #expect(Set(ChatCommands.all.map { ObjectIdentifier($0) }).count == ChatCommands.all.count)
        #expect(sampled.count == ChatCommands.all.count, "a command with a sample is not in the list")
    }

    /// Every form that can say a command, not only the first.
    @Test func every_text_is_read_as_the_command_that_it_was() throws {
        for command in PeopleCommandSamples.all { check(command, 0) }
        for seed in CommandTextTests.seeds {
            for command in CommandSamples.random(HostileTexts(seed: seed)) { check(command, seed) }
        }
    }

    private func check<Command: ChatCommand>(_ command: Command, _ seed: UInt64) {
        #expect(command.text == CommandTextTests.texts(of: command).first)
        for text in CommandTextTests.texts(of: command) {
            guard let read = try? ChatCommands.parse(text) else {
                Issue.record("seed \(seed): \(text.debugDescription) is not read")
                continue
            }
            #expect(read as? Command == command, "seed \(seed): \(text.debugDescription)")
            // Equal strings may have other bytes.
            #expect(Bytes(read.text.utf8) == Bytes(command.text.utf8), "seed \(seed): \(text.debugDescription)")
        }
    }

    private static func texts<Command: ChatCommand>(of command: Command) -> [String] {
        Command.syntax.forms.compactMap { $0.write(command) }
    }

    /// Where two commands have the same words, what stands behind them tells which is meant.
    @Test func no_two_commands_share_a_form() {
        for command in PeopleCommandSamples.all { checkAlone(command, 0) }
        for seed in UInt64(1)...20 {
            for command in CommandSamples.random(HostileTexts(seed: seed)) { checkAlone(command, seed) }
        }
    }

    private func checkAlone<Command: ChatCommand>(_ command: Command, _ seed: UInt64) {
        for form in Command.syntax.forms {
            guard let text = form.write(command) else { continue }
            for other in ChatCommands.all where other != Command.self {
                let reads = CommandTextTests.reads(other, text, behind: form.words)
                #expect(!reads, "seed \(seed): \(text.debugDescription) is \(Command.self) and \(other)")
            }
        }
    }

    private static func reads<Command: ChatCommand>(_ type: Command.Type, _ text: String, behind words: String) -> Bool
    {
        Command.syntax.forms.contains { form in
            guard form.words == words, var reader = CommandReader(text, behind: words) else { return false }
            return (try? form.read(&reader)) != nil
        }
    }

    /// Texts that were cut anywhere are read or refused.
    @Test func cut_texts_never_trap() {
        for command in CommandSamples.all(HostileTexts(seed: 7)) {
            let text = command.text
            for end in text.unicodeScalars.indices { _ = try? ChatCommands.parse(String(text[..<end])) }
        }
    }

    // MARK: - Answers

    @Test func every_answer_is_read_from_its_json() throws {
        for seed in UInt64(1)...40 {
            for response in ResponseSamples.program(HostileTexts(seed: seed)) {
                #expect(try response.isReadFromItsJSON(), "seed \(seed): \(response.json.line)")
            }
        }
    }

    @Test func an_answer_of_another_type_is_refused() {
        #expect(throws: DecodeError.self) { try CommandOK(json: ["type": "cmdOK"]) }
        #expect(throws: DecodeError.self) { try CommandOK(json: [:]) }
        #expect(throws: DecodeError.self) { try ContactList(json: ["type": "contactsList"]) }
        #expect(throws: DecodeError.self) { try ConnectionChange(json: ["type": "contactSwitch"]) }
    }
}
