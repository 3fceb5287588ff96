import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit send`
enum SendCommand {
    /// How far a message must have come.
    enum Stage: String, CaseIterable, Sendable {
        case queued, sent, delivered
    }

    static let target = Positional<Target>("TARGET", "Who receives the message", .target())
    static let text = Positional<String?>(
        optional: "TEXT|-", "What to say; - reads it from standard input", .text())
    static let to = Option<[Target]>(repeated: "to", "Send to somebody else as well", .target(), isCommon: true)
    static let wait = Option<Stage>(
        "wait", "Return when it is in the outbox, with the relay, or with the contact", .choice(),
        default: .sent, isCommon: true)
    static let timeout = Option<Duration>(
        "timeout", "Give up waiting after this time; the message stays in the outbox", .duration(),
        default: .seconds(30), variable: "TACIT_TIMEOUT", isCommon: true)
    static let dryRun = Option<Bool>(flag: "dry-run", "Say who would receive it, and send nothing")

    static let leaf: Leaf = .init(
        Command(
            "send", "Send a message",
            promise: """
                the relay has accepted the message (with --wait queued: it is in the outbox, on disk; with --wait delivered: \
                the contact has it)
                """,
            store: .writing, positionals: [target, text], options: [to, wait, timeout, dryRun],
            examples: [
                Example("tacit send @alice 'see you at 9'", "Send a line"),
                Example("uptime | tacit send @alice -", "Send what a program prints"),
                Example("tacit send @alice hi --wait queued", "Do not wait for the relay; fetch sends it later"),
                Example("tacit send @alice hi --wait delivered", "Wait until alice has it"),
            ],
            exits: [64, 65, 67, 68, 69, 75, 79, 80], reports: SendReport.forms, topics: ["targets"],
            discussion: """
                The message is written to the store first. If the relay cannot be reached in time the exit code is 75, the \
                report says "queued", and the message goes with the next fetch: it must not be sent again.

                With several targets there is a report for each. The exit code is 80 if some of them were reached.
                """),
        purpose: { "send to \(UntrustedText($0[target].word).quoted)" },
        run: { invocation in
            // Whoever writes slowly into the pipe must not keep others from the store.
            let text = try MessageText.read(invocation[text], invocation)
            return try StoreAccess(invocation, isWriting: true).run { try await send(text, $0) }
        })

    private static func send(_ text: String, _ session: StoreSession) async throws -> ExitCode {
        let invocation = session.invocation
        var contacts: [Contact] = []
        for target in [invocation[target]] + invocation[to] {
            do {
                let contact = try await session.contact(target)
                if !contacts.contains(where: { $0.id == contact.id }) { contacts.append(contact) }
            } catch {
                throw Explained(error).failure(during: "send to \(UntrustedText(target.word).quoted)")
            }
        }
        if invocation[dryRun] {
            for contact in contacts { try invocation.print(done: SendReport(contact: contact, item: nil)) }
            return .ok
        }
        let deadline = ContinuousClock.now + invocation[timeout]
        var codes: [ExitCode] = []
        var written: [LocatedItem] = []
        for contact in contacts {
            do {
                let command = ChatCommand.send(.reference(.contact(contact.id)), [MessageContent(text)])
                guard case .newItems(_, let items) = try await session.execute(command) else {
                    throw UnexpectedResponse()
                }
                written += items
            } catch {
                codes.append(report(error, contact, invocation))
            }
        }
        for item in written { codes.append(try await finish(item, deadline, session)) }
        return .together(codes)
    }

    /// Waits until the message is where it should be, and reports where it is.
    private static func finish(
        _ item: LocatedItem, _ deadline: ContinuousClock.Instant, _ session: StoreSession
    ) async throws -> ExitCode {
        let invocation = session.invocation
        guard invocation[wait] != .queued else {
            try invocation.print(done: SendReport(contact: item.contact, item: item.item))
            return .ok
        }
        session.progress.start { "sending to \(item.contact.target)" }
        let left = max(deadline - ContinuousClock.now, .zero)
        let waiting = DeliveryWait(id: item.item.id, isForReceipt: invocation[wait] == .delivered)
        let waited = try await waiting.run(left, session)
        session.progress.stop()
        return waited.map { report($0, item.contact, invocation) } ?? .ok
    }

    private static func report(_ error: any Error, _ contact: Contact, _ invocation: Invocation) -> ExitCode {
        let purpose = "send to \(UntrustedText(contact.target).quoted)"
        return invocation.report(Explained(error).failure(during: purpose))
    }
}
