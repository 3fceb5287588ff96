import ChatCore
import CommandKit
import Navigation
import SMPProtocol
import TerminalKit

/// `tacit group join`
enum GroupJoinCommand {
    static let leaf: Leaf = .init(
        Command(
            "group join", "Join a group that you were invited to",
            promise: "the relay has accepted the request (with --wait connected: the inviting member has answered)",
            store: .writing, positionals: [GroupCommand.target], options: [Handshake.wait, Handshake.timeout],
            examples: [
                Example("tacit group join +team", "Accept an invitation"),
                Example("tacit group join +team --wait connected --timeout 5m", "Wait until you are a member"),
            ],
            exits: [65, 67, 68, 69, 75], reports: GroupReport.forms, topics: ["targets"],
            discussion: """
                Invitations are in the list of groups, in the state "invited". To join with a link, use tacit connect. The \
                connections with the other members follow with the next fetches of all members.
                """),
        purpose: GroupCommand.purpose("join"),
        run: { invocation in
            if case .bare(let word) = invocation[GroupCommand.target], Destination.isMeantAsLink(word) {
                throw Reason.linkOfGroup.failure(during: "join")
            }
            return try StoreOpener(invocation, isWriting: true).run { try await join($0) }
        })

    private static func join(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        let deadline = ContinuousClock.now + invocation[Handshake.timeout]
        let group = try await session.group(invocation[GroupCommand.target])
        guard group.membership.status == .invited else { throw Reason.notInvited(group.target, state: group.state) }
        var joined = try await session.join(group)
        var codes: [ExitCode] = []
        if invocation[Handshake.wait] != .queued {
            session.progress.start { "joining \(group.target)" }
            repeat {
                let fetch = FetchMessages(timeout: max(.zero, deadline - .now), idle: .milliseconds(200))
                let report = try await session.execute(fetch)
                codes = report.obstacles.map {
                    invocation.report(Reason($0).failure(during: "reach '\($0.server.location)'"))
                }
                joined = try await session.group(.groupID(group.id))
            } while invocation[Handshake.wait] == .connected && joined.state == .connecting && codes.isEmpty
                && ContinuousClock.now < deadline
            session.progress.stop()
        }
        try invocation.print(
            done: GroupReport(group: joined, action: joined.state == .connected ? "joined" : "joining"))
        if invocation[Handshake.wait] == .connected, joined.state == .connecting { throw Reason.joinUnanswered }
        return .worst(of: codes)
    }
}
