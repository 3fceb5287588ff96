import CommandKit
import SystemIO
import TerminalKit

/// `tacit demo`
enum DemoCommand {
    static let keep = Option<Bool>(
        flag: "keep", "Keep the folder, and print the commands to go on by hand", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "demo", "Let two people talk through a relay, all in a temporary folder",
            promise: "all of it worked", store: .none, options: [keep],
            examples: [
                Example("tacit demo", "Watch two people connect and talk"),
                Example("tacit demo --keep", "And go on by hand"),
            ],
            exits: [69, 71, 73],
            discussion: """
                Every step is a command of this program, run as a process of its own and shown with what it prints. The relay \
                listens on the loopback interface only, so that nothing leaves the machine.
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
