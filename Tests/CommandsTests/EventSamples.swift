import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import SMPProtocol

@testable import ChatCore

/// At least one value of each event, and one of each kind of consequence that it has.
enum EventSamples {
    typealias Sample = (name: String, event: any ChatEvent)

    static let all: [Sample] = contacts + items + changes + calls + connections + relays + groups + files

    private static let contacts: [Sample] = [
        ("home", HomeChangedEvent(profile: profile(home: ContactID(3)))),
        ("connecting", ContactConnectingEvent(profile: owner, contact: ann)),
        ("can send", ContactSendReadyEvent(profile: owner, contact: ann)),
        ("connected", ContactConnectedEvent(profile: owner, contact: ann)),
        (
            "connected incognito",
            ContactConnectedEvent(profile: owner, contact: contact(connection: connection(isIncognito: true)))
        ),
        ("request", RequestReceivedEvent(profile: owner, request: request)),
        ("accepting", RequestAcceptingEvent(profile: owner, contact: ann)),
        ("request again", RequestRepeatedEvent(profile: owner, contact: ann)),
        ("left", ContactLeftEvent(profile: owner, contact: contact(status: .deleted))),
        ("post-quantum on", PostQuantumEvent(profile: owner, contact: ann, isOn: true)),
        ("post-quantum off", PostQuantumEvent(profile: owner, contact: ann, isOn: false)),
        ("new profile", ContactUpdatedEvent(profile: owner, former: ann, contact: contact(fullName: "Ann Lee"))),
        ("failed", ConnectionFailedEvent(profile: owner, connection: connection(), contact: ann, problem: .expired)),
        (
            "failed, nobody known",
            ConnectionFailedEvent(
                profile: owner, connection: connection(contact: nil), contact: nil, problem: .linkUsed)
        ),
    ]

    private static let items: [Sample] = [
        ("message", NewItemsEvent(profile: owner, items: [located(7, text: "hello\n\u{1b}[1mworld")])),
        (
            "messages and notices",
            NewItemsEvent(
                profile: owner, items: [located(7), located(8, .contactDeleted), located(9, direction: .sent)])
        ),
        (
            "problems",
            NewItemsEvent(
                profile: owner, items: zip(Int64(20)..., problems).map { located($0, $1, direction: direction(of: $1)) }
            )
        ),
        ("call", NewItemsEvent(profile: owner, items: [located(7, .call(call))])),
        ("quote", NewItemsEvent(profile: owner, items: [located(7, quote: quote)])),
        ("disappears", NewItemsEvent(profile: owner, items: [located(7, ttl: 60)])),
        (
            "note",
            NewItemsEvent(
                profile: owner,
                items: [
                    LocatedItem(
                        chat: .notes(notes),
                        item: item(
                            7, in: .notes(notes.id), direction: .sent, status: .sendReceived(isIntact: true)))
                ])
        ),
        ("hidden", NewItemsEvent(profile: profile(isHidden: true), items: [located(7)])),
        (
            "states",
            ItemsUpdatedEvent(
                profile: owner, items: zip(Int64(40)..., states).map { located($0, direction: .sent, status: $1) })
        ),
    ]

    private static let changes: [Sample] = [
        ("edited", ItemUpdatedEvent(profile: owner, item: located(7, text: "not\u{202e} this\tone"))),
        (
            "taken back",
            ItemsDeletedEvent(
                profile: owner, items: [DeletedItem(before: located(7), after: located(7, isDeleted: true))])
        ),
        (
            "removed",
            ItemsDeletedEvent(
                profile: owner,
                items: [DeletedItem(before: located(7), after: nil), DeletedItem(before: located(8), after: nil)])
        ),
        (
            "expired",
            ItemsDeletedEvent(profile: owner, items: [DeletedItem(before: located(7), after: nil, hasExpired: true)])
        ),
        ("nothing deleted", ItemsDeletedEvent(profile: owner, items: [])),
        (
            "reaction",
            ItemReactionEvent(
                profile: owner, item: located(7, reactions: [ItemReaction(direction: .received, reaction: heart)]),
                reaction: heart, isAdded: true, time: time)
        ),
        (
            "reaction withdrawn",
            ItemReactionEvent(
                profile: owner, item: located(7), reaction: laterReaction, isAdded: false, time: time)
        ),
    ]

    private static let calls: [Sample] = [
        ("ringing", CallInvitationEvent(profile: owner, call: located(7, .call(call)))),
        (
            "call offered",
            CallOfferedEvent(
                profile: owner, call: located(7, .call(call.becoming(.accepted, at: time)), direction: .sent),
                type: CallType(.audio, canEncrypt: false), session: session, sharedKey: "AAA=", asksConfirmation: true)
        ),
        ("call ended", CallEndedEvent(profile: owner, call: located(7, .call(call.becoming(.missed, at: time))))),
        (
            "call accepted",
            CallAcceptedEvent(profile: owner, call: located(7, .call(call.becoming(.accepted, at: time))))
        ),
        (
            "call answered",
            CallAnsweredEvent(
                profile: owner, call: located(7, .call(call.becoming(.progress, at: time))), session: session)
        ),
        (
            "candidates",
            CallCandidatesEvent(
                profile: owner, call: located(7, .call(call.becoming(.progress, at: time))), candidates: "c\n")
        ),
    ]

    private static let connections: [Sample] =
        moves + renewals + [
            ("disabled", ContactDisabledEvent(profile: owner, contact: contact(connection: connection(refusals: 10)))),
            (
                "active again",
                ConnectionInactiveEvent(
                    profile: owner, person: .contact(contact(connection: connection())), isInactive: false)
            ),
            (
                "unusable",
                MessageUnusableEvent(profile: owner, connection: connection(), reason: "a message could not be read")
            ),
            (
                "unusable, nobody known",
                MessageUnusableEvent(profile: owner, connection: nil, reason: "a request without a profile")
            ),
            ("copy", SubscriptionEndedEvent(profile: owner, contact: ann)),
            ("copy, nobody known", SubscriptionEndedEvent(profile: owner, contact: nil)),
            ("refused", SubscriptionRefusedEvent(profile: owner, contact: ann, problem: .authorization)),
            (
                "refused, nobody known",
                SubscriptionRefusedEvent(profile: owner, contact: nil, problem: .refused("INTERNAL"))
            ),
        ]

    private static let moves: [Sample] = directions.flatMap { direction in
        phases.map { phase -> Sample in
            let condition = phase == .started ? condition : nil
            return (
                "queue \(direction) \(phase)",
                QueueSwitchedEvent(
                    profile: owner, contact: ann, direction: direction, phase: phase, condition: condition)
            )
        }
    }

    private static let renewals: [Sample] = synchronizations.map { state in
        let contact = contact(connection: connection(synchronization: state))
        let condition = state == .required ? condition : nil
        return (
            "ratchet \(state)",
            RatchetSynchronizedEvent(profile: owner, contact: contact, state: state, condition: condition)
        )
    }

    private static let relays: [Sample] =
        [
            (
                "receiving",
                SubscriptionStatusEvent(
                    server: server, connections: [ConnectionID(4), ConnectionID(5)], isActive: true)
            ),
            ("not receiving", SubscriptionStatusEvent(server: server, connections: [ConnectionID(4)], isActive: false)),
            ("relay reached", HostConnectedEvent(server: server, isAgain: false)),
            ("relay reached again", HostConnectedEvent(server: server, isAgain: true)),
            ("suspended", ChatSuspendedEvent()),
        ]
        + problemsOfRelays.flatMap { problem -> [Sample] in
            [
                ("relay lost: \(problem)", HostDisconnectedEvent(server: server, problem: problem, isFirst: false)),
                (
                    "relay unreachable: \(problem)",
                    HostDisconnectedEvent(server: server, problem: problem, isFirst: true)
                ),
            ]
        }

    // MARK: - Parts

    static let time = Timestamp(milliseconds: 1_790_000_000_120)
    static let owner = profile()
    static let ann = contact()
    static let notes = NoteFolder(
        id: NoteFolderID(9), profileID: ProfileID(1), name: "notes", unreadCount: 1, createdAt: time, updatedAt: time,
        activeAt: time, retention: .limited(seconds: 60), expiry: 30)
    private static let server = ServerAddress(
        hosts: [.domain("relay.example.org"), .domain("relay.example.net")], port: 5224, fingerprint: Bytes(0..<32))
    private static let heart = reaction(["type": "emoji", "emoji": "❤"])
    private static let laterReaction = reaction(["type": "later", "more": 7])
    private static let session = CallSession(description: "v=0 \"d\"", candidates: "c1")
    static let directions: [QueueDirection] = [.receiving, .sending]
    static let phases: [SwitchPhase] = [.started, .confirmed, .secured, .completed, .aborted]
    static let synchronizations: [RatchetSynchronization] = [.ok, .allowed, .required, .started, .agreed]

    private static let problems: [ChatItem.Content] = [
        .integrity(.skipped(from: 3, to: 5)), .integrity(.badNumber(4)), .integrity(.badHash), .integrity(.duplicate),
        .undecryptable(.message), .undecryptable(.ratchet), .undecryptable(.malformed),
        .queueSwitch(.receiving, .started), .queueSwitch(.sending, .completed), .synchronization(.required),
        .securityCodeChanged, .queueRefused,
    ]

    /// The side that an entry is of: its own queue is what this side moves.
    private static func direction(of content: ChatItem.Content) -> ChatItem.Direction {
        if case .queueSwitch(.receiving, _) = content { .sent } else { .received }
    }

    private static let states: [ChatItem.Status] = [
        .sendNew, .sendWarning(.quota), .sendSent, .sendUnconfirmed, .sendReceived(isIntact: true),
        .sendReceived(isIntact: false), .sendErrorAuthorization, .sendError(.expired), .sendError(.other),
        .sendError(.host),
    ]

    private static let problemsOfRelays: [RelayProblem] = [
        .unknownHost, .unreachable("no route to host"), .timedOut, .closed, .wrongIdentity, .incompatible, .unexpected,
        .authorization, .blocked(reason: "content"), .full, .refused("LARGE_MSG"), .proxyRequired, .offline,
        .proxyFailed("it is not there"),
        .proxyLogin, .hostExcluded, .forwarderRequired, .forwarder(.timedOut), .forwarder(.authorization),
        .certificateExpired, .addressesRefused(until: nil),
    ]

    private static let call = CallRecord(.audio, .pending, id: SharedMessageID([1, 2, 3]), key: "dh")

    private static let quote = Quote(
        MessageReference(id: SharedMessageID([7]), sentAt: WireTime(time), isOwn: true),
        content: MessageContent("and you?"))

    static let condition = ConnectionCondition(
        agentVersion: 7, receiveServers: [server], sendServers: [server], synchronization: .ok, isSwitching: true,
        canAbortSwitch: true)

    private static let request = ReceivedRequest(
        id: RequestID(5), profileID: ProfileID(1), name: "eve_1",
        profile: Profile(displayName: "eve", shortDescription: "a friend"), versions: VersionRange(1, 16),
        link: "simplex:/contact", key: [9, 9], welcomeID: SharedMessageID([5]),
        message: ContactRequest.Message(id: SharedMessageID([4]), content: MessageContent("hi")), connectionID: nil,
        createdAt: time, updatedAt: time)

    private static func reaction(_ fields: JSONObject) -> Reaction {
        guard let reaction = try? Reaction(stored: fields) else { fatalError("no reaction: \(fields.line)") }
        return reaction
    }

    private static func profile(isHidden: Bool = false, home: ContactID? = nil) -> OwnProfile {
        OwnProfile(
            id: ProfileID(1), name: "me", profile: Profile(displayName: "me", fullName: "My Self"), isActive: true,
            sendsReceipts: true, isMuted: false, unreadCount: 2, createdAt: time, retention: 3600, isHidden: isHidden,
            home: home)
    }

    private static func contact(
        _ number: Int64 = 3, _ name: String = "ann lee's", fullName: String = "",
        connection: ContactConnection? = connection(), status: Contact.Status = .active
    ) -> Contact {
        Contact(
            id: ContactID(number), profileID: ProfileID(1), name: name,
            storedProfile: StoredProfile(text: Profile(displayName: "ann", fullName: fullName).json.line),
            status: status, connection: connection, sendsReceipts: false, unreadCount: 1, createdAt: time,
            updatedAt: time, activeAt: time, retention: .limited(seconds: 60), expiry: 30)
    }

    private static func connection(
        contact: ContactID? = ContactID(3), isIncognito: Bool = false, refusals: Int = 0,
        synchronization: RatchetSynchronization = .ok
    ) -> ContactConnection {
        let incognito = StoredProfile(text: Profile(displayName: "quiet otter").json.line)
        return ContactConnection(
            id: ConnectionID(4), profileID: ProfileID(1), contactID: contact, status: .ready, isInitiated: true,
            link: "simplex:/invitation", shortLink: "https://relay.example.org/i#a", requestedName: "ann",
            version: AgreedChatVersion(peer: VersionRange(1, 16)),
            quantumResistance: QuantumResistance(isWanted: true, protectsSent: true, protectsReceived: false),
            createdAt: time, updatedAt: time, authErrorCount: refusals, quotaErrorCount: 1, isRefused: false,
            movesOwnQueue: true, movesContactQueue: false, synchronization: synchronization,
            storedIncognito: isIncognito ? incognito : nil)
    }

    static func located(
        _ number: Int64, _ content: ChatItem.Content? = nil, text: String = "hello",
        direction: ChatItem.Direction = .received, status: ChatItem.Status? = nil, quote: Quote? = nil,
        isDeleted: Bool = false, reactions: [ItemReaction] = [], ttl: Int64? = nil
    ) -> LocatedItem {
        LocatedItem(
            chat: .direct(ann),
            item: item(
                number, content ?? .message(MessageContent(text)), direction: direction, status: status, quote: quote,
                isDeleted: isDeleted, reactions: reactions, ttl: ttl))
    }

    private static func item(
        _ number: Int64, _ content: ChatItem.Content = .message(MessageContent("milk")),
        in chat: ChatReference = .direct(ContactID(3)),
        direction: ChatItem.Direction, status: ChatItem.Status? = nil, quote: Quote? = nil, isDeleted: Bool = false,
        reactions: [ItemReaction] = [], ttl: Int64? = nil
    ) -> ChatItem {
        ChatItem(
            id: ChatItemID(number), chat: chat, direction: direction, content: content,
            status: status ?? (direction == .sent ? .sendSent : .receivedNew), sharedID: SharedMessageID([5, 6]),
            time: time, createdAt: time, quote: quote, isForwarded: number == 9, editedAt: number == 9 ? time : nil,
            deletedAt: isDeleted ? time : nil, reactions: reactions, ttl: ttl, expiresAt: ttl.map { _ in time })
    }
}
