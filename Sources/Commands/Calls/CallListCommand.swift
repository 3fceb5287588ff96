import ChatCore
import CommandKit
import TerminalKit

/// `tacit call list`
enum CallListCommand {
    static let leaf: Leaf = .init(
        Command(
            "call list", "List the calls that wait for an answer", promise: "the list was printed", store: .reading,
            examples: [Example("tacit call list", "Who calls")], reports: MessageReport.forms,
            discussion: """
                This version carries neither sound nor pictures, and tells contacts so; who calls all the same is listed for \
                three minutes, and stands in the conversation then as a missed call.
                """),
        purpose: { _ in "list the calls" },
        body: { session in
            let calls = try await session.execute(ListCalls(try await session.profileID())).calls
            try session.invocation.print(list: calls.map { MessageReport($0) })
            return .ok
        })
}
