public import ChatProtocol
public import SMPProtocol

/// Something that happened besides messages, as the report `event` has it: a word for scripts, a sentence for people, and what it is
/// about.
public struct EventNotice: Hashable, Sendable {
    /// The word for it, such as `contact.connected`.
    public let slug: String
    /// Nil if it is about no chat that is known.
    public let chat: Chat?
    /// What happened, behind the name of whom it is about.
    public let sentence: EventText
    /// The member of a group that it is about, or that caused it.
    public private(set) var member: GroupMember?
    /// Who wants to be a contact.
    public private(set) var request: ReceivedRequest?
    /// The invitation, or the attempt to join.
    public private(set) var connection: ContactConnection?
    /// The message that it is about.
    public private(set) var item: ChatItem?
    /// What a changed message says now.
    public private(set) var changedText: String?
    public private(set) var reaction: Reaction?
    public private(set) var streams: CallStreams?
    /// The relay that it is about.
    public private(set) var server: ServerAddress?
    /// Why the relay is unreachable.
    public private(set) var problem: RelayProblem?
    /// True if the contact can be read again once the encryption was agreed on again.
    public private(set) var isOutOfStep = false
    /// True if an entry of the conversation says the same, which is what people see.
    public private(set) var isInChat = false

    /// How streams of a call are reached, as the other side's program says it.
    public struct CallStreams: Hashable, Sendable {
        /// Nil for further ways to reach streams that are known.
        public let description: String?
        public let candidates: String
    }

    init(
        _ slug: String, _ chat: Chat?, _ sentence: EventText, connection: ContactConnection? = nil,
        isOutOfStep: Bool = false
    ) {
        self.slug = slug
        self.chat = chat
        self.sentence = sentence
        self.connection = connection
        self.isOutOfStep = isOutOfStep
    }

    init(
        _ slug: String, _ contact: Contact?, _ sentence: EventText, connection: ContactConnection? = nil,
        isOutOfStep: Bool = false
    ) {
        let chat = contact.map { Chat.direct($0) }
        self.init(slug, chat, sentence, connection: connection, isOutOfStep: isOutOfStep)
    }

    /// A notice of which an entry of the conversation says the same.
    static func inChat(_ slug: String, _ group: Group, _ member: GroupMember?, _ sentence: EventText) -> EventNotice {
        var notice = EventNotice(slug, group, member, sentence)
        notice.isInChat = true
        return notice
    }

    init(_ slug: String, _ group: Group, _ member: GroupMember?, _ sentence: EventText) {
        self.init(slug, Chat.group(group), sentence)
        self.member = member
    }

    init(_ slug: String, _ server: ServerAddress, _ problem: RelayProblem?, _ sentence: EventText) {
        self.init(slug, Chat?.none, sentence)
        self.server = server
        self.problem = problem
    }

    init(_ slug: String, _ request: ReceivedRequest, _ sentence: EventText) {
        self.init(slug, Chat?.none, sentence)
        self.request = request
    }

    init(
        _ slug: String, _ located: LocatedItem, by member: GroupMember? = nil, _ sentence: EventText,
        changedText: String? = nil, reaction: Reaction? = nil, streams: CallStreams? = nil
    ) {
        self.init(slug, located.chat, sentence)
        item = located.item
        self.member = member
        self.changedText = changedText
        self.reaction = reaction
        self.streams = streams
    }
}
