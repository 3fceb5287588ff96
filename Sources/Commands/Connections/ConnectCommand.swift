import AgentProtocol
import ChatCore
import CommandKit
import TerminalKit

/// `tacit connect`
enum ConnectCommand {
    /// How far a handshake must have come.
    enum Stage: String, CaseIterable, Sendable {
        case queued, sent, connected
    }

    static let link = Positional<String?>(
        optional: "LINK", "The link of somebody else; without it an invitation is made", .text("LINK"))
    static let name = Option<String?>(
        "as", "What to call the contact", .text("NAME"), defaultText: "what it calls itself", isCommon: true)
    static let wait = Option<Stage>(
        "wait", "Return when it has come this far: queued is on disk, sent is with the relay", .choice(),
        default: .sent, isCommon: true)
    static let timeout = Option<Duration>(
        "timeout", "Give up waiting after this time; fetch goes on with it", .duration(), default: .seconds(30),
        variable: "TACIT_TIMEOUT", isCommon: true)
    static let dryRun = Option<Bool>(flag: "dry-run", "Say what the link is, and do nothing")

    static let leaf: Leaf = .init(
        Command(
            "connect", "Invite somebody, or join with a link",
            promise: "the invitation is stored and its queue made, or the request is with the relay", store: .writing,
            positionals: [link], options: [name, wait, timeout, dryRun],
            examples: [
                Example("tacit connect | tee invite.txt", "Make an invitation for one person"),
                Example("tacit connect 'simplex:/invitation#/?v=2-7&smp=...' --as bob", "Join with a link"),
                Example("tacit connect --wait connected --timeout 10m", "Wait until somebody has joined"),
            ],
            exits: [64, 65, 68, 69, 75, 78, 79], report: "connection",
            discussion: """
                An invitation is for one person: give the link to nobody else, over a channel that you trust. Only the link is \
                on standard output. Both sides fetch until they are connected; nobody needs to be there at the same time.
                """),
        purpose: { $0[link] == nil && $0[wait] != .connected ? "make an invitation" : "connect" },
        run: { invocation in
            if invocation[dryRun] { return try DryRun.run(invocation) }
            return try StoreAccess(
                invocation, isWriting: true,
                onEvent: { event in
                    if invocation[wait] == .connected, !invocation.isQuiet { EventPrinter.print(event, invocation) }
                }
            ).run { session in
                if let text = invocation[link] { try await join(text, session) } else { try await invite(session) }
            }
        })

    private static func invite(_ session: StoreSession) async throws -> ExitCode {
        let invocation = session.invocation
        session.progress.start { "making a queue" }
        let response = try await session.execute(.invite(try await session.profileID(), name: invocation[name]))
        session.progress.stop()
        guard case .invitation(_, let link, let connection) = response else { throw UnexpectedResponse() }
        try invocation.print(InvitationReport(link: link, connection: connection))
        invocation.note("give this link to one person; then: tacit fetch")
        guard invocation[wait] == .connected else { return .ok }
        return try await finish(connection.id, .ready, session)
    }

    private static func join(_ text: String, _ session: StoreSession) async throws -> ExitCode {
        let invocation = session.invocation
        let command = ChatCommand.connect(try await session.profileID(), link: text, name: invocation[name])
        guard case .sentConfirmation(_, let connection) = try await session.execute(command) else {
            throw UnexpectedResponse()
        }
        switch invocation[wait] {
        case .queued:
            try invocation.print(done: ConnectionReport(connection: connection, contact: nil))
            return .ok
        case .sent: return try await finish(connection.id, .joined, session)
        case .connected: return try await finish(connection.id, .ready, session)
        }
    }

    /// Waits for a stage and reports what was reached.
    private static func finish(
        _ id: ConnectionID, _ stage: ConnectionStage, _ session: StoreSession
    ) async throws -> ExitCode {
        let invocation = session.invocation
        session.progress.start { stage == .joined ? "asking the relay" : "waiting for the other side" }
        let command = ChatCommand.waitForConnection(id, stage, timeout: invocation[timeout])
        let response = try await session.execute(command)
        session.progress.stop()
        guard case .connectionWaited(_, let connection, let contact, let obstacle, let problem) = response else {
            throw UnexpectedResponse()
        }
        try invocation.print(done: ConnectionReport(connection: connection, contact: contact))
        switch connection.status {
        case .failed, .deleted: throw Reason(connectionProblem: problem)
        case .new, .prepared: throw Reason.unfinished(obstacle, stage)
        case .joined, .requested, .accepted, .sendReady:
            if stage == .ready { throw Reason.unfinished(obstacle, stage) }
            if !connection.isInitiated { invocation.note("the other side must fetch now; then: tacit fetch") }
            return .ok
        case .ready: return .ok
        }
    }
}

extension Reason {
    /// A handshake is not where it should be.
    fileprivate static func unfinished(_ obstacle: RelayProblem?, _ stage: ConnectionStage) -> Reason {
        var reason =
            obstacle.map { Reason($0) }
            ?? Reason(
                "connection.waiting", .later,
                stage == .joined ? "the relay has not answered in time" : "the other side has not answered in time")
        reason.why.append("it is stored and goes on with the next fetch")
        reason.tries.append(.init("tacit fetch", "go on with it"))
        return reason
    }

    fileprivate init(connectionProblem problem: ConnectionProblem?) {
        self =
            switch problem {
            case .linkUsed, nil:
                Reason("link.used", .unavailable, "the link was used already, or deleted")
            case .blocked: Reason("relay.blocked", .unavailable, "the operator of the relay blocked the queue")
            case .queueRefused:
                Reason("relay.refused", .unavailable, "the relay made no queue", why: ["it may ask for a password"])
            case .expired: Reason("connection.expired", .unavailable, "it took too long")
            case .invalidAnswer: Reason("connection.protocol", .protocol, "the answer of the other side is of no use")
            case .queueGone: Reason("connection.lost", .unavailable, "the queue is gone from its relay")
            }
    }
}
