import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// `tacit message react`
enum MessageReactCommand {
    static let message = Positional<MessageName>(
        "ID", "Message id; last is the newest received message", MessageName.kind)
    static let emoji = Positional<Reaction>(
        "EMOJI", "Emoji, by name or as a character",
        ValueKind(
            ValueForm(
                "EMOJI", expected: "\(names.joined(separator: ", ")), or the emoji itself", choices: names),
            read: { word in Reaction(emoji: zip(names, Reaction.choices).first { $0.0 == word }?.1 ?? word) },
            write: { $0.text }))
    /// Names for the choices, in their order, for terminals and keyboards that have only letters.
    private static let names = ["thumbs-up", "thumbs-down", "smile", "laugh", "cry", "heart", "rocket", "check"]
    static let remove = Option<Bool>(flag: "remove", "Remove the reaction", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "message react", "React to a message with an emoji", promise: ChangeDelivery.promise, store: .writing,
            positionals: [message, emoji],
            options: [remove, MessageName.chat, ChangeDelivery.wait, ChangeDelivery.timeout],
            examples: [
                Example("tacit message react m12 thumbs-up", "Add a reaction"),
                Example("tacit message react m12 thumbs-up --remove", "Remove the reaction"),
                Example("tacit message react last heart --in @alice", "React to the newest message of alice"),
            ],
            exits: [64, 67, 68, 69, 75, 79], reports: ChangeReport.forms,
            discussion:
                "Each side can add up to \(Reaction.most) reactions to a message, if the contact or group allows reactions."
        ),
        purpose: { "react to the message '\($0[message].word)'" },
        body: { session in
            let invocation = session.invocation, reaction = invocation[emoji], isAdded = !invocation[remove]
            let located = try await session.message(message, .received)
            let command = React(
                .reference(located.item.chat), located.item.id, reaction, isAdded: isAdded)
            let item = try await react(command, to: located, session)
            return try await ChangeDelivery(chat: item.chat, session: session).finish(
                [ChangeReport(action: isAdded ? .reacted : .unreacted, located: item, reaction: reaction)],
                during: "tell \(item.chat.target)")
        })

    /// The message with the reaction, or without it. Who wants what is already so has it.
    private static func react(
        _ command: React, to located: LocatedItem, _ session: CommandSession
    ) async throws -> LocatedItem {
        do { return try await session.execute(command).item } catch ChatError.notChangeable(_, .alreadyAdded, _) {
            return located
        } catch ChatError.notChangeable(_, .alreadyRemoved, _) {
            return located
        }
    }
}
