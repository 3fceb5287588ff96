import ChatCore
import CommandKit
import Host
import SystemIO
import TerminalKit

/// `tacit rpc`
enum RPCCommand {
    static let leaf: Leaf = .init(
        Command(
            "rpc", "Serve JSON-RPC on standard input and output",
            promise: "standard input ended, and all requests were answered",
            store: .writing,
            examples: [
                Example(
                    #"echo '{"jsonrpc":"2.0","id":1,"method":"contact.list"}' | tacit rpc"#, "Send one request")
            ],
            exits: [66, 75], topics: ["scripting"],
            discussion: """
                JSON-RPC 2.0, one message per line. Methods are command paths, such as contact.list. Parameters are options \
                and arguments by name, or the words of the command line as a list. The result has the exit code, the reports \
                that --json would print, and other output as text. Exit codes other than 0 and 1 become errors with the same \
                code and data. watch sends each report as a notification until tacit.cancel names its request id.

                Commands start in the order of the requests, each after the previous one has written its changes. Answers \
                arrive in the order of completion.

                The store stays open until standard input ends, or the reader of standard output exits. A running watch ends \
                then too. If a daemon has the store open, the daemon runs the commands.
                """),
        purpose: { _ in "answer requests" },
        run: { invocation in try StoreOpener(invocation, isWriting: true).run { try await serve($0) } })

    private static func serve(_ session: CommandSession) async throws -> ExitCode {
        guard session.invocation.host == nil else { throw Reason.sharedStore }
        let input = RPCInput(), pipe = try Pipe.make()
        input.copy(to: pipe.writer)
        let connection = ControlConnection(input: pipe.reader, output: 1, loop: session.host.loop)
        let service = RPCService(session.host, session.invocation.environment, connection)
        func answer() async {
            await withCheckedContinuation { continuation in service.serve { continuation.resume() } }
            await connection.delivered()
        }
        if session.host.remote == nil { try await session.hosting { _ in await answer() } } else { await answer() }
        return try input.end()
    }
}
