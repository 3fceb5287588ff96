import ChatCore
import CommandKit
import TerminalKit

/// `tacit server list`
enum ServerListCommand {
    static let leaf: Leaf = .init(
        Command(
            "server list", "List relays", promise: "the list was printed", store: .reading,
            examples: [
                Example("tacit server list", "The relays of the active profile"),
                Example("tacit server list --json | jq -r 'select(.used).host'", "List the relays in use"),
            ],
            reports: ServerReport.forms,
            discussion: """
                STATE is on, off, or waits. It is waits if the operator is disabled or its conditions are not accepted.
                """),
        purpose: { _ in "list relays" },
        body: { session in
            let files = try await session.execute(ListFileServers()).own.map {
                ServerReport(server: ProfileServer($0), isForFiles: true)
            }
            try session.invocation.print(list: ServerReport.list(try await session.servers()) + files)
            return .ok
        })
}
