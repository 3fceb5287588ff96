import ChatCore
import CommandKit
import ControlSocket
import SystemIO
import TerminalKit

/// `tacit rpc`
enum RPCCommand {
    static let leaf: Leaf = .init(
        Command(
            "rpc", "Answer JSON-RPC requests on standard input",
            promise: "standard input has ended, and all was answered",
            store: .writing,
            examples: [
                Example(
                    #"echo '{"jsonrpc":"2.0","id":1,"method":"contact.list"}' | tacit rpc"#, "One question, one answer")
            ],
            exits: [66, 75], topics: ["scripting"],
            discussion: """
                JSON-RPC 2.0, one message a line. The methods are the commands, as in contact.list; the parameters are \
                their options and arguments by name, or the words of the command line as a list. The result has the \
                exit code and the reports that the command would print with --json, and what else it prints as text; \
                exit codes other than 0 and 1 are errors with that code, and the same in their data. watch sends each \
                report as a notification until tacit.cancel names its id.

                Commands begin in the order in which they are asked for, each when the one before has written what it has to \
                write; answers come when they are ready.

                The store is open as long as standard input is. If a daemon has it open already, the daemon carries out what they ask.
                """),
        purpose: { _ in "answer requests" },
        run: { invocation in try StoreAccess(invocation, isWriting: true).run { try await serve($0) } })

    private static func serve(_ session: StoreSession) async throws -> ExitCode {
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
