import AgentProtocol
import ChatCore
import CommandKit
import Host
import TerminalKit

/// Waiting for somebody to become a contact.
enum Handshake {
    /// How far it must have come.
    enum Stage: String, CaseIterable, Sendable {
        case queued, sent, connected
    }

    static let wait = Option<Handshake.Stage>(
        "wait", "Return when the request is on disk, at the relay, or answered", .choice(),
        default: .sent, isCommon: true)
    static let timeout = Option<Duration>(
        "timeout", "Stop waiting after this time; fetch continues", .duration(), default: .seconds(30),
        variable: "TACIT_TIMEOUT", isCommon: true)

    /// Waits for a stage and reports what was reached.
    ///
    /// - Parameter isAnswer: Whether this side answers a request.
    static func finish(
        _ id: ConnectionID, _ stage: Stage, _ timeout: Duration, _ session: CommandSession, isAnswer: Bool = false
    ) async throws -> ExitCode {
        let invocation = session.invocation
        let target: ConnectionStage = stage == .connected ? .ready : .joined
        var other = "the contact"
        session.progress.start { target == .joined ? "contacting the relay" : "waiting for the contact" }
        let waited = try await session.execute(
            WaitForConnection(id, target, timeout: stage == .queued ? .zero : timeout))
        session.progress.stop()
        let connection = waited.connection
        if !connection.isInitiated, ConnectionLink.isOfGroup(connection.link) { other = "an admin of the group" }
        try invocation.print(
            done: ConnectionReport(connection: connection, contact: waited.contact, isAnswer: isAnswer))
        if stage == .queued { return .ok }
        switch connection.status {
        case .failed, .deleted: throw Reason(connectionProblem: waited.problem)
        case .new, .prepared: throw Reason.unfinished(waited.obstacle, target, other)
        case .joined, .requested, .accepted, .sendReady:
            if target == .ready { throw Reason.unfinished(waited.obstacle, target, other) }
            if !connection.isInitiated {
                invocation.note(StyledText("\(other) must fetch now\(invocation.thenFetch)"))
            }
            return .ok
        case .ready: return .ok
        }
    }
}

extension ConnectionLink {
    /// True for the short link of a group.
    ///
    /// Swift 6.3 fails to optimize the caller with this inside.
    @inline(never)
    fileprivate static func isOfGroup(_ text: String?) -> Bool {
        guard let text, case .short(let link)? = try? ConnectionLink(text: text) else { return false }
        return link.kind == .address(.group)
    }
}

extension Invocation {
    /// What to do when the other side has done something; nothing in a session, which receives by itself.
    var thenFetch: String { host?.visits.isPossible ?? false ? "" : "; then: tacit fetch" }
}
