import ChatCore
import CommandKit
import TerminalKit

/// Which requests a command is about.
enum RequestChoice {
    static let kind = ValueKind<String>.text("REQUEST", completing: .request)

    /// The requests with these names or ids, each once, in this order.
    static func requests(_ words: [String], _ session: CommandSession) async throws -> [ReceivedRequest] {
        let all = try await all(session)
        var chosen: [ReceivedRequest] = []
        for word in words {
            guard let request = all.first(where: { matches($0, word) }) else {
                throw Reason.unknownRequest(word, known: all.map(\.target))
            }
            if !chosen.contains(where: { $0.id == request.id }) { chosen.append(request) }
        }
        return chosen
    }

    /// The contacts among some names or ids that are members of groups and invite the user to a direct chat; and the other words.
    static func members(
        _ words: [String], _ session: CommandSession
    ) async throws -> (contacts: [Contact], others: [String]) {
        guard !words.isEmpty else { return ([], []) }
        let inviting = try await members(session)
        var contacts: [Contact] = [], others: [String] = []
        for word in words {
            let found = inviting.first { [$0.target, $0.name, "id:\($0.objectID)"].contains(word) }
            if let found { contacts.append(found) } else { others.append(word) }
        }
        return (contacts, others)
    }

    /// The contacts that are members of groups and invite the user to a direct chat.
    static func members(_ session: CommandSession) async throws -> [Contact] {
        try await session.contacts().filter(\.invitesUser)
    }

    static func all(_ session: CommandSession) async throws -> [ReceivedRequest] {
        try await session.execute(ListRequests(try await session.profileID())).requests
    }

    private static func matches(_ request: ReceivedRequest, _ word: String) -> Bool {
        [request.target, request.name, "id:\(request.objectID)"].contains(word)
    }
}
