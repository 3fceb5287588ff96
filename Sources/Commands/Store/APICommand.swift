import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit api`
enum APICommand {
    static let text = Positional<String>("COMMAND-TEXT", "Command in the text form of the SimpleX API", .text("TEXT"))

    static let leaf: Leaf = .init(
        Command(
            "api", "Run one command of the SimpleX API", promise: "the command succeeded",
            store: .writing, positionals: [text],
            examples: [
                Example("tacit api '/_get chats 1 count=20'", "List the newest 20 chats"),
                Example("tacit api /users | jq .result.users", "Extract the users from the result"),
            ],
            exits: [65, 67, 68, 69, 73, 75, 76, 79],
            discussion: """
                For programs that use the API of the official SimpleX chat core. Each line of output is a JSON object: \
                {\"event\":...} for an event that occurs while the command runs, and finally {\"result\":...} or \
                {\"error\":...}.
                """),
        purpose: { _ in "run this command" },
        run: { invocation in
            do {
                return try run(try ChatCommands.parse(invocation[text]), invocation)
            } catch let error as ChatError {
                try invocation.output.write(json: ChatReply.error(error))
                throw error
            }
        })

    private static func run<Command: ChatCommand>(_ command: Command, _ invocation: Invocation) throws -> ExitCode {
        let access = StoreOpener(
            invocation, isWriting: Command.access == .write, usesNetwork: Command.access == .network
        ) { event in
            try? invocation.output.write(json: ChatReply.event(event))
            try? invocation.output.flush()
        }
        // Events may come until the store is closed, and the answer is the last line.
        try invocation.output.write(json: ChatReply.result(try access.run { try await $0.execute(command) }))
        return .ok
    }
}
