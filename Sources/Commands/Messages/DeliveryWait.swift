import ChatCore
import JSONCoding
import TerminalKit

/// Waits until a message is where it should be, and says what is wrong if it is not.
struct DeliveryWait {
    let id: ChatItemID
    /// Whether the contact has to have it, not only the relay.
    let isForReceipt: Bool
    /// Whether it was sent before, with the same key.
    var isDuplicate = false
    /// True if that message has another text.
    var differs = false
    /// Which part of a text it is.
    var part: SendReport.Part?

    /// Prints how far the message has come. Nil if that is far enough.
    func run(_ timeout: Duration, _ session: CommandSession) async throws -> Reason? {
        let answer =
            isForReceipt
            ? try await session.execute(WaitForDelivery(of: id, timeout: timeout))
            : try await session.execute(WaitForItem(id, timeout: timeout))
        let waited = answer.item
        var report = SendReport(
            chat: waited.chat, item: waited.item, isDuplicate: isDuplicate, differs: differs)
        report.part = part
        try session.invocation.print(done: report)
        if let reason = waited.item.file.flatMap({ Reason(sent: $0) }) { return reason }
        switch waited.item.status {
        case .sendReceived(isIntact: true): return answer.undescribed
        case .sendSent, .sendSentPartly, .sendUnconfirmed, .sendReceivedPartly(isIntact: true):
            guard isForReceipt else { return answer.undescribed }
            return waited.chat.group == nil ? .unconfirmed : .unconfirmedByMembers
        case .sendNew, .sendWarning:
            if answer.obstacle == nil, let contact = waited.chat.contact, contact.has(.outOfStep) {
                return .outOfStep(contact.target, advice: contact.advice(.outOfStep))
            }
            // Between two attempts for the messages before this one nothing is in the way, but the contact knows of it.
            let isFull = (waited.chat.contact?.connection?.quotaErrorCount ?? 0) > 0
            return .queued(
                answer.obstacle ?? (isFull ? .full : nil),
                "the message is in the outbox and will be sent by the next fetch")
        default: return .undeliverable(waited.item.status)
        }
    }
}

extension WaitedItem {
    /// The reason that members of a group who have the message of a file cannot receive the file yet; nil if all can, or if the
    /// report says that not all have the message.
    fileprivate var undescribed: Reason? {
        guard let obstacle, item.item.file?.state == .sentComplete, item.item.status != .sendSentPartly else {
            return nil
        }
        return .queued(
            obstacle, "the file relays have the file; members who cannot receive it yet can after the next fetch")
    }
}
