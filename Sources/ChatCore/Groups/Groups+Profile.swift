import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// What a group says about itself, and what its members may do.
extension Groups {
    /// Gives a group another profile. The members are told, and the link shows it.
    func update(_ group: Group, _ presented: GroupProfile) async throws -> Group {
        try check(group, atLeast: .owner)
        let former = group.profile
        try check(presented, former: former)
        guard presented != former else { return group }
        let profile = try lookup.owner(group.profileID)
        try commit(profile) { consequences in
            let id = conversations.newSharedID()
            // In a chat with a business each side has another profile of the group.
            let event: GroupEvent =
                group.business == nil
                ? .profileChanged(presented)
                : .preferencesChanged(presented.preferences ?? .newBusinessChat)
            try store.update(group.id, profile: presented, name: try groupName(presented, of: group), at: now)
            consequences.messages += try conversations.enqueue(
                [ChatMessage(id: id, event: .group(event))], to: try audience(of: group), of: group)
            let changed = try lookup.group(group.id)
            if presented.isShownOtherwise(than: former) {
                try note(.groupUpdated(presented), in: changed, id: id, &consequences.items)
            }
            try noteFeatures(from: former, to: presented, by: nil, in: changed, &consequences.items)
        }
        let changed = try lookup.group(group.id)
        try showProfile(of: changed)
        return changed
    }

    /// The owner changed what the group says about itself.
    func recordProfile(
        _ presented: GroupProfile, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws {
        guard message.group.business == nil else {
            return try recordPreferences(presented.preferences ?? .newBusinessChat, message, &consequences)
        }
        // Only channels are public, and none becomes another one (network-7.md 9.2).
        guard presented.publicGroup?.id == message.group.channel?.publicID else { throw GroupRefusal.unchangeable }
        try record(presented.withBoundedImage, message, &consequences)
    }

    /// The owner of a business chat changed what may be done there.
    func recordPreferences(
        _ preferences: GroupPreferences, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws {
        var presented = message.group.profile
        presented.preferences = preferences
        try record(presented, message, &consequences)
    }

    private func record(
        _ presented: GroupProfile, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws {
        let group = message.group, former = group.profile
        guard presented != former else { return }
        try store.update(group.id, profile: presented, name: try groupName(presented, of: group), at: now)
        let changed = try lookup.group(group.id)
        if presented.isShownOtherwise(than: former) {
            try note(
                .groupUpdated(presented), by: message.author, id: message.id, signature: message.signatureStatus,
                at: message.time, &consequences.items)
        }
        try noteFeatures(from: former, to: presented, by: message.author, in: changed, &consequences.items)
        if try store.groupLink(of: group.id) != nil {
            consequences.actions.append { [weak self] in try self?.showProfile(of: changed) }
        }
        consequences.events.append(
            GroupUpdatedEvent(
                profile: message.profile, former: group, group: changed, member: message.author,
                signature: message.signatureStatus))
    }

    // MARK: - Business chats

    /// What the customer of a business chat sees as the group: the business.
    func businessProfile(of group: Group) throws -> GroupProfile {
        let owner = presentation(in: group)
        var presented = group.profile
        presented.displayName = owner.displayName
        presented.fullName = owner.fullName
        presented.shortDescription = owner.shortDescription
        presented.image = owner.image
        return presented
    }

    /// A business chat has the name and the picture of the other side.
    func follow(
        _ member: GroupMember, in group: Group, _ profile: OwnProfile, _ consequences: inout GroupConsequences
    ) throws {
        guard let business = group.business,
            member.memberID == (business.side == .business ? business.businessID : business.customerID)
        else { return }
        let presented = member.profile
        var changed = group.profile
        (changed.displayName, changed.fullName) = (presented.displayName, presented.fullName)
        (changed.shortDescription, changed.image) = (presented.shortDescription, presented.image)
        guard changed != group.profile else { return }
        try store.update(group.id, profile: changed, name: try groupName(changed, of: group), at: now)
        consequences.events.append(
            GroupUpdatedEvent(profile: profile, former: group, group: try lookup.group(group.id), member: member))
    }
}

extension GroupProfile {
    /// Whether something besides the preferences is not the same.
    fileprivate func isShownOtherwise(than other: GroupProfile) -> Bool {
        var same = self
        same.preferences = other.preferences
        return same != other
    }
}
