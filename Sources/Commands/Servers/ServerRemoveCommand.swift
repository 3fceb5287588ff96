import ChatCore
import CommandKit
import TerminalKit

/// `tacit server remove`
enum ServerRemoveCommand {
    static let leaf: Leaf = .init(
        Command(
            "server remove", "Forget a relay of your own", promise: "the relay is off the list", store: .writing,
            positionals: [ServerCommand.name],
            examples: [Example("tacit server remove smp.example", "Not for new conversations")],
            exits: [67, 69], reports: ServerReport.forms,
            discussion: """
                Conversations that use the relay go on. Relays that came with the program can only be switched off.
                """),
        purpose: { "remove the relay \(ServerCommand.quoted($0[ServerCommand.name]))" },
        body: { session in
            var server = try await session.server(session.invocation[ServerCommand.name]).server
            server.isDeleted = true
            try await session.change([server], "removed")
            return .ok
        })
}
