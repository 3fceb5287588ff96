public import ByteCoding
public import JSONCoding

/// Something that happened by itself.
///
/// An event is one declaration: its JSON, the profile and the chat that it belongs to, the hooks that it calls, its sentence, its line in
/// a log and what a session does about it. Everything else reads these. A new one stands in a file beside this one and in
/// ``ChatEvents/all``.
public protocol ChatEvent: Hashable, Sendable {
    /// The word for it in JSON: that of the API, or one of its own for what only this program has.
    static var type: String { get }

    /// The words that its ``notice`` may have.
    static var slugs: [String] { get }

    /// The fields besides the type. They hold the whole event.
    var fields: JSONObject { get }

    /// Reads ``fields``.
    static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self

    /// The profile that it belongs to; nil for what is about relays.
    var owner: OwnProfile? { get }

    /// The chat that it belongs to; nil if it belongs to none.
    var chat: Chat? { get }

    /// The hooks that are told of it, in their order.
    var hooks: [HookTrigger] { get }

    /// The report for people and scripts; nil for messages, which have reports of their own, and for what no person waits for.
    var notice: EventNotice? { get }

    /// What happened, for a log.
    var trace: EventText { get }

    /// What a session does about it; nil for nothing. By default it prints the notice.
    var effect: SessionEffect? { get }
}

extension ChatEvent {
    public static var slugs: [String] { [] }
    public var chat: Chat? { nil }
    public var hooks: [HookTrigger] { [] }
    public var notice: EventNotice? { nil }
    public var effect: SessionEffect? { notice.map { $0.isInChat ? .listsChanged : .notice($0) } }

    /// The event as the API has it.
    public var json: JSONObject {
        let tag: JSONObject = ["type": .string(Self.type)]
        return tag.merging(fields)
    }
}

/// An event of one profile.
public protocol ProfileEvent: ChatEvent {
    var profile: OwnProfile { get }
}

extension ProfileEvent {
    public var owner: OwnProfile? { profile }
}

/// An event of one contact, of which nothing else needs to be said.
public protocol ContactEvent: ProfileEvent {
    var contact: Contact { get }
}

extension ContactEvent {
    public var chat: Chat? { .direct(contact) }
    public var fields: JSONObject { ["user": profile.json, "contact": contact.json] }
}

/// All events, and what reads their JSON.
public enum ChatEvents {
    /// Each event, in the order in which the manual lists their words.
    public static let all: [any ChatEvent.Type] = [
        ContactConnectingEvent.self, ContactSendReadyEvent.self, ContactConnectedEvent.self, PostQuantumEvent.self,
        ContactUpdatedEvent.self,
        RequestReceivedEvent.self, RequestAcceptingEvent.self, RequestRepeatedEvent.self, ContactLeftEvent.self,
        SubscriptionEndedEvent.self, SubscriptionRefusedEvent.self, ConnectionFailedEvent.self,
        ContactDisabledEvent.self, ConnectionInactiveEvent.self,
        MessageUnusableEvent.self, NewItemsEvent.self, ItemsUpdatedEvent.self, ItemUpdatedEvent.self,
        ItemsDeletedEvent.self, GroupItemsDeletedEvent.self, ItemReactionEvent.self, CallInvitationEvent.self,
        CallOfferedEvent.self,
        CallAcceptedEvent.self,
        CallAnsweredEvent.self, CallCandidatesEvent.self, CallEndedEvent.self, QueueSwitchedEvent.self,
        RatchetSynchronizedEvent.self, MemberQueueSwitchedEvent.self, MemberSynchronizedEvent.self,
        HomeChangedEvent.self, SubscriptionStatusEvent.self, HostConnectedEvent.self,
        HostDisconnectedEvent.self, ChatSuspendedEvent.self,
        GroupInvitationEvent.self, GroupConnectingEvent.self, JoinedGroupEvent.self, AcceptingMemberEvent.self,
        AcceptingCustomerEvent.self, MemberJoinedEvent.self, MemberConnectingEvent.self, ConnectedToMemberEvent.self,
        MemberAcceptedEvent.self, MemberRoleEvent.self, MemberBlockedEvent.self, MemberRemovedEvent.self,
        UserRemovedEvent.self, MemberLeftEvent.self, GroupDeletedEvent.self, GroupUpdatedEvent.self,
        MemberUpdatedEvent.self, ContactInvitationEvent.self, CustomerRepeatedEvent.self,
        BusinessConnectingEvent.self, MemberRecognizedEvent.self, ContactsMergedEvent.self,
        ChannelRelayEvent.self, ChannelLinkEvent.self,
        FileDescriptionEvent.self, FileStartedEvent.self, FileReceivingEvent.self, FileReceivedEvent.self,
        FileWithdrawnEvent.self, FileReceivingFailedEvent.self, FileReceivingDelayedEvent.self,
        FileNotApprovedEvent.self, LinkedFileReceivedEvent.self, FileSendingEvent.self, FileSentEvent.self,
        FileSendingFailedEvent.self, FileSendingDelayedEvent.self, FileRedirectStartedEvent.self,
        LinkedFileSentEvent.self,
    ]

    private static let types: [String: any ChatEvent.Type] = Dictionary(
        all.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })

    /// An event of another process.
    public enum Decoded: Sendable {
        case known(any ChatEvent)
        /// An event that this version does not know, by its type.
        case unknown(String)
    }

    /// Reads ``ChatEvent/json``.
    ///
    /// - Throws: `DecodeError` if there is no type, or if an event of a known type is not what it should be.
    public static func decode(_ json: JSONObject) throws(DecodeError) -> Decoded {
        var fields = JSONFields(json)
        let name = try fields.text("type")
        guard let type = types[name] else { return .unknown(name) }
        return .known(try type.decode(&fields))
    }
}
