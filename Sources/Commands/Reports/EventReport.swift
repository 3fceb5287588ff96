import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// Something that happened besides messages.
struct EventReport: Report {
    private let name: String
    let contact: Contact?
    private let request: ReceivedRequest?
    private let connection: ContactConnection?
    /// What happened, without whom it is about.
    let sentence: String
    /// The message that it is about.
    private var item: ChatItem?
    private var reaction: Reaction?
    /// How streams of a call are reached, as the other side's program says it.
    private var streams: JSONObject?

    static let forms = [
        ReportForm(
            "event", "Something that happened besides messages",
            [
                .always("event", .word(names), "What it is"),
                .sometimes("chat", .text, "The contact as it is typed"), .sometimes("chat_id", .id, "The contact"),
                .sometimes("connection", .id, "The invitation, or the attempt to join"),
                .sometimes("request", .id, "The request"),
                .sometimes("name", .text, "What the one who asks calls itself"),
                .sometimes("message", .id, "The message that was changed, removed or reacted to"),
                .sometimes("text", .text, "What a changed message says now"),
                .sometimes("reaction", .text, "An emoji, or a question mark for what this version does not know"),
                .sometimes(
                    "session",
                    .object([
                        .sometimes("description", .text, "Its streams: rtcSession of the protocol"),
                        .always("candidates", .text, "How they are reached: rtcIceCandidates of the protocol"),
                    ]), "What the program of who calls needs to be told, as it came"),
            ])
    ]

    private static let names =
        [
            "contact.connecting", "contact.connected", "contact.post-quantum-on", "contact.post-quantum-off",
            "contact.updated", "request.received", "request.accepting", "request.repeated",
            "contact.subscription-ended", "contact.subscription-refused", "connection.failed", "contact.disabled",
            "message.unusable", "message.edited", "message.deleted", "message.expired", "reaction.added",
            "reaction.removed", "call.waiting", "call.accepted", "call.answered", "call.candidates", "call.ended",
        ] + phases.map { "queue.\($0)" } + phases.map { "contact.queue-\($0)" }
        + ["ok", "allowed", "required", "started", "agreed"].map { "encryption.\($0)" }
    private static let phases = ["started", "confirmed", "secured", "completed", "aborted"]

    /// Nil for what no person waits for, and for messages.
    init?(_ event: ChatEvent) {
        switch event {
        case .contactConnecting(_, let contact): self.init("contact.connecting", contact, "is connecting")
        case .contactConnected(_, let contact): self.init("contact.connected", contact, "is connected")
        case .contactPostQuantum(_, let contact, let isOn):
            self.init(
                isOn ? "contact.post-quantum-on" : "contact.post-quantum-off", contact,
                isOn ? "is quantum-resistant from now on" : "is no longer quantum-resistant")
        case .contactUpdated(_, _, let contact): self.init("contact.updated", contact, "has a new profile")
        case .requestReceived(_, let request): self.init("request.received", request)
        case .acceptingRequest(_, let contact): self.init("request.accepting", contact, "asked and is being accepted")
        case .requestAlreadyAccepted(_, let contact):
            self.init("request.repeated", contact, "asked again and is a contact already")
        case .subscriptionEnded(_, let contact):
            self.init("contact.subscription-ended", contact, "is being received by a copy of this store")
        case .subscriptionRefused(_, let contact, _):
            self.init("contact.subscription-refused", contact, "cannot be received: the relay refused")
        case .connectionFailed(_, let connection, let contact, _):
            self.init("connection.failed", contact, "could not be connected", connection)
        case .queueSwitched(_, let contact, .receiving, let phase, _):
            self.init("queue.\(phase.word)", contact, "your queue is being moved: \(phase.word)")
        case .queueSwitched(_, let contact, .sending, let phase, _):
            self.init("contact.queue-\(phase.word)", contact, "moves its queue: \(phase.word)")
        case .ratchetSynchronized(_, let contact, let state, _):
            self.init("encryption.\(state.word)", contact, state.sentence)
        case .connectionDisabled(_, let contact):
            self.init("contact.disabled", contact, "cannot be reached any more: the relay refused too often")
        case .messageError(_, let connection, let reason):
            self.init("message.unusable", nil, reason, connection)
        case .itemUpdated(_, let located):
            let text = UntrustedText(located.item.content.plainText).singleLine
            self.init("message.edited", located, "changed \(ObjectID.text(located.item.id)): \(text)")
        case .itemsDeleted(_, let deleted):
            guard let first = deleted.first else { return nil }
            let id = ObjectID.text(first.before.item.id)
            self.init(
                first.hasExpired ? "message.expired" : "message.deleted", first.before,
                first.hasExpired ? "the time of \(id) is over: it is removed" : "took back \(id)")
        case .itemReaction(_, let located, let reaction, let isAdded):
            let id = ObjectID.text(located.item.id)
            self.init(
                isAdded ? "reaction.added" : "reaction.removed", located,
                isAdded ? "gave \(id) \(reaction.text)" : "took \(reaction.text) from \(id)")
            self.reaction = reaction
        case .callInvitation(_, let located):
            self.init("call.waiting", located, "calls; tacit call reject \(located.contact.target)")
        case .callAccepted(_, let located): self.init("call.accepted", located, "is told that the call was taken up")
        case .callAnswered(_, let located, let session):
            self.init("call.answered", located, "has answered: the call begins")
            streams = ["description": .string(session.description), "candidates": .string(session.candidates)]
        case .callCandidates(_, let located, let candidates):
            self.init("call.candidates", located, "can be reached in further ways")
            streams = ["candidates": .string(candidates)]
        case .callEnded(_, let located): self.init("call.ended", located, "does not call any more")
        // What the contact has done stands in the conversation as a notice.
        case .homeChanged, .contactDeletedByContact, .newItems, .itemsUpdated, .hostConnected, .hostDisconnected,
            .subscriptionStatus:
            return nil
        }
    }

    private init(_ name: String, _ located: LocatedItem, _ sentence: String) {
        self.init(name, located.contact, sentence)
        item = located.item
    }

    private init(_ name: String, _ request: ReceivedRequest) {
        self.name = name
        self.request = request
        contact = nil
        connection = nil
        sentence = "wants to be a contact; tacit accept, or tacit reject"
    }

    private init(
        _ name: String, _ contact: Contact?, _ sentence: String, _ connection: ContactConnection? = nil
    ) {
        self.name = name
        self.contact = contact
        request = nil
        self.sentence = sentence
        self.connection = connection
    }

    var json: JSONObject {
        var json = JSONObject(type: "event")
        json.set("event", name)
        json.set("chat", contact?.target)
        json.set("chat_id", contact?.objectID)
        json.set("connection", connection.map { ObjectID.text($0.id) })
        json.set("request", request.map { ObjectID.text($0.id) })
        json.set("name", request?.name)
        json.set("message", item.map { ObjectID.text($0.id) })
        if name == "message.edited" { json.set("text", item?.content.plainText) }
        json.set("reaction", reaction?.text)
        if let streams { json["session"] = .object(streams) }
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [sentenceWithSubject] + (advice.map { [StyledText("  try: \($0)", .hint)] } ?? [])
    }

    /// All of it in words for people.
    var sentenceWithSubject: StyledText {
        StyledText(subject, connection == nil || contact != nil ? .name : .plain) + StyledText(" \(sentence)")
    }

    /// The command line that helps, where no notice of the conversation has it.
    var advice: String? {
        name == "encryption.\(RatchetSynchronization.allowed.word)" ? contact?.advice(.outOfStep) : nil
    }

    /// Whom or what it is about, as it is typed; empty if that is not known.
    var subject: String { contact?.target ?? request?.target ?? connection.map { ObjectID.text($0.id) } ?? "" }
}

extension RatchetSynchronization {
    /// The end of a sentence that begins with the contact.
    fileprivate var sentence: String {
        switch self {
        case .ok: "can be read again"
        case .allowed: "sent something that could not be decrypted"
        case .required: "cannot be read any more: the encryption has to be agreed on anew"
        case .started: "was asked for a new encryption"
        case .agreed: "has a new encryption, and a new security code"
        }
    }
}
