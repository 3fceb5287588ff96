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
                STATE is on, off, or waits. It is waits if the operator is disabled, its conditions are not accepted, or all of \
                its message relays are disabled. File relays follow those for messages, and chat relays for channels come last. \
                After you add a file relay, the file relays of operators are off unless you enable them.
                """),
        purpose: { _ in "list relays" },
        body: { session in
            try session.invocation.print(list: ServerReport.list(try await session.servers()))
            return .ok
        })
}
