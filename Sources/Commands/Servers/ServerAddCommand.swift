import ChatCore
import CommandKit
import SMPProtocol
import TerminalKit

/// `tacit server add`
enum ServerAddCommand {
    static let address = Positional<ConfiguredServer>(
        "ADDRESS", "The relay, with its password if it has one", .server())

    static let leaf: Leaf = .init(
        Command(
            "server add", "Use a relay for new conversations", promise: "the choice is on disk", store: .writing,
            positionals: [address],
            examples: [
                Example(
                    "tacit server add smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@smp.example",
                    "A relay that you trust")
            ],
            exits: [64, 73], reports: ServerReport.forms,
            discussion: """
                Nothing is asked of the relay; 'tacit server test' does that. What is already in use goes on where it is. To use no \
                others, switch them off: tacit server disable HOST.
                """),
        purpose: { "add the relay \(UntrustedText($0[address].address.place).quoted)" },
        body: { session in
            try await session.change([ProfileServer(session.invocation[address])], "added")
            return .ok
        })
}
