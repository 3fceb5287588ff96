import ChatCore
import CommandKit
import TerminalKit

/// `tacit accept`
enum AcceptCommand {
    static let requests = Positional<[String]>(
        repeated: "REQUEST", "Contact request, by name or id:r1", RequestChoice.kind, minimum: 0)
    static let everybody = Option<Bool>(flag: "all", "Accept all requests", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "accept", "Accept contact requests",
            promise: "the relay has accepted the confirmation (with --wait queued: it is on disk)", store: .writing,
            positionals: [requests], options: [everybody, ConnectCommand.incognito, Handshake.wait, Handshake.timeout],
            examples: [
                Example("tacit accept @bob", "Accept one request"),
                Example("tacit accept --all", "Accept all requests"),
                Example("tacit list requests", "List pending requests"),
            ],
            exits: [64, 67, 68, 69, 75, 79, 80], reports: ConnectionReport.forms,
            discussion: """
                Members of groups who invite you to a direct chat are accepted in the same way.

                The connection is complete when the contact has fetched the confirmation and this side has fetched the \
                contact's reply. With --incognito each contact sees a random name. Anyone with the short link of the address \
                can still see the profile of its owner.
                """),
        purpose: { _ in "accept" }, body: accept)

    private static func accept(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        guard invocation[everybody] || !invocation[requests].isEmpty else { throw Reason.noRequest("accept") }
        let (members, chosen) =
            invocation[everybody]
            ? (try await RequestChoice.members(session), try await RequestChoice.all(session))
            : try await RequestChoice.named(invocation[requests], session)
        if chosen.isEmpty, members.isEmpty { invocation.note("no pending requests") }
        let deadline = ContinuousClock.now + invocation[Handshake.timeout]
        var codes: [ExitCode] = []
        for contact in members {
            codes.append(
                await finish(contact.target, before: deadline, session) {
                    try await session.execute(
                        AcceptMemberContact(.reference(.direct(contact.id)), isQueued: true)
                    ).contact
                })
        }
        let isIncognito = invocation[ConnectCommand.incognito]
        for request in chosen {
            codes.append(
                await finish(request.target, before: deadline, session) {
                    try await session.execute(
                        AcceptRequest(
                            .id(request.id), isIncognito: isIncognito, allowsShown: true, isQueued: true)
                    ).contact
                })
        }
        return .together(codes)
    }

    /// Accepts one, and waits as long as the options say. A failure is reported, so that the others follow.
    private static func finish(
        _ target: String, before deadline: ContinuousClock.Instant, _ session: CommandSession,
        _ accept: () async throws -> Contact
    ) async -> ExitCode {
        let invocation = session.invocation
        do {
            guard let connection = try await accept().connection else { throw ChatError.internal }
            let left = max(deadline - ContinuousClock.now, .zero)
            return try await Handshake.finish(
                connection.id, invocation[Handshake.wait], left, session, isAnswer: true)
        } catch {
            return invocation.report(
                Explained(error).failure(during: "accept \(UntrustedText(target).quoted)"))
        }
    }
}
