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

    /// Throws if one of the messages of a command has something that a contact would not take.
    func checkPermissions(of messages: [ComposedMessage]) throws(ChatError) {
        guard let contact = chat.contact else { return }
        for message in messages {
            let feature = message.content.isVoice ? Preferences.Feature.voice : message.file == nil ? nil : .files
            if let feature, !Preferences.allows(feature, in: chat) { throw .notAllowed(feature, contact.name) }
        }
    }

    /// Throws if a message has something that the role of the user does not allow.
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

    /// After how many seconds messages disappear by its preferences; nil if these have no time.
    var preferredTTL: Int64? {
        if let group { return group.preferences.disappearingSeconds.map { min($0, Expiry.longestTTL) } }
        return chat.contact.flatMap { Preferences.seconds(for: $0) }
    }

    /// True if messages go to several recipients. One that cannot be reached does not keep them from the others.
    var hasManyRecipients: Bool { group != nil }

    /// True if others join later, and get what was written before.
    var hasNewcomers: Bool { group != nil }

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

    // MARK: - Receipts

    /// True if others get receipts for their messages.
    func sendsReceipts(_ profile: OwnProfile) -> Bool {
        switch chat {
        case .direct(let contact): !contact.isBlocked && contact.sendsReceipts ?? profile.sendsReceipts
        case .group(let group): group.sendsReceipts ?? profile.sendsGroupReceipts
        case .notes: false
        }
    }

    /// True if an event is confirmed: one with content, or an invitation of a contact.
    func confirms(_ event: ChatMessage.Event) -> Bool {
        group == nil ? ConversationPolicy.confirmedEvents.contains(event.name) : event.wantsReceipt
    }

    private static let confirmedEvents: Set<String> = ["x.msg.new", "x.grp.inv", "x.call.inv"]

    // MARK: - Names

    /// True if the user writes as a channel.
    var isFromGroup: Bool { group?.speaksAsChannel == true }

    /// The name of the source of messages that are forwarded from here; nil for notes, which come from no other person.
    var sourceName: String? {
        switch chat {
        case .direct(let contact):
            contact.choices.alias.isEmpty ? contact.profile.displayName : contact.choices.alias
        case .group(let group): group.name
        case .notes: nil
        }
    }

    /// The author of an entry, as others know it; nil where there are only two sides, and for posts of a channel.
    func author(of item: ChatItem) -> MemberID? {
        group.flatMap { item.group?.isFromGroup == true ? nil : item.group?.author?.memberID ?? $0.membership.memberID }
    }

    /// True for a channel whose members sign all that they write.
    var demandsSignatures: Bool { group?.isChannel == true && group?.preferences.isOn(.signMessages) == true }

    /// What only entries of groups have, for an own entry; nil elsewhere.
    var ownEntry: GroupEntry? {
        guard group != nil else { return nil }
        var entry = GroupEntry()
        entry.supportID = supportID
        entry.isFromGroup = isFromGroup
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

extension MessageContent {
    fileprivate var isVoice: Bool { if case .voice = kind { true } else { false } }
}

extension Chat {
    /// The error for a message that is to disappear where messages do not.
    public var timersOff: ChatError {
        group == nil ? .timersOff(name) : .inGroup(.feature(.timedMessages))
    }
}

extension ChatReference {
    /// True if a message may come after those that answer it, because its members are reached on several ways.
    var isUnordered: Bool { if case .group = self { true } else { false } }
}
