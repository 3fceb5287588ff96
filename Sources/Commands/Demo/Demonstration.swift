import SystemIO
import TerminalKit

/// Two people and a relay, each a folder, and the commands that they run.
struct Demonstration {
    private enum Person: String {
        case alice, bob
    }

    let program: String
    let folder: String
    let invocation: Invocation
    /// What is asked of the commands stands in their words alone.
    private let environment: [String: String]

    init(program: String, folder: String, invocation: Invocation) {
        self.program = program
        self.folder = folder
        self.invocation = invocation
        environment = invocation.environment.filter { !$0.key.hasPrefix("TACIT_") }
    }

    /// Shows everything from the first store to the history.
    func play() throws {
        try head("A relay, which carries sealed messages and knows nobody:")
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
        for person in [Person.alice, .bob] {
            try say("A store for \(person.rawValue):")
            try run(["init", "--name", person.rawValue, "--server", address], as: person)
        }
        try say("alice makes an invitation for one person, and hands the link over:")
        let link = try run(["connect"], as: .alice).first ?? ""
        try say("bob joins with it; nobody needs to be there at the same time:")
        try run(["connect", link], as: .bob)
        try run(["fetch"], as: .alice)
        try run(["fetch"], as: .bob)
        try say("They are connected, and talk:")
        try run(["send", "@bob", "héllo 👋"], as: .alice)
        try run(["fetch"], as: .bob)
        try run(["send", "@alice", "good to hear from you"], as: .bob)
        try run(["fetch", "--json"], as: .alice)
        try say("What was said is in the store:")
        let history = try run(["read", "@bob"], as: .alice)
        try run(["list", "chats"], as: .alice)
        guard history.contains(where: { $0.hasSuffix("good to hear from you") }) else {
            throw Reason.demoMessageLost
        }
    }

    /// Prints how to go on by hand with what was kept.
    func printContinuation() throws {
        try say("To go on by hand, start the relay again and choose a person:")
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
        let variables = person.map { ["TACIT_DIR=\(ShellWord.quoted(place($0)))"] } ?? []
        let line = (variables + ["tacit"] + words.map(ShellWord.quoted)).joined(separator: " ")
        try invocation.output.write(line: StyledText("$ ", .muted) + StyledText(line))
        try invocation.output.flush()
    }

    /// Runs a command as a process, shows it with what it prints, and returns the lines of its output.
    @discardableResult
    private func run(_ words: [String], as person: Person? = nil) throws -> [String] {
        try show(words, as: person)
        var environment = environment
        if let person { environment["TACIT_DIR"] = place(person) }
        let result = try Subprocess(program, ["tacit"] + words, environment: environment).finish()
        let output = Demonstration.lines(result.output)
        for line in output + Demonstration.lines(result.errors) { try invocation.output.write(line: StyledText(line)) }
        try invocation.output.flush()
        guard result.ending == .exited(0) else {
            throw Reason.demoCommandFailed(words.first ?? "")
        }
        return output
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// What a process says first.
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
