/// What carries out commands: the only thing that faces talk to.
public protocol Core: Sendable {
    /// Carries out a command.
    func execute<Command: ChatCommand>(_ command: Command) async throws(ChatError) -> Command.Response
}

extension LocalCore: Core {}
