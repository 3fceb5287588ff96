import ByteCoding
import ChatProtocol

/// A chat as the messages in it see it: who may write there, what its kind allows, and which part of it is meant.
///
/// This is all that kinds of chats differ in; ``Conversations`` does the same for each of them.
struct ConversationPolicy {
    /// The chat. A group has the member whose conversation with the moderators is meant.
    let chat: Chat

    init(_ chat: Chat) {
        self.chat = chat
    }

    /// The group of a group chat.
    var group: Group? { chat.group }

    /// The member whose conversation with the moderators is meant.
    var supportID: GroupMemberID? { group?.supportID }

    // MARK: - Who may write

    /// The role that the user needs to write; nil if none is needed.
    private var requiredRole: GroupRole? {
        guard let group else { return nil }
        return switch group.support {
        case nil: .author
        case .own: group.membership.status.isPending ? nil : .observer
        case .member: .moderator
        }
    }

    /// Throws unless the role of the user lets it write.
    func checkRole() throws(ChatError) {
        if let group, let requiredRole, group.membership.role < requiredRole {
            throw .inGroup(.role(group, required: requiredRole))
        }
    }

    /// Throws if a message has something that the user may not send. Contacts are checked before, see ``Preferences``.
    func checkFeatures(_ content: MessageContent, hasFile: Bool) throws(ChatError) {
        guard let group else { return }
        let feature = group.prohibited(
            content, hasFile: hasFile, role: group.membership.role, isSupport: group.support != nil,
            isNewSupport: group.beginsSupport, isAdmission: isAdmission)
        if let feature { throw .inGroup(.feature(feature)) }
    }

    /// True for the conversation with a member that waits for its admission, and that accepts voice messages there.
    private var isAdmission: Bool {
        guard let group, case .member(let member)? = group.support, group.membership.role >= .admin else {
            return false
        }
        return member.status == .pendingApproval && member.versions.max >= ChatVersion.admissionVoice
    }

    // MARK: - What its kind allows

    /// True if a message can be sent while it is written. Notes are read by their author alone.
    var allowsLive: Bool { !chat.isNotes }

    /// True if entries can have reactions at all.
    var hasReactions: Bool { !chat.isNotes }

    /// True if messages can be changed for a day only. Notes change for their author alone.
    var limitsChanges: Bool { !chat.isNotes }

    /// True if messages are deleted together with their mark, because there is no other side.
    var isAlone: Bool { chat.isNotes }

    /// True where the user decides about the history of a channel.
    var isEditor: Bool { group.map { $0.isChannel && $0.membership.role >= .moderator } ?? false }

    /// True if nothing is left of a message that its author takes back.
    var isFullDelete: Bool { Preferences.allows(.fullDelete, in: chat) }

    // MARK: - Names

    /// The author of an entry, as others know it; nil where there are only two sides, and for posts of a channel.
    func author(of item: ChatItem) -> MemberID? {
        group.flatMap { item.group?.isFromGroup == true ? nil : item.group?.author?.memberID ?? $0.membership.memberID }
    }

    /// What only entries of groups have, for an own entry; nil elsewhere.
    var ownEntry: GroupEntry? {
        guard group != nil else { return nil }
        var entry = GroupEntry()
        entry.supportID = supportID
        entry.isFromGroup = group?.speaksAsChannel == true
        return entry
    }
}

/// Who gets what is written in a conversation.
enum Recipients {
    /// The user alone.
    case none
    case contact(Contact)
    case members([GroupMember], of: Group)
}
