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
    func run(_ timeout: Duration, _ session: StoreSession) async throws -> Reason? {
        let command: CoreCommand =
            isForReceipt ? .waitForDelivery(id, timeout: timeout) : .waitForItem(id, timeout: timeout)
        guard case .itemWaited(_, let waited, let obstacle) = try await session.execute(command) else {
            throw UnexpectedResponse()
        }
        var report = SendReport(
            contact: waited.contact, item: waited.item, isDuplicate: isDuplicate, differs: differs)
        report.part = part
        try session.invocation.print(done: report)
        switch waited.item.status {
        case .sendReceived(isIntact: true): return nil
        case .sendSent, .sendUnconfirmed: return isForReceipt ? .unconfirmed : nil
        case .sendNew, .sendWarning:
            // Between two attempts for the messages before this one nothing is in the way, but the contact knows of it.
            let isFull = (waited.contact.connection?.quotaErrorCount ?? 0) > 0
            return .queued(
                obstacle ?? (isFull ? .full : nil), "the message is in the outbox and goes with the next fetch")
        default: return .undeliverable(waited.item.status)
        }
    }
}

extension Reason {
    /// Something is still in the outbox.
    ///
    /// - Parameter consequence: What becomes of it.
    static func queued(_ obstacle: RelayProblem?, _ consequence: String) -> Reason {
        var reason =
            obstacle.map { Reason($0) } ?? Reason("message.queued", .later, "the relay has not accepted it in time")
        reason.why.append(consequence)
        reason.tries.append(.init("tacit fetch", "try again"))
        reason.details.set("state", "queued")
        return reason
    }

    /// A message is with the relay, and the contact has not said that it has it.
    fileprivate static var unconfirmed: Reason {
        var reason = Reason("message.unconfirmed", .later, "the contact has not confirmed it in time")
        reason.why.append("the relay has the message; the contact was not there, or sends no receipts")
        reason.details.set("state", "sent")
        return reason
    }

    /// A message will not be sent.
    fileprivate static func undeliverable(_ status: ChatItem.Status) -> Reason {
        switch status {
        case .sendReceived(isIntact: false):
            Reason("message.altered", .data, "the contact received something else than was sent")
        case .sendError(.quota):
            Reason("message.failed", .unavailable, "the contact has not received for too long")
        case .sendError(.expired): Reason("message.failed", .unavailable, "the relay could not be reached for too long")
        case .sendError(.blocked):
            Reason("message.failed", .unavailable, "the operator of the relay blocked the queue")
        case .sendErrorAuthorization: Reason("message.failed", .unavailable, "the queue of the contact is gone")
        default: Reason("message.failed", .unavailable, "the connection is lost")
        }
    }
}
