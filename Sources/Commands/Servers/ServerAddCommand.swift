import ChatCore
import CommandKit
import SMPProtocol
import TerminalKit

/// `tacit server add`
enum ServerAddCommand {
    static let address = Positional<[AddedServer]>(
        "ADDRESS", "Address of the relay, with its password if it has one", .addedServers())

    static let leaf: Leaf = .init(
        Command(
            "server add", "Add a relay for new queues, files or channels", promise: "the relay is in the list on disk",
            store: .writing,
            positionals: [address],
            examples: [
                Example(
                    "tacit server add smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@smp.example",
                    "Add a relay that you trust"),
                Example(
                    "tacit server add xftp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@files.example",
                    "Add a relay for files"),
                Example(
                    "tacit server add 'https://smp.example.com/r#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'",
                    "Add a chat relay for your channels"),
            ],
            exits: [64, 73], reports: ServerReport.forms,
            discussion: """
                This command does not contact the relay; 'tacit server test' does. Existing queues stay on their relays. To \
                use only this relay, disable the others: tacit server disable HOST.

                An address that begins with xftp:// is that of a relay for files. As soon as there is one, the file relays of \
                operators are used only after 'tacit server enable'.

                An address that begins with https:// is that of a chat relay, which 'tacit channel create' uses. 'tacit channel \
                test' tests it.
                """),
        purpose: { invocation in
            let places = invocation[address].compactMap(\.listed).map { UntrustedText($0.place).quoted }
            return "add the relay \(places.joined(separator: ", "))"
        },
        body: { session in
            try await session.change(session.invocation[address].compactMap(\.listed), "added")
            return .ok
        })
}
