import ChatCore
import CommandKit
import TerminalKit

/// `tacit call list`
enum CallListCommand {
    static let leaf: Leaf = .init(
        Command(
            "call list", "List incoming calls", promise: "the list was printed", store: .reading,
            examples: [Example("tacit call list", "List incoming calls")], reports: MessageReport.forms,
            discussion: """
                tacit carries no audio or video and tells contacts so. A call that arrives anyway is listed for three minutes, \
                then appears in the conversation as a missed call.
                """),
        purpose: { _ in "list the calls" },
        body: { session in
            let calls = try await session.execute(ListCalls(try await session.profileID())).calls
            try session.invocation.print(list: calls.map { MessageReport($0) })
            return .ok
        })
}
