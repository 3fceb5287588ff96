import AgentProtocol
import ChatProtocol

// The reports of events in groups. Where an entry of the conversation says the same, people see that alone.

extension GroupInvitationEvent {
    public static let slugs = ["group.invited"]

    public var hooks: [HookTrigger] { [HookTrigger(.onRequest)] }
    public var notice: EventNotice? {
        EventNotice(
            "group.invited", group, nil,
            "is a group to which \(contact) invited you; tacit group join, or tacit group reject")
    }
}

extension JoinedGroupEvent {
    public static let slugs = ["group.joined", "group.pending"]

    public var hooks: [HookTrigger] { group.membership.status.isPending ? [] : [HookTrigger(.onConnected)] }
    public var notice: EventNotice? {
        group.membership.status.isPending
            ? EventNotice("group.pending", group, host, "admits you when a moderator has accepted you")
            : EventNotice("group.joined", group, host, "has you as a member now")
    }
}

extension GroupConnectingEvent {
    public static let slugs = ["group.joining"]

    public var notice: EventNotice? { EventNotice("group.joining", group, host, "is connecting") }
}

extension MemberJoinedEvent {
    public static let slugs = ["member.joined"]

    public var hooks: [HookTrigger] { [HookTrigger(.onConnected)] }
    public var notice: EventNotice? { .inChat("member.joined", group, member, "\(untrusted: member.mark) joined") }
}

extension AcceptingMemberEvent {
    public static let slugs = ["member.request"]

    public var notice: EventNotice? {
        EventNotice("member.request", group, member, "\(untrusted: member.mark) is joining through the link")
    }
}

extension AcceptingCustomerEvent {
    public static let slugs = ["group.customer"]

    public var notice: EventNotice? { EventNotice("group.customer", group, nil, "is a new chat with a customer") }
}

extension CustomerRepeatedEvent {
    public static let slugs = ["customer.repeated"]

    public var notice: EventNotice? {
        EventNotice("customer.repeated", group, nil, "is the chat of a customer that sent its request again")
    }
}

extension BusinessConnectingEvent {
    public static let slugs = ["business.joining"]

    public var notice: EventNotice? { EventNotice("business.joining", group, host, "is connecting") }
}

extension MemberRecognizedEvent {
    public static let slugs = ["member.recognized"]

    public var notice: EventNotice? {
        .inChat("member.recognized", group, member, "\(untrusted: member.mark) is your contact")
    }
}

extension MemberConnectingEvent {
    public static let slugs = ["member.connecting"]

    public var notice: EventNotice? {
        .inChat("member.connecting", group, member, "\(untrusted: member.mark) is joining")
    }
}

extension ConnectedToMemberEvent {
    public static let slugs = ["member.connected"]

    public var notice: EventNotice? {
        .inChat("member.connected", group, member, "\(untrusted: member.mark) is connected")
    }
}

extension MemberAcceptedEvent {
    public static let slugs = ["member.accepted"]

    public var notice: EventNotice? {
        .inChat(
            "member.accepted", group, member, "\(untrusted: acceptedBy.mark) admitted \(untrusted: member.mark)")
    }
}

extension MemberRoleEvent {
    public static let slugs = ["member.role"]

    public var notice: EventNotice? {
        let whom = member.isUser ? "you" : member.mark
        return .inChat(
            "member.role", group, member,
            "\(untrusted: byMember.mark) gave \(untrusted: whom) the role \(untrusted: role.rawValue)")
    }
}

extension MemberBlockedEvent {
    public static let slugs = ["member.blocked", "member.unblocked"]

    public var notice: EventNotice? {
        isBlocked
            ? .inChat(
                "member.blocked", group, member,
                "\(untrusted: byMember.mark) blocked \(untrusted: member.mark) for all members")
            : .inChat(
                "member.unblocked", group, member,
                "\(untrusted: byMember.mark) unblocked \(untrusted: member.mark) for all members")
    }
}

extension MemberRemovedEvent {
    public static let slugs = ["member.removed"]

    public var notice: EventNotice? {
        .inChat("member.removed", group, member, "\(untrusted: byMember.mark) removed \(untrusted: member.mark)")
    }
}

extension UserRemovedEvent {
    public static let slugs = ["group.removed"]

    public var hooks: [HookTrigger] { [HookTrigger(.onError)] }
    public var notice: EventNotice? {
        .inChat("group.removed", group, member, "\(untrusted: member.mark) removed you")
    }
}

extension MemberLeftEvent {
    public static let slugs = ["member.left"]

    public var notice: EventNotice? { .inChat("member.left", group, member, "\(untrusted: member.mark) left") }
}

extension GroupDeletedEvent {
    public static let slugs = ["group.deleted"]

    public var notice: EventNotice? {
        .inChat("group.deleted", group, member, "\(untrusted: member.mark) deleted the group")
    }
}

extension GroupUpdatedEvent {
    public static let slugs = ["group.updated"]

    public var notice: EventNotice? {
        guard let member else { return .inChat("group.updated", group, nil, "has a new profile") }
        return .inChat("group.updated", group, member, "\(untrusted: member.mark) changed the profile of the group")
    }
}

extension ContactInvitationEvent {
    public static let slugs = ["contact.invited"]

    public var hooks: [HookTrigger] { contact.invitesUser ? [HookTrigger(.onRequest)] : [] }
    public var notice: EventNotice? {
        EventNotice(
            "contact.invited", .direct(contact),
            "is a member of \(Chat.group(group)) who invites you to a direct chat; tacit accept")
    }
}

extension MemberQueueSwitchedEvent {
    public static let slugs =
        SwitchPhase.allCases.map { "queue.\($0.word)" } + SwitchPhase.allCases.map { "member.queue-\($0.word)" }

    public var notice: EventNotice? {
        switch (direction, phase) {
        case (.receiving, _):
            EventNotice(
                "queue.\(phase.word)", group, member,
                "\(untrusted: member.mark) is moving to your new queue: \(word: phase.word)")
        case (.sending, .confirmed), (.sending, .secured):
            EventNotice(
                "member.queue-\(phase.word)", group, member,
                "\(untrusted: member.mark) rotates its queue: \(word: phase.word)")
        case (.sending, _):
            .inChat(
                "member.queue-\(phase.word)", group, member,
                "\(untrusted: member.mark) rotates its queue: \(word: phase.word)")
        }
    }
}

extension MemberSynchronizedEvent {
    public static let slugs = RatchetSynchronization.allCases.map { "member.encryption-\($0.word)" }

    public var hooks: [HookTrigger] { state == .required ? [HookTrigger(.onError)] : [] }
    public var notice: EventNotice? {
        let sentence: EventText =
            switch state {
            case .ok: "\(untrusted: member.mark) is in sync again: messages can be decrypted"
            case .allowed: "\(untrusted: member.mark) sent a message that could not be decrypted"
            case .required: "\(untrusted: member.mark) is out of sync: the encryption must be renegotiated"
            case .started: "\(untrusted: member.mark) was asked to renegotiate the encryption"
            case .agreed: "\(untrusted: member.mark) renegotiated the encryption; the security code changed"
            }
        let slug = "member.encryption-\(state.word)"
        return state == .started
            ? EventNotice(slug, group, member, sentence) : .inChat(slug, group, member, sentence)
    }
}

extension GroupMember {
    /// What people type for it.
    fileprivate var mark: String { "@\(name)" }
}
