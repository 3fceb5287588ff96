import Agent
import AgentProtocol
import ChatProtocol

/// Keeps the own queue of a member although a move was begun. (`/_abort switch #1 2`, `/abort switch #name @member`)
public struct AbortMemberSwitch: ChatCommand {
    public var group: GroupTarget
    public var member: MemberTarget

    public init(_ group: GroupTarget, _ member: MemberTarget) {
        self.group = group
        self.member = member
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.ofMember("/_abort switch", named: "/abort switch", \.group, \.member, make: { Self($0, $1) }))

    public func perform(on core: isolated LocalCore) async throws -> MemberConnectionChange {
        let (profile, group, member, id) = try core.lookup.connected(member, of: group)
        let agent = try core.agent
        do {
            try agent.abortSwitch(of: id)
        } catch AgentError.connection(.notReady) {
            throw ChatError.notPossible(.abortSwitch, member.name)
        }
        return MemberConnectionChange(.switchAborted, profile, group, member, try agent.condition(of: id))
    }
}
