import AgentProtocol
import ByteCoding
import ChatProtocol

/// Entries about the life of a group.
extension Groups {
    /// Notes something that a member did, inside of a transaction.
    ///
    /// - Parameter support: The member in whose conversation with the moderators it stands.
    func note(
        _ notice: GroupNotice, by author: GroupMember, isUnread: Bool = false, id: SharedMessageID? = nil,
        support: GroupMember? = nil, signature: SignatureStatus? = nil, at time: Timestamp? = nil,
        _ items: inout [LocatedItem]
    ) throws {
        let item = try store.insert(
            ChatStore.NewGroupNotice(
                content: .groupEvent(notice), direction: .received, author: author.id, support: support?.id,
                isUnread: isUnread, sharedID: id, signature: signature, time: time ?? now), in: author.groupID, at: now)
        try append(item, of: author.groupID, to: &items)
    }

    /// Notes something of a channel itself, inside of a transaction.
    func note(_ content: ChatItem.Content, of channel: Group, _ items: inout [LocatedItem]) throws {
        let item = try store.insert(
            ChatStore.NewGroupNotice(content: content, direction: .received, isFromGroup: true, time: now),
            in: channel.id, at: now)
        try append(item, of: channel.id, to: &items)
    }

    /// Notes something that the user did, inside of a transaction.
    func note(
        _ notice: GroupNotice, in group: Group, id: SharedMessageID? = nil, support: GroupMember? = nil,
        _ items: inout [LocatedItem]
    ) throws {
        let item = try store.insert(
            ChatStore.NewGroupNotice(
                content: .groupEvent(notice), direction: .sent, support: support?.id, sharedID: id, time: now),
            in: group.id, at: now)
        try append(item, of: group.id, to: &items)
    }

    private func append(_ item: ChatItemID?, of id: GroupID, to items: inout [LocatedItem]) throws {
        guard let item else { return }
        items.append(LocatedItem(chat: try lookup.chat(.group(id)), item: try lookup.item(item)))
    }

    /// Tells new entries and events of a command, once they are on disk.
    func tell(_ items: [LocatedItem], of profile: OwnProfile) {
        if !items.isEmpty { tell(NewItemsEvent(profile: profile, items: items)) }
    }

    /// Notes what became of the connection with a member, inside of a transaction.
    func insert(
        _ content: ChatItem.Content, by author: GroupMember, isUnread: Bool = false, _ items: inout [LocatedItem]
    ) throws {
        let item = try store.insert(
            ChatStore.NewGroupNotice(
                content: content, direction: .received, author: author.id, isUnread: isUnread, time: now),
            in: author.groupID, at: now)
        try append(item, of: author.groupID, to: &items)
    }

    // MARK: - First entries

    /// Notes at the beginning of a group how it is encrypted and what its members may do, unless that stands there.
    ///
    /// - Parameter host: The member that brought the user here; nil where the user made the group.
    func insertFirstEntries(of group: Group, by host: GroupMember?) throws {
        let chat = ChatReference.group(group.id), encryption = ChatItem.Content.groupEncryption(isPublic: false)
        guard try store.lacks(encryption, in: chat) else { return }
        // A group that was joined at once through a link has no banner in the official core.
        if host == nil || group.prepared != nil, try store.lacks(.banner, in: chat) {
            _ = try store.insertNotice(.banner, .sent, in: chat, isUnread: false, at: now)
        }
        try insert(encryption, by: host, in: group)
        let preferences = group.profile.preferences ?? GroupPreferences()
        for feature in GroupPreferences.Feature.allCases where feature.isOfGroups {
            try insert(.groupFeature(feature, preferences.setting(for: feature).told), by: host, in: group)
        }
    }

    private func insert(_ content: ChatItem.Content, by host: GroupMember?, in group: Group) throws {
        _ = try store.insert(
            ChatStore.NewGroupNotice(
                content: content, direction: host == nil ? .sent : .received, author: host?.id, time: now),
            in: group.id, at: now)
    }

    /// Notes the features of a group that work otherwise now.
    func noteFeatures(
        from former: GroupProfile, to profile: GroupProfile, by author: GroupMember?, in group: Group,
        _ items: inout [LocatedItem]
    ) throws {
        let before = former.preferences ?? GroupPreferences(), after = profile.preferences ?? GroupPreferences()
        for feature in GroupPreferences.Feature.allCases
        where group.isChannel ? feature.isOfChannels : feature.isOfGroups {
            let setting = after.setting(for: feature).told
            guard before.setting(for: feature).told != setting else { continue }
            let item = try store.insert(
                ChatStore.NewGroupNotice(
                    content: .groupFeature(feature, setting), direction: author == nil ? .sent : .received,
                    author: author?.id, time: now), in: group.id, at: now)
            try append(item, of: group.id, to: &items)
        }
    }

    // MARK: - Invitations

    /// Notes what became of an invitation, inside of a transaction.
    func note(
        _ status: GroupInvitationNotice.Status, _ direction: ChatItem.Direction, to id: GroupID,
        _ member: GroupMemberID? = nil
    ) throws -> LocatedItem? {
        guard let item = try store.invitationItem(direction, to: id, member),
            case .groupInvitation(var invitation) = item.content, invitation.status == .pending
        else { return nil }
        invitation.status = status
        try store.setContent(.groupInvitation(invitation), of: item.id)
        return LocatedItem(chat: try lookup.chat(item.chat), item: try lookup.item(item.id))
    }
}

extension GroupPreferences.Setting {
    /// What an entry says of it: the time only where messages disappear.
    var told: GroupPreferences.Setting { GroupPreferences.Setting(isOn, role: role, ttl: isOn ? ttl : nil) }
}
