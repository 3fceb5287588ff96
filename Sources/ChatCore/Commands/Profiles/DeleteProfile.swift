import Agent
public import AgentProtocol
import ByteCoding

/// Deletes a profile with everything that belongs to it. Contacts are not told. Asks relays to delete the queues, and
/// leaves to the next fetch what they have not deleted. (`/_delete user 1 del_smp=on`)
public struct DeleteProfile: ChatCommand {
    public var id: ProfileID

    public init(_ id: ProfileID) {
        self.id = id
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_delete user", .profile(\.id), .deletesQueues, make: { id, _ in Self(id) }))

    public func effect(of response: CommandOK) -> SessionEffect? { .profileGone(id) }

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let agent = try core.agent
        let profile = try core.lookup.profile(id)
        guard try !profile.isActive || core.store.profiles().count == 1 else {
            throw ChatError.profileActive(profile.name)
        }
        let ids = try core.store.connections(of: id)
        for connection in ids where try agent.contains(connection) { try agent.delete(connection) }
        try core.store.transaction { try core.store.removeProfile(id) }
        for connection in ids { agent.deliver(connection) }
        _ = await agent.wait(Connector.relayTimeout) { agent.hasTriedAll }
        return CommandOK(nil)
    }
}

extension Argument where Command == DeleteProfile, Value == Bool {
    /// `del_smp=on`: queues cannot be left at their relays.
    fileprivate static var deletesQueues: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                try reader.expect("del_smp=on")
                return true
            }, write: { _ in "del_smp=on" })
    }
}
