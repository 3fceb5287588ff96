import ChatCore
import CommandKit
import SMPProtocol
import TerminalKit

/// `tacit outbox flush`
enum OutboxFlushCommand {
    static let timeout = Option<Duration>(
        "timeout", "Stop after this time; unsent messages stay in the outbox", .duration(), default: .seconds(60),
        variable: "TACIT_TIMEOUT", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "outbox flush", "Send queued messages without receiving",
            promise: "relays have accepted all queued messages", store: .writing, options: [timeout],
            examples: [
                Example("tacit outbox flush || echo \"not all: $?\"", "Send queued messages when the network is back")
            ],
            exits: [68, 69, 75, 76, 79], reports: EventPrinter.forms),
        purpose: { _ in "send queued messages" },
        run: { invocation in
            try StoreOpener(
                invocation, isWriting: true,
                onEvent: { event in if !invocation.isQuiet { EventPrinter.print(event, invocation) } }
            ).run { try await flush($0) }
        })

    private static func flush(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        session.progress.start { "sending" }
        let report = try await session.execute(Flush(timeout: invocation[timeout]))
        session.progress.stop()
        guard report.obstacles.isEmpty else {
            return .worst(
                of: report.obstacles.map {
                    invocation.report(Reason($0).failure(during: "send through '\($0.server.place)'"))
                })
        }
        guard report.waiting > 0 else { return .ok }
        return invocation.report(
            Reason.stillQueued(report.waiting).failure(during: "send everything"))
    }
}
