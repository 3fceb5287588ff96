import Agent
import AgentProtocol
import ChatProtocol

/// Asks a member for a new ratchet. (`/_sync #1 2 [force=on]`, `/sync #name @member [force=on]`)
public struct SynchronizeMember: ChatCommand {
    public var group: GroupTarget
    public var member: MemberTarget
    /// True if the ratchets seem to fit, or if there was no answer before.
    public var isForced: Bool

    public init(_ group: GroupTarget, _ member: MemberTarget, isForced: Bool = false) {
        self.group = group
        self.member = member
        self.isForced = isForced
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.ofMember(
            "/_sync", named: "/sync", \.group, \.member, .flag("force", \.isForced),
            make: { Self($0, $1, isForced: $2) }))

    public func perform(on core: isolated LocalCore) async throws -> MemberConnectionChange {
        let (profile, group, member, id) = try core.lookup.connected(member, of: group)
        let agent = try core.agent
        do {
            try agent.synchronize(id, force: isForced)
        } catch AgentError.connection(.notReady) {
            throw ChatError.notPossible(.synchronize, member.name)
        }
        return MemberConnectionChange(
            .synchronizationStarted, profile, group, member, try agent.condition(of: id))
    }
}
