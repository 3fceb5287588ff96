import CommandKit
import SystemIO
import TerminalKit

/// `tacit demo`
enum DemoCommand {
    static let keep = Option<Bool>(
        flag: "keep", "Keep the folder and print commands to continue by hand", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "demo", "Run a conversation between two temporary profiles",
            promise: "all steps succeeded", store: .none, options: [keep],
            examples: [
                Example("tacit demo", "Show two people connect and talk"),
                Example("tacit demo --keep", "Keep the folder to continue by hand"),
            ],
            exits: [69, 71, 73],
            discussion: """
                Creates two stores and a relay in a temporary folder. Every step runs one tacit command as a separate process \
                and shows its output. The relay listens on the loopback interface only, so nothing leaves the machine.
                """),
        purpose: { _ in "show the demonstration" },
        run: { invocation in
            // A signal removes the folder and ends the relay, too.
            try SignalHold.during(EndingSignal.heeded) { _ in
                Result { try show(invocation) }
            }.get()
            return .ok
        })

    private static func show(_ invocation: Invocation) throws {
        guard let program = ProcessEnvironment.executable() else { throw Reason.bug }
        let parent = invocation.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        let folder: String
        do throws(SystemError) {
            folder = try Files.createTemporaryFolder(in: parent, prefix: "tacit-demo-")
        } catch {
            throw Reason.demoFolder(error, at: parent)
        }
        let keeps = invocation[keep]
        defer { if !keeps { try? Files.removeTree(folder) } }
        let demonstration = Demonstration(program: program, folder: folder, invocation: invocation)
        try demonstration.play()
        if keeps { try demonstration.printContinuation() }
    }
}
