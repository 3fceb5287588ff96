import ChatCore
import CommandKit
import TerminalKit

/// `tacit message search`
enum MessageSearchCommand {
    static let words = Positional<String>("WORDS", "Words to find, ignoring case", .text("WORDS"))
    static let target = Option<Target?>("in", "Search only this conversation", .target(), isCommon: true)
    static let last = Option<Int?>(
        "last", letter: "n", "Print at most this many of the newest matches", .count(in: 1...1_000_000),
        defaultText: "all",
        isCommon: true
    )
    .writtenAsNumeral

    static let leaf: Leaf = .init(
        Command(
            "message search", "Search stored messages", promise: "the matching messages were printed", store: .reading,
            positionals: [words], options: [target, last, ReadCommand.since, ReadCommand.until, exitCode],
            examples: [
                Example(
                    "tacit message search 'disk 9' --in @alice --last 1", "Show the last message about a full disk"),
                Example("tacit message search invoice --since 2026-01-01 --json", "Print this year's matches as JSON"),
            ],
            exits: [1, 67], reports: MessageReport.forms, topics: ["targets", "time"]),
        purpose: { _ in "search" },
        body: { session in
            let invocation = session.invocation, utc = invocation[GlobalOptions.utc]
            var query = ItemQuery()
            if let target = invocation[target] { query.chat = try await session.chat(target).reference }
            query.since = invocation[ReadCommand.since]?.start(utc: utc)
            query.until = invocation[ReadCommand.until]?.end(utc: utc)
            query.words = invocation[words]
            query.count = invocation[last]
            let items = try await session.items(query)
            try invocation.print(listed: items)
            return items.isEmpty && invocation[exitCode] ? .no : .ok
        })

    static let exitCode = Option<Bool>(flag: "exit-code", "Exit with 1 if there are no matches", isCommon: true)
}
