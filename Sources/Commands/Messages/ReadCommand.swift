import ChatCore
import CommandKit
import TerminalKit

/// `tacit read`
enum ReadCommand {
    static let target = Positional<Target?>(optional: "TARGET", "Which conversation; all without it", .target())
    static let last = Option<Int>(
        "last", letter: "n", "How many of the newest", .count(in: 1...1_000_000), default: 20, isCommon: true)
    static let mark = Option<Bool>(flag: "mark", "Mark what is printed as read", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "read", "Show messages of the store", promise: "what is there was printed", store: .reading,
            positionals: [target], options: [last, mark],
            examples: [
                Example("tacit read @alice", "The last of a conversation"),
                Example("tacit read --last 5", "The last of all"),
                Example("tacit read @alice --json | jq -r .text", "Texts only"),
            ],
            exits: [67, 75], reports: MessageReport.forms, topics: ["targets"],
            discussion: "Nothing is fetched, and without --mark nothing is changed, so it never waits for anybody."),
        purpose: { $0[target].map { "read \(UntrustedText($0.word).quoted)" } ?? "read" },
        run: { invocation in
            try StoreAccess(invocation, isWriting: invocation[mark]).run(read)
        })

    private static func read(_ session: StoreSession) async throws -> ExitCode {
        let reports = try await reports(session)
        try session.invocation.print(list: reports)
        guard session.invocation[mark] else { return .ok }
        for (id, entries) in Dictionary(grouping: reports, by: \.contact.id) {
            _ = try await session.execute(.markItemsRead(.reference(.contact(id)), entries.map(\.item.id)))
        }
        return .ok
    }

    private static func reports(_ session: StoreSession) async throws -> [MessageReport] {
        let range = ItemRange.last(session.invocation[last])
        if let target = session.invocation[target] {
            let contact = try await session.contact(target)
            let command = ChatCommand.showChat(.reference(.contact(contact.id)), range)
            guard case .chat(_, _, let items) = try await session.execute(command) else { throw UnexpectedResponse() }
            return items.map { MessageReport(contact, $0) }
        }
        let command = ChatCommand.listItems(try await session.profileID(), range)
        guard case .items(_, let items) = try await session.execute(command) else { throw UnexpectedResponse() }
        return items.map { MessageReport($0) }
    }
}
