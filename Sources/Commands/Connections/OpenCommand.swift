import AgentProtocol
import ChatCore
import CommandKit
import Navigation
import TerminalKit

/// `tacit open`
enum OpenCommand {
    static let word = Positional<String>(
        "LINK|TARGET", "A link, a contact, a message by its id, or what a notification names",
        .text("LINK|TARGET", completing: .chat))

    static let leaf: Leaf = .init(
        Command(
            "open", "Go where a link or the name of something leads",
            promise: "what it is was printed, or, for a link of somebody new, the request is with the relay",
            store: .writing, positionals: [word],
            options: [ConnectCommand.name, ConnectCommand.incognito, Handshake.wait, Handshake.timeout],
            examples: [
                Example("tacit open @alice", "The last of a conversation"),
                Example("tacit open id:m12", "One message"),
                Example("tacit open chat:c1", "The conversation that a notification names"),
                Example("tacit open 'https://smp.example.com/i#...'", "Join, or see who that is already"),
            ],
            exits: [64, 65, 67, 68, 69, 75, 78, 79],
            reports: MessageReport.forms + ConnectionReport.forms + ContactReport.forms,
            topics: ["targets"],
            discussion: """
                Links of people who are contacts already lead to the conversation; links of others are joined, as with \
                connect. What a hook or a notification names can be given as it is.
                """),
        purpose: { "open \(UntrustedText($0[word]).quoted)" },
        run: { invocation in
            let text = invocation[word]
            if (try? ConnectionLink(text: text)) != nil {
                return try StoreAccess(invocation, isWriting: true).run { try await open(link: text, $0) }
            }
            return try StoreAccess(invocation, isWriting: false).run { try await show($0) }
        })

    private static func open(link: String, _ session: StoreSession) async throws -> ExitCode {
        let invocation = session.invocation
        let command = ChatCommand.planConnection(try await session.profileID(), link: link)
        guard case .connectionPlan(_, let plan) = try await session.execute(command) else { throw UnexpectedResponse() }
        switch plan.state {
        case .known(let contact):
            invocation.note(StyledText("this is ") + StyledText(contact.target, .name))
            try await show(contact, session)
            return .ok
        case .own: throw ChatError.ownLink
        case .ok, .connecting: return try await ConnectCommand.join(link, session)
        }
    }

    private static func show(_ session: StoreSession) async throws -> ExitCode {
        let text = session.invocation[word]
        let destination = Destination(text)
        if case .chat(let number)? = destination {
            try await show(try await session.chat(.contactID(ContactID(number))), session)
        } else if case .contact(let number)? = destination {
            let contact = try await session.contact(.contactID(ContactID(number)))
            try session.invocation.print(ContactReport(contact: contact))
        } else if let id = ObjectID.item(from: text.hasPrefix("id:") ? text.dropFirst(3) : text[...]) {
            let located = try await session.item(id)
            try session.invocation.print(list: [MessageReport(located)])
        } else if let target = Target(text) {
            try await show(try await session.chat(target), session)
        } else {
            throw Reason("target.unknown", .noTarget, "this is neither a link nor the name of anything")
        }
        return .ok
    }

    private static func show(_ contact: Contact, _ session: StoreSession) async throws {
        var query = ItemQuery()
        query.contact = contact.id
        query.count = 20
        try session.invocation.print(list: try await session.items(query).map { MessageReport($0) })
    }
}
