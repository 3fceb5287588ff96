import ChatCore
import CommandKit
import TerminalKit

/// `tacit message wait`
enum MessageWaitCommand {
    /// How far a message must have come.
    enum Stage: String, CaseIterable, Sendable {
        case sent, delivered
    }

    static let message = Positional<MessageName>(
        "ID", "Id of a sent message; last is the newest one", MessageName.kind)
    static let stage = Option<Stage>(
        "for", "Return when sent to the relay, or delivered to the contact", .choice(), default: .delivered,
        isCommon: true)
    static let timeout = Option<Duration>(
        "timeout", "Stop waiting after this time", .duration(), default: .seconds(30), variable: "TACIT_TIMEOUT",
        isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "message wait", "Wait until a message is sent or delivered", promise: "the message reached that stage",
            store: .writing, positionals: [message], options: [stage, MessageName.chat, timeout],
            examples: [
                Example("tacit message wait m12", "Wait for the delivery receipt"),
                Example("tacit message wait m12 --for sent", "Wait until the relay accepts the message"),
                Example("tacit message wait last --in @alice", "Wait until alice has the newest message"),
            ],
            exits: [1, 64, 67, 68, 69, 75, 79], reports: SendReport.forms,
            discussion: """
                A contact sends a delivery receipt when it has fetched the message, unless its receipts are off. A \
                message to a group is delivered when all members have sent one; members of groups with more than 20 send \
                none. The exit code is 75 after a timeout, and 1 if the message can no longer be delivered.
                """),
        purpose: { "wait for the message '\($0[message].word)'" },
        body: { session in
            let invocation = session.invocation
            let item = try await session.message(message, .sent).item
            guard !item.status.isReceived else { throw Reason.received }
            session.progress.start { "waiting for the receipt" }
            let wait = DeliveryWait(id: item.id, isForReceipt: invocation[stage] == .delivered)
            let reason = try await wait.run(invocation[timeout], session)
            session.progress.stop()
            guard let reason else { return .ok }
            let code = invocation.report(reason.failure(during: "wait for the message"))
            return code == .later ? code : .no
        })
}
