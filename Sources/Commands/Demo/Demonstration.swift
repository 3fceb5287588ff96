import SystemIO
import TerminalKit

/// A conversation between two people through a relay of their own, command by command.
///
/// The relay and each person have a folder. Every command is a process of its own, shown behind the prompt of the person
/// who runs it, with everything that it prints.
struct Demonstration {
    private enum Person: String {
        case alice, bob
    }

    let program: String
    let folder: String
    let invocation: Invocation
    /// The environment of the commands: without the settings of the caller, which would change their output.
    private let environment: [String: String]

    init(program: String, folder: String, invocation: Invocation) {
        self.program = program
        self.folder = folder
        self.invocation = invocation
        environment = invocation.environment.filter { !$0.key.hasPrefix("TACIT_") }
    }

    /// Runs and shows the commands, from the first relay to the stored conversation.
    func play() throws {
        try head("Start a relay on this machine:")
        try run(["relay", "init", relayFolder, "--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", "0"])
        try show(["relay", "start", relayFolder], as: nil)
        let relay = try Subprocess(
            program, ["tacit", "relay", "start", relayFolder], environment: environment)
        do {
            let address = try Demonstration.firstLine(of: relay.output)
            try invocation.output.write(line: StyledText(address))
            try converse(address)
        } catch {
            try? relay.end()
            throw error
        }
        try relay.end()
    }

    private func converse(_ address: String) throws {
        try say("Create a store for alice and one for bob:")
        for person in [Person.alice, .bob] {
            try run(["init", "--name", person.rawValue, "--server", address], as: person)
        }
        try say("alice creates a one-time invitation and gives the link to bob:")
        let link = try run(["connect"], as: .alice).first ?? ""
        try say("bob joins with the link; the two need not be online at the same time:")
        try run(["connect", link], as: .bob)
        try run(["fetch"], as: .alice)
        try run(["fetch"], as: .bob)
        try say("They are connected and exchange messages:")
        try run(["send", "@bob", "héllo 👋"], as: .alice)
        try run(["fetch"], as: .bob)
        try run(["send", "@alice", "good to hear from you"], as: .bob)
        try run(["fetch"], as: .alice)
        try say("The store keeps the conversation, and prints it for people and for programs:")
        let history = try run(["read", "@bob"], as: .alice)
        try run(["read", "@bob", "--plain", "--fields", "direction,text"], as: .alice)
        guard history.contains(where: { $0.hasSuffix("good to hear from you") }) else {
            throw Reason.demoMessageLost
        }
    }

    /// Prints the commands that continue the conversation by hand.
    func printContinuation() throws {
        try say("To continue by hand, start the relay and choose a store:")
        for line in [
            "tacit relay start \(ShellWord.quoted(relayFolder)) &",
            "export TACIT_DIR=\(ShellWord.quoted(place(.alice)))",
            "tacit send @bob 'one more'",
        ] {
            try invocation.output.write(line: StyledText(line))
        }
    }

    // MARK: - One step

    private var relayFolder: String { "\(folder)/relay" }

    private func place(_ person: Person) -> String { "\(folder)/\(person.rawValue)" }

    private func say(_ text: String) throws {
        try invocation.output.write(line: "")
        try head(text)
    }

    private func head(_ text: String) throws {
        try invocation.output.write(line: StyledText(text, .heading))
    }

    private func show(_ words: [String], as person: Person?) throws {
        let line = (["tacit"] + words.map(ShellWord.quoted)).joined(separator: " ")
        let prompt = StyledText(person?.rawValue ?? "", .name) + StyledText("$ ", .muted)
        try invocation.output.write(line: prompt + StyledText(line))
        try invocation.output.flush()
    }

    /// Runs a command, shows it with its output, and returns the lines of that.
    @discardableResult
    private func run(_ words: [String], as person: Person? = nil) throws -> [String] {
        try show(words, as: person)
        var environment = environment
        if let person { environment["TACIT_DIR"] = place(person) }
        let result = try Subprocess(program, ["tacit"] + words, environment: environment).finish()
        let output = Demonstration.lines(result.output)
        for line in output + Demonstration.lines(result.errors) {
            try invocation.output.write(line: StyledText(Demonstration.expandingTabs(line)))
        }
        try invocation.output.flush()
        guard result.ending == .exited(0) else {
            throw Reason.demoCommandFailed(words.first ?? "")
        }
        return output
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Returns a line as a terminal shows it, with tab stops every eight columns.
    private static func expandingTabs(_ line: String) -> String {
        var shown = ""
        for part in line.split(separator: "\t", omittingEmptySubsequences: false) {
            if !shown.isEmpty { shown += String(repeating: " ", count: 8 - shown.displayWidth % 8) }
            shown += part
        }
        return shown
    }

    /// Returns the first line that a process prints.
    private static func firstLine(of output: borrowing FileDescriptor) throws -> String {
        var bytes: [UInt8] = []
        while !bytes.contains(UInt8(ascii: "\n")) {
            let part = try output.read(4096, "read the output of the relay")
            guard !part.isEmpty else { throw Reason.demoRelayFailed }
            bytes += part
        }
        return lines(bytes).first ?? ""
    }
}
