import Agent
import AgentProtocol
import ChatProtocol

/// Begins to move the own queue of a member to another relay. (`/_switch #1 2`, `/switch #name @member`)
public struct SwitchMemberQueue: ChatCommand {
    public var group: GroupTarget
    public var member: MemberTarget

    public init(_ group: GroupTarget, _ member: MemberTarget) {
        self.group = group
        self.member = member
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.ofMember("/_switch", named: "/switch", \.group, \.member, make: { Self($0, $1) }))

    public func perform(on core: isolated LocalCore) async throws -> MemberConnectionChange {
        let (profile, group, member, id) = try core.lookup.connected(member, of: group)
        let agent = try core.agent
        do {
            try agent.switchQueue(of: id)
        } catch AgentError.connection(.notReady), AgentError.connection(.outOfStep) {
            throw ChatError.notPossible(.switchQueue, member.name)
        }
        return MemberConnectionChange(.switchStarted, profile, group, member, try agent.condition(of: id))
    }
}
