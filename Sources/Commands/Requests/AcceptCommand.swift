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
        var (members, words) = try await RequestChoice.members(invocation[requests], session)
        if invocation[everybody] { members = try await RequestChoice.members(session) }
        let chosen =
            invocation[everybody]
            ? try await RequestChoice.all(session) : try await RequestChoice.requests(words, session)
        if chosen.isEmpty, members.isEmpty { invocation.note("no pending requests") }
        let deadline = ContinuousClock.now + invocation[Handshake.timeout]
        var codes: [ExitCode] = []
        for contact in members {
            let accepted = try await session.execute(AcceptMemberContact(.reference(.direct(contact.id)))).contact
            guard let connection = accepted.connection else { throw ChatError.internal }
            let left = max(deadline - ContinuousClock.now, .zero)
            codes.append(
                try await Handshake.finish(connection.id, invocation[Handshake.wait], left, session, isAnswer: true))
        }
        for request in chosen {
            do {
                let command = AcceptRequest(.id(request.id), isIncognito: invocation[ConnectCommand.incognito])
                guard let connection = try await session.execute(command).contact.connection else {
                    throw ChatError.internal
                }
                let left = max(deadline - ContinuousClock.now, .zero)
                codes.append(
                    try await Handshake.finish(connection.id, invocation[Handshake.wait], left, session, isAnswer: true)
                )
            } catch {
                let purpose = "accept \(UntrustedText(request.target).quoted)"
                codes.append(invocation.report(Explained(error).failure(during: purpose)))
            }
        }
        return .together(codes)
    }
}
