import ChatCore
import CommandKit
import TerminalKit

/// Which requests a command is about.
enum RequestChoice {
    static let kind = ValueKind<String>.text("REQUEST", completing: .request)

    /// The sender of a request.
    private enum Sender {
        case member(Contact)
        case request(ReceivedRequest)

        var objectID: String {
            switch self {
            case .member(let contact): contact.objectID
            case .request(let request): request.objectID
            }
        }
    }

    /// The requests and the inviting members with these names or ids, each once, in this order.
    static func named(
        _ words: [String], _ session: CommandSession
    ) async throws -> (members: [Contact], requests: [ReceivedRequest]) {
        let inviting = try await members(session), pending = try await all(session)
        var members: [Contact] = [], requests: [ReceivedRequest] = []
        for word in words {
            let fitting =
                inviting.filter { isNamed($0.target, $0.name, $0.objectID, word) }.map(Sender.member)
                + pending.filter { isNamed($0.target, $0.name, $0.objectID, word) }.map(Sender.request)
            // All of them wait for an answer.
            switch NameMatch(fitting, isLiving: { _ in true }) {
            case .one(.member(let contact)):
                if !members.contains(where: { $0.id == contact.id }) { members.append(contact) }
            case .one(.request(let request)):
                if !requests.contains(where: { $0.id == request.id }) { requests.append(request) }
            case .several(let senders): throw Reason.ambiguousName(word, ids: senders.map(\.objectID))
            case .none: throw Reason.unknownRequest(word, known: pending.map(\.target) + inviting.map(\.target))
            }
        }
        return (members, requests)
    }

    /// The contacts that are members of groups and invite the user to a direct chat.
    static func members(_ session: CommandSession) async throws -> [Contact] {
        try await session.contacts().filter(\.invitesUser)
    }

    static func all(_ session: CommandSession) async throws -> [ReceivedRequest] {
        try await session.execute(ListRequests(try await session.profileID())).requests
    }

    private static func isNamed(_ target: String, _ name: String, _ id: String, _ word: String) -> Bool {
        [target, name, "id:\(id)"].contains(word)
    }
}
