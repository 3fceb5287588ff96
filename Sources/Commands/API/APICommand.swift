import ByteCoding
import ChatCore
import CommandKit
import Host
import JSONCoding
import SystemIO
import TerminalKit

/// `tacit api`
enum APICommand {
    static let text = Positional<String?>(
        optional: "COMMAND-TEXT", "Command in the text form of the SimpleX API", .text("TEXT"))
    static let webSocket = Option<ListenAddress?>(
        "websocket", "Serve clients of the API at this port until a signal", ListenAddress.kind,
        defaultText: "run one command", isCommon: true
    ).withoutSetting
    static let allowsRemote = Option(
        flag: "allow-remote", "Let other machines connect; needs --token-file")
    static let tokenFile = Option<String?>(
        "token-file", "Demand the token in this file from clients", .path(), defaultText: "none")
    static let newToken = Option(
        flag: "new-token", "Demand a new token from clients; write it to the runtime folder")
    static let origins = Option<[String]>(
        repeated: "allow-origin", "Let pages of this origin connect from a browser", .text("ORIGIN"))

    static let leaf: Leaf = .init(
        Command(
            "api", "Run one command of the SimpleX API, or serve its clients",
            promise: "the command succeeded, or the server was stopped", store: .writing, positionals: [text],
            options: [webSocket, allowsRemote, tokenFile, newToken, origins],
            examples: [
                Example("tacit api '/_get chats 1 count=20'", "List the newest 20 chats"),
                Example("tacit api /users | jq .result.users", "Extract the users from the result"),
                Example("tacit api --websocket 5225", "Serve bots on this machine"),
                Example("tacit api --websocket unix:/run/user/1000/bot.sock", "Serve bots at a Unix socket"),
            ],
            exits: [65, 67, 68, 69, 71, 73, 75, 76, 77, 79], topics: ["scripting", "bots"],
            discussion: """
                For programs that use the API of the official SimpleX chat core; see tacit help bots. Each line of output is a JSON object: \
                {\"event\":...} for an event that occurs while the command runs, and finally {\"result\":...} or \
                {\"error\":...}. A command that queues messages sends them before it ends. It ends with 75 if that fails; the \
                messages stay in the outbox.

                With --websocket bots connect as to the official program. A client sends objects with corrId and cmd, and \
                receives objects with the same corrId and resp; events have resp alone. Messages are received all the time, \
                as by the daemon. If a daemon has the store open, the daemon runs the commands. SIGTERM and Ctrl-C end the \
                server cleanly.

                Clients control the whole store. At a port, only processes of the same user can connect; with --token-file or \
                --new-token, only processes that send the header 'Authorization: Bearer TOKEN'. --new-token writes the token to \
                api-PORT.token in the runtime folder of tacit, and removes it at the end. Other machines can connect only \
                with --allow-remote and a token; the connection is not encrypted. Pages in a browser can connect only with \
                --allow-origin.

                The address unix:PATH is a Unix socket, which other users cannot connect to or replace.
                """),
        purpose: { $0[webSocket] == nil ? "run this command" : "serve clients of the API" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let isServer = invocation[webSocket] != nil
        guard isServer != (invocation[text] != nil) else {
            throw isServer ? Failure.exclusive("'--websocket'", "a command text") : Failure.apiWithoutText
        }
        if let address = invocation[webSocket] { return try APIServing(invocation, address).run() }
        guard !invocation[allowsRemote], invocation[tokenFile] == nil, !invocation[newToken],
            invocation[origins].isEmpty
        else {
            throw Failure.apiOptionWithoutWebSocket
        }
        do {
            return try run(try ChatCommands.parse(invocation[text] ?? ""), invocation)
        } catch let error as ChatError {
            try invocation.output.write(json: ChatReply.error(error))
            throw error
        }
    }

    private static func run<Command: ChatCommand>(_ command: Command, _ invocation: Invocation) throws -> ExitCode {
        let paths = APIFilePaths(StoreFolder(try invocation.directories().data))
        let access = StoreOpener(
            invocation, isWriting: Command.access == .write, usesNetwork: Command.access == .network
        ) { event in
            try? invocation.output.write(json: paths.apply(to: ChatReply.event(event)))
            try? invocation.output.flush()
        }
        let (response, report) = try access.run { session in
            guard Command.access == .write else { return (try await session.execute(command), FetchReport?.none) }
            let mark = try await session.execute(MarkOutbox())
            let response = try await session.execute(command)
            // The store may have been deleted or replaced.
            let report = try? await session.execute(Flush(after: mark, timeout: sendingTimeout))
            return (response, report)
        }
        // Events may come until the store is closed, and the answer is the last line.
        try invocation.output.write(json: paths.apply(to: ChatReply.result(response)))
        guard let report, report.waiting > 0, !invocation[GlobalOptions.offline] else { return .ok }
        return invocation.report(Reason.unsent(report).failure(during: "send"))
    }

    /// The longest time without progress until a command ends although it has not sent everything.
    private static let sendingTimeout = Duration.seconds(30)
}

extension ListenAddress {
    static let kind = ValueKind<ListenAddress>(
        ValueForm("[HOST:]PORT", expected: "a port, a host and a port, or unix: and a path from the root"),
        read: { ListenAddress($0) }, write: { $0.description })
}
