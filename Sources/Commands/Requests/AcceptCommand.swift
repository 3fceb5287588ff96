import ChatCore
import CommandKit
import TerminalKit

/// `tacit accept`
enum AcceptCommand {
    static let requests = Positional<[String]>(
        repeated: "REQUEST", "Who asks, by name or id:r1", RequestChoice.kind, minimum: 0)
    static let everybody = Option<Bool>(flag: "all", "Accept all that there are", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "accept", "Make contacts of those who ask at the address",
            promise: "the answer is with the relay (with --wait queued: it is on disk)", store: .writing,
            positionals: [requests], options: [everybody, ConnectCommand.incognito, Handshake.wait, Handshake.timeout],
            examples: [
                Example("tacit accept @bob", "Accept one request"),
                Example("tacit accept --all", "Accept everybody"),
                Example("tacit list requests", "See who asks"),
            ],
            exits: [64, 67, 68, 69, 75, 79, 80], reports: ConnectionReport.forms,
            discussion: """
                The contact is connected when it has fetched the answer, and this side what comes then. With --incognito each \
                gets to know a random name; whoever has the short link of the address can see whose it is all the same.
                """),
        purpose: { _ in "accept" }, body: accept)

    private static func accept(_ session: StoreSession) async throws -> ExitCode {
        let invocation = session.invocation
        guard invocation[everybody] || !invocation[requests].isEmpty else { throw Reason.noRequest("accept") }
        let chosen =
            invocation[everybody]
            ? try await RequestChoice.all(session) : try await RequestChoice.requests(invocation[requests], session)
        if chosen.isEmpty { invocation.note("nobody asks") }
        let deadline = ContinuousClock.now + invocation[Handshake.timeout]
        var codes: [ExitCode] = []
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
