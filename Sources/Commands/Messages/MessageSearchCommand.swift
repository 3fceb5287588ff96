import ChatCore
import CommandKit
import TerminalKit

/// `tacit message search`
enum MessageSearchCommand {
    static let words = Positional<String>("WORDS", "What the messages have, in capitals or not", .text("WORDS"))
    static let target = Option<Target?>("in", "Only in this conversation", .target(), isCommon: true)
    static let last = Option<Int?>(
        "last", letter: "n", "At most so many of the newest", .count(in: 1...1_000_000), defaultText: "all",
        isCommon: true
    )
    .writtenAsNumeral

    static let leaf: Leaf = .init(
        Command(
            "message search", "Find messages by their words", promise: "what was found was printed", store: .reading,
            positionals: [words], options: [target, last, ReadCommand.since, ReadCommand.until, exitCode],
            examples: [
                Example("tacit message search 'disk 9' --in @alice --last 1", "The last time that it was full"),
                Example("tacit message search invoice --since 2026-01-01 --json", "For a script"),
            ],
            exits: [1, 67], reports: MessageReport.forms, topics: ["targets", "time"]),
        purpose: { _ in "search" },
        body: { session in
            let invocation = session.invocation, utc = invocation[GlobalOptions.utc]
            var query = ItemQuery()
            if let target = invocation[target] { query.contact = try await session.chat(target).id }
            query.since = invocation[ReadCommand.since]?.start(utc: utc)
            query.until = invocation[ReadCommand.until]?.end(utc: utc)
            query.words = invocation[words]
            query.count = invocation[last]
            let items = try await session.items(query)
            try invocation.print(list: items.map { MessageReport($0) })
            return items.isEmpty && invocation[exitCode] ? .no : .ok
        })

    static let exitCode = Option<Bool>(flag: "exit-code", "Exit with 1 if nothing was found", isCommon: true)
}
