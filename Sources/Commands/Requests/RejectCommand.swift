import ChatCore
import CommandKit
import TerminalKit

/// `tacit reject`
enum RejectCommand {
    static let requests = Positional<[String]>(
        repeated: "REQUEST", "Who asks, by name or id:r1", RequestChoice.kind)

    static let leaf: Leaf = .init(
        Command(
            "reject", "Forget requests; who asked is not told", promise: "the requests are gone from the disk",
            store: .writing, positionals: [requests],
            examples: [Example("tacit reject @eve", "Forget one request")], exits: [64, 67],
            reports: RequestReport.forms),
        purpose: { _ in "reject" },
        body: { session in
            for request in try await RequestChoice.requests(session.invocation[requests], session) {
                let gone = try await session.execute(RejectRequest(.id(request.id))).request
                try session.invocation.print(done: RequestReport(request: gone, deed: "rejected"))
            }
            return .ok
        })
}
