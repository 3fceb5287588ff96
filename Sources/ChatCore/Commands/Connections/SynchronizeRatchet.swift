import Agent
import AgentProtocol

/// Asks a contact for a new ratchet. (`/_sync @1 [force=on]`, `/sync @name [force=on]`)
public struct SynchronizeRatchet: ChatCommand {
    public var chat: ChatTarget
    /// True if the ratchets seem to fit, or if there was no answer before.
    public var isForced: Bool

    public init(_ chat: ChatTarget, isForced: Bool) {
        self.chat = chat
        self.isForced = isForced
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_sync", .chat(\.chat), .flag("force", \.isForced), make: Self.init),
        Form("/sync", .person(\.chat), .flag("force", \.isForced), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ConnectionChange {
        let (profile, contact, id) = try core.lookup.connected(chat)
        let agent = try core.agent
        do {
            try agent.synchronize(id, force: isForced)
        } catch AgentError.connection(.notReady) {
            throw ChatError.notPossible(.synchronize, contact.name)
        }
        return ConnectionChange(.synchronizationStarted, profile, contact, try agent.condition(of: id))
    }
}
