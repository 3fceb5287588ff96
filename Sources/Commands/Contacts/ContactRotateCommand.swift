import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact rotate`
enum ContactRotateCommand {
    static let abort = Option<Bool>(
        flag: "abort", "Keep the queue after all, as long as the contact has not answered", isCommon: true)
    static let timeout = Option<Duration>(
        "timeout", "Stop after this time; fetch goes on with it", .duration(), default: .seconds(30),
        variable: "TACIT_TIMEOUT")

    static let leaf: Leaf = .init(
        Command(
            "contact rotate", "Move the conversation with a contact to another queue",
            promise: "the move is begun and on disk, or given up with --abort", store: .writing,
            positionals: [ContactCommand.target], options: [abort, timeout],
            examples: [
                Example("tacit contact rotate @bob", "Receive from bob through another queue, at another relay"),
                Example("tacit contact rotate @bob --abort", "Give it up again"),
            ],
            exits: [67, 68, 69, 75, 79], reports: EventPrinter.forms,
            discussion: """
                Makes a new queue, at another relay of the profile if it has one, and tells the contact to use it. What is \
                sent meanwhile arrives. The contact answers when it fetches; each further step is done by the next fetch of \
                either side. tacit list contacts shows whether a move is under way.
                """),
        purpose: {
            let name = UntrustedText($0[ContactCommand.target].word).quoted
            return $0[abort] ? "keep the queue for \(name)" : "move the queue for \(name)"
        },
        run: { invocation in
            try StoreAccess(
                invocation, isWriting: true,
                onEvent: { event in if !invocation.isQuiet { EventPrinter.print(event, invocation) } }
            ).run { try await rotate($0) }
        })

    private static func rotate(_ session: StoreSession) async throws -> ExitCode {
        let invocation = session.invocation
        let contact = try await session.contact(invocation[ContactCommand.target])
        let chat = ChatTarget.reference(.direct(contact.id))
        guard !invocation[abort] else {
            _ = try await session.execute(AbortSwitch(chat))
            return .ok
        }
        _ = try await session.execute(SwitchQueue(chat))
        return try await ContactCommand.carryOn("making a new queue", within: invocation[timeout], session)
    }
}
