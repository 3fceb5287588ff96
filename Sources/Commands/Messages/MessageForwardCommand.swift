import ChatCore
import CommandKit
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
            exits: [65, 67, 68, 69, 75, 79], reports: SendReport.forms),
        purpose: { "forward to \(UntrustedText($0[target].word).quoted)" },
        body: { session in
            let invocation = session.invocation
            let located = try await session.item(invocation[message])
            let chat = try await session.chat(invocation[target])
            let command = ForwardMessages(
                to: .reference(chat.reference), from: .reference(located.item.chat), [located.item.id])
            let deadline = ContinuousClock.now + invocation[SendCommand.timeout]
            var codes: [ExitCode] = []
            for item in try await session.execute(command).items {
                codes.append(try await SendCommand.finish(item, deadline, session))
            }
            return .together(codes)
        })
}
