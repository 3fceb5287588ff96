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
                Conversations on this relay continue. Preset relays can only be disabled. A file relay is named with its \
                address, or as xftp://HOST.
                """),
        purpose: { "remove the relay \(ServerCommand.quoted($0[ServerCommand.name]))" },
        body: { session in
            let word = session.invocation[ServerCommand.name]
            let files = try await session.execute(ListFileServers()).own
            if let relay = files.first(where: { $0.isNamed(word) }) {
                _ = try await session.execute(SetFileServers(files.filter { $0.address != relay.address }))
                try session.invocation.print(
                    done: ServerReport(server: ProfileServer(relay), action: "removed", isForFiles: true))
                return .ok
            }
            var server = try await session.server(session.invocation[ServerCommand.name]).server
            server.isDeleted = true
            try await session.change([server], "removed")
            return .ok
        })
}

extension ConfiguredServer {
    /// True if a word of the user means this file relay: its address, or `xftp://` with its host.
    fileprivate func isNamed(_ word: String) -> Bool {
        word == text(scheme: .xftp) || word == "xftp://\(address.place)" || word == address.text(scheme: .xftp)
    }
}
