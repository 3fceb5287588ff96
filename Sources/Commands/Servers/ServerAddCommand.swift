import ChatCore
import CommandKit
import SMPProtocol
import TerminalKit

/// `tacit server add`
enum ServerAddCommand {
    static let address = Positional<[AnyRelay]>(
        "ADDRESS", "Address of the relay, with its password if it has one", .relays())

    static let leaf: Leaf = .init(
        Command(
            "server add", "Add a relay for new queues, or for files", promise: "the relay is in the list on disk",
            store: .writing,
            positionals: [address],
            examples: [
                Example(
                    "tacit server add smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@smp.example",
                    "Add a relay that you trust"),
                Example(
                    "tacit server add xftp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@files.example",
                    "Add a relay for files"),
            ],
            exits: [64, 73], reports: ServerReport.forms,
            discussion: """
                This command does not contact the relay; 'tacit server test' does. Existing queues stay on their relays. To \
                use only this relay, disable the others: tacit server disable HOST.

                An address that begins with xftp:// is that of a relay for files. As soon as there is one, the file relays of \
                operators are used only after 'tacit server enable'.
                """),
        purpose: { invocation in
            let places = invocation[address].map { UntrustedText($0.server.address.place).quoted }
            return "add the relay \(places.joined(separator: ", "))"
        },
        body: { session in
            let servers = session.invocation[address].map { ProfileServer($0.server, isForFiles: $0.scheme == .xftp) }
            try await session.change(servers, "added")
            return .ok
        })
}
