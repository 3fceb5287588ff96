import ChatCore
import CommandKit
import SystemIO
import TerminalKit

/// `tacit message forward`
enum MessageForwardCommand {
    static let message = Positional<ChatItemID>("ID", "Message id", ChatItemID.kind)
    static let target = Positional<Target>("TARGET", "Recipient", .target())

    static let leaf: Leaf = .init(
        Command(
            "message forward", "Forward a message to another chat", promise: "the relay has accepted the message",
            store: .writing,
            positionals: [message, target], options: [SendCommand.wait, SendCommand.timeout],
            examples: [Example("tacit message forward m12 @bob", "Forward a message to bob; its author is not named")],
            exits: [65, 67, 68, 69, 75, 78, 79], reports: SendReport.forms, topics: ["files"],
            discussion: """
                A file of the message goes along if it is on this machine. A received one must have been received first \
                ('tacit file receive'); otherwise the text is forwarded without it, with a warning.
                """),
        purpose: { "forward to \(UntrustedText($0[target].word).quoted)" },
        run: { invocation in
            let progress = FileProgress("sending")
            return try StoreOpener(invocation, isWriting: true) { progress.note($0) }.run {
                try await forward(progress, $0)
            }
        })

    private static func forward(_ progress: FileProgress, _ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        let located = try await session.item(invocation[message])
        if let file = located.item.file, try await !session.isHere(file.id) {
            guard !located.item.content.plainText.isEmpty else { throw ChatError.file(.notReceived(file.id)) }
            let id = ObjectID.text(file.id)
            invocation.warn("forwarded without the file \(id), which is not on this machine: tacit file receive \(id)")
        }
        let chat = try await session.chat(invocation[target])
        let command = ForwardMessages(
            to: .reference(chat.reference), from: .reference(located.item.chat), [located.item.id])
        let deadline = ContinuousClock.now + invocation[SendCommand.timeout]
        var codes: [ExitCode] = []
        for item in try await session.execute(command).items {
            codes.append(try await SendCommand.finish(item, progress: progress, deadline, session))
        }
        return .together(codes)
    }
}

extension CommandSession {
    /// Returns true if the content of a file is on this machine.
    fileprivate func isHere(_ id: ChatFileID) async throws -> Bool {
        let listed = try await execute(ShowFile(id)).file
        guard let path = listed.path, Files.exists(path) else { return false }
        return listed.isSent || listed.file.state == .received
    }
}
