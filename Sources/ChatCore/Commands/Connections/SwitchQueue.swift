import Agent
import AgentProtocol

/// Begins to move the own queue of a contact to another relay. (`/_switch @1`, `/switch @name`)
public struct SwitchQueue: ChatCommand {
    public var chat: ChatTarget

    public init(_ chat: ChatTarget) {
        self.chat = chat
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_switch", .chat(\.chat), make: Self.init), Form("/switch", .person(\.chat), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ConnectionChange {
        let (profile, contact, id) = try core.lookup.connected(chat)
        let agent = try core.agent
        do {
            try agent.switchQueue(of: id)
        } catch AgentError.connection(.notReady), AgentError.connection(.outOfStep) {
            throw ChatError.notPossible(.switchQueue, contact.name)
        }
        return ConnectionChange(.switchStarted, profile, contact, try agent.condition(of: id))
    }
}
