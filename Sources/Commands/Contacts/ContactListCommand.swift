import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact list`
enum ContactListCommand {
    static let leaf: Leaf = .init(
        Command(
            "contact list", "List contacts", promise: "the list was printed", store: .reading,
            examples: [
                Example("tacit contact list", "List all contacts"),
                Example("tacit contact list --plain --fields name,verified", "Show which contacts are verified"),
            ],
            reports: ContactReport.forms),
        purpose: { _ in "list contacts" },
        body: { session in
            try session.invocation.print(list: try await session.contacts().map { ContactReport(contact: $0) })
            return .ok
        })
}
