import Agent
public import AgentProtocol
import ByteCoding

/// Deletes a profile with everything that belongs to it. Contacts are not told. Asks relays to delete the queues, and
/// leaves to the next fetch what they have not deleted. (`/_delete user 1 del_smp=on|off ["PASSWORD"]`)
public struct DeleteProfile: ChatCommand {
    public var id: ProfileID
    /// Whether the relays are asked to delete its queues.
    public var deletesQueues: Bool
    /// The password of a hidden profile.
    public var password: PlainPassword?

    public init(_ id: ProfileID, deletesQueues: Bool = true, password: String? = nil) {
        self.id = id
        self.deletesQueues = deletesQueues
        self.password = password.map(PlainPassword.init)
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_delete user", .profile(\.id), .deletesQueues, .password(\.password),
            make: { Self($0, deletesQueues: $1, password: $2?.text) }))

    public func effect(of response: CommandOK) -> SessionEffect? { .profileGone(id) }

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        try await core.profiles.delete(try core.profiles.profile(id, openedBy: password), deletesQueues: deletesQueues)
        return CommandOK(nil)
    }
}

extension Argument where Command == DeleteProfile, Value == Bool {
    /// `del_smp=on`, which must be said.
    fileprivate static var deletesQueues: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard reader.skipExactly("del_smp", "=") else { throw .invalid("del_smp") }
                return try reader.isOn()
            }, write: { $0.deletesQueues ? "del_smp=on" : "del_smp=off" })
    }
}
