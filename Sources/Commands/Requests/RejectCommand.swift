import ChatCore
import CommandKit
import TerminalKit

/// `tacit reject`
enum RejectCommand {
    static let requests = Positional<[String]>(
        repeated: "REQUEST", "Contact request, by name or id:r1", RequestChoice.kind)

    static let leaf: Leaf = .init(
        Command(
            "reject", "Reject contact requests without telling the sender",
            promise: "the requests are deleted from disk",
            store: .writing, positionals: [requests],
            examples: [Example("tacit reject @eve", "Reject one request")], exits: [64, 67],
            reports: RequestReport.forms),
        purpose: { _ in "reject" },
        body: { session in
            for request in try await RequestChoice.requests(session.invocation[requests], session) {
                let gone = try await session.execute(RejectRequest(.id(request.id))).request
                try session.invocation.print(done: RequestReport(request: gone, action: "rejected"))
            }
            return .ok
        })
}
