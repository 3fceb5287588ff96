import ChatCore
import CommandKit
import SMPProtocol
import TerminalKit

/// `tacit server add`
enum ServerAddCommand {
    static let address = Positional<ConfiguredServer>(
        "ADDRESS", "Address of the relay, with its password if it has one", .server())

    static let leaf: Leaf = .init(
        Command(
            "server add", "Add a relay for new queues", promise: "the relay is in the list on disk", store: .writing,
            positionals: [address],
            examples: [
                Example(
                    "tacit server add smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@smp.example",
                    "Add a relay that you trust")
            ],
            exits: [64, 73], reports: ServerReport.forms,
            discussion: """
                This command does not contact the relay; 'tacit server test' does. Existing queues stay on their relays. To \
                use only this relay, disable the others: tacit server disable HOST.
                """),
        purpose: { "add the relay \(UntrustedText($0[address].address.place).quoted)" },
        body: { session in
            try await session.change([ProfileServer(session.invocation[address])], "added")
            return .ok
        })
}
