import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// The roles of the members of a channel, which its owner gives them by rosters (network-7.md 9.8).
extension Groups {
    /// Throws unless the user may change what the roster says of members: only the owner signs it.
    func checkRoster(of group: Group, _ members: [GroupMember], to role: GroupRole? = nil) throws {
        let changes = role.map(Roster.roles.contains) == true || members.contains { Roster.roles.contains($0.role) }
        guard !changes || group.membership.role == .owner else {
            throw ChatError.inGroup(.role(group, required: .owner))
        }
    }

    /// Gives members of a channel another role: the relays get the roster first, and then the change.
    func setChannelRole(_ role: GroupRole, of members: [GroupMember], in group: Group) throws -> [GroupMember] {
        try checkRoster(of: group, members, to: role)
        guard !members.contains(where: \.isRelay), role != .owner else {
            throw ChatError.inGroup(.role(group, required: .owner))
        }
        let profile = try lookup.owner(group.profileID)
        let changed = members.filter { $0.role != role && !$0.status.isGone }
        try commit(profile) { consequences in
            let formerEntries = try store.rosterEntries(of: group.id)
            for member in changed { try store.update(member.id, role: role, at: now) }
            let entries = try store.rosterEntries(of: group.id)
            var version: Int64?
            if group.channel?.isRoot == true, entries.map(\.entry) != formerEntries.map(\.entry) {
                version = try sendNextRoster(entries.map(\.entry), of: group, &consequences)
            }
            let audience = try audience(of: group)
            for member in changed {
                let id = conversations.newSharedID()
                let change = version.map { RosterChange(version: $0, memberKey: member.publicKey) }
                try note(.memberRole(GroupNotice.Subject(member), role), in: group, id: id, &consequences.items)
                consequences.messages += try conversations.enqueue(
                    [
                        ChatMessage(
                            id: id,
                            event: .group(.roleChanged(member.memberID, role), otherFields: change?.fields ?? [:]))
                    ], to: audience, of: group)
            }
        }
        return try members.map { try lookup.member($0.id) }
    }

    /// Sends the relays the roster without members that are about to be removed, if it lists any. Must be called within a
    /// transaction.
    func removeFromRoster(
        _ members: [GroupMember], of group: Group, _ consequences: inout GroupConsequences
    ) throws -> RosterChange? {
        guard group.channel?.isRoot == true else { return nil }
        let entries = try store.rosterEntries(of: group.id)
        let rest = entries.filter { entry in !members.contains { $0.id == entry.member } }
        guard rest.count < entries.count else { return nil }
        return RosterChange(version: try sendNextRoster(rest.map(\.entry), of: group, &consequences))
    }
}
