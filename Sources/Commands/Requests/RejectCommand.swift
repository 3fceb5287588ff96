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
            examples: [Example("tacit reject @eve", "Reject one request")], exits: [64, 67, 69],
            reports: RequestReport.forms,
            discussion: "Invitations of group members to a direct chat are rejected in the same way."),
        purpose: { _ in "reject" },
        body: { session in
            let invocation = session.invocation
            let (members, chosen) = try await RequestChoice.named(invocation[requests], session)
            // To reject a member deletes the contact.
            if let connected = members.first(where: \.isReady) { throw Reason.connectedMember(connected.target) }
            for contact in members {
                _ = try await session.execute(
                    DeleteChat(.reference(.direct(contact.id)), .full, notifies: false))
                try invocation.print(done: RequestReport(member: contact, action: "rejected"))
            }
            for request in chosen {
                let gone = try await session.execute(RejectRequest(.id(request.id))).request
                try invocation.print(done: RequestReport(request: gone, action: "rejected"))
            }
            return .ok
        })
}
