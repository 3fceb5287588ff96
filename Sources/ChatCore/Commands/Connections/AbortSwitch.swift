import Agent
import AgentProtocol

/// Keeps the own queue of a contact although a move was begun. (`/_abort switch @1`, `/abort switch @name`)
public struct AbortSwitch: ChatCommand {
    public var chat: ChatTarget

    public init(_ chat: ChatTarget) {
        self.chat = chat
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_abort switch", .chat(\.chat), make: Self.init),
        Form("/abort switch", .person(\.chat), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ConnectionChange {
        let (profile, contact, id) = try core.lookup.connected(chat)
        let agent = try core.agent
        do {
            try agent.abortSwitch(of: id)
        } catch AgentError.connection(.notReady) {
            throw ChatError.notPossible(.abortSwitch, contact.name)
        }
        return ConnectionChange(.switchAborted, profile, contact, try agent.condition(of: id))
    }
}
