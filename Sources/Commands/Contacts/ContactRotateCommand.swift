import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact rotate`
enum ContactRotateCommand {
    static let abort = Option<Bool>(
        flag: "abort", "Abort the move and keep the old queue, until the contact answers", isCommon: true)
    static let timeout = Option<Duration>(
        "timeout", "Stop after this time; fetch continues", .duration(), default: .seconds(30),
        variable: "TACIT_TIMEOUT")

    static let leaf: Leaf = .init(
        Command(
            "contact rotate", "Move a connection to a new queue",
            promise: "the move is started and on disk, or with --abort cancelled", store: .writing,
            positionals: [ContactCommand.target], options: [abort, timeout],
            examples: [
                Example("tacit contact rotate @bob", "Receive bob's messages through a new queue on another relay"),
                Example("tacit contact rotate @bob --abort", "Abort the move"),
            ],
            exits: [67, 68, 69, 75, 79], reports: EventPrinter.forms,
            discussion: """
                Creates a new queue, on another relay of the profile if it has one, and tells the contact to use it. Messages \
                sent during the move still arrive. The contact answers with its next fetch; each later step happens with the \
                next fetch of either side. tacit list contacts shows moves in progress.
                """),
        purpose: {
            let name = UntrustedText($0[ContactCommand.target].word).quoted
            return $0[abort] ? "keep the queue for \(name)" : "move the queue for \(name)"
        },
        run: { invocation in
            try StoreOpener(
                invocation, isWriting: true,
                onEvent: { event in if !invocation.isQuiet { EventPrinter.print(event, invocation) } }
            ).run { try await rotate($0) }
        })

    private static func rotate(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        let contact = try await session.contact(invocation[ContactCommand.target])
        let chat = ChatTarget.reference(.direct(contact.id))
        guard !invocation[abort] else {
            _ = try await session.execute(AbortSwitch(chat))
            return .ok
        }
        _ = try await session.execute(SwitchQueue(chat))
        return try await ContactCommand.carryOn("creating a new queue", within: invocation[timeout], session)
    }
}
