import ChatCore
import CommandKit
import TerminalKit

/// `tacit message wait`
enum MessageWaitCommand {
    /// How far a message must have come.
    enum Stage: String, CaseIterable, Sendable {
        case sent, delivered
    }

    static let message = Positional<ChatItemID>(
        "ID", "An own message, as send reported it", ChatItemID.kind)
    static let stage = Option<Stage>(
        "for", "Return when it is with the relay, or with the contact", .choice(), default: .delivered, isCommon: true)
    static let timeout = Option<Duration>(
        "timeout", "Give up waiting after this time", .duration(), default: .seconds(30), variable: "TACIT_TIMEOUT",
        isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "message wait", "Wait until a message has arrived", promise: "the message has come that far",
            store: .writing, positionals: [message], options: [stage, timeout],
            examples: [
                Example("tacit message wait m12", "Wait until the contact has it"),
                Example("tacit message wait m12 --for sent", "Wait until the relay has it"),
            ],
            exits: [1, 67, 68, 69, 75, 79], reports: SendReport.forms,
            discussion: """
                A contact confirms a message when it has fetched it, unless it was told not to. The exit code is 75 if that did \
                not happen in time, and 1 if the message will never arrive.
                """),
        purpose: { "wait for the message '\(ObjectID.text($0[message]))'" },
        body: { session in
            let invocation = session.invocation
            guard try await !session.item(invocation[message]).item.status.isReceived else {
                throw Reason.received
            }
            session.progress.start { "waiting for the receipt" }
            let wait = DeliveryWait(id: invocation[message], isForReceipt: invocation[stage] == .delivered)
            let reason = try await wait.run(invocation[timeout], session)
            session.progress.stop()
            guard let reason else { return .ok }
            let code = invocation.report(reason.failure(during: "wait for the message"))
            return code == .later ? code : .no
        })
}
