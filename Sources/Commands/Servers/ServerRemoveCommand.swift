import ChatCore
import CommandKit
import SMPProtocol
import TerminalKit

/// `tacit server remove`
enum ServerRemoveCommand {
    static let leaf: Leaf = .init(
        Command(
            "server remove", "Remove a relay from the list", promise: "the relay is removed from the list",
            store: .writing,
            positionals: [ServerCommand.name],
            examples: [Example("tacit server remove smp.example", "Remove a relay")],
            exits: [67, 69], reports: ServerReport.forms,
            discussion: """
                Conversations on this relay continue. Preset relays can only be disabled. A host that relays \
                both messages and files means the relay for messages: name the other one xftp://HOST. A chat relay is named by its \
                name or address; channels on it continue.
                """),
        purpose: { "remove the relay \(ServerCommand.quoted($0[ServerCommand.name]))" },
        body: { session in
            let server = try await session.server(session.invocation[ServerCommand.name]).server
            try await session.change([server.removed], "removed")
            return .ok
        })
}
