import AgentProtocol
import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// An entry of a conversation: a message, or a notice about the conversation.
struct MessageReport: Report {
    let contact: Contact
    let item: ChatItem
    /// Whether the text of a message is shown that its author took back.
    var showsDeleted = false

    init(_ contact: Contact, _ item: ChatItem, showsDeleted: Bool = false) {
        self.showsDeleted = showsDeleted
        self.contact = contact
        self.item = item
    }

    init(_ located: LocatedItem) {
        self.init(located.contact, located.item)
    }

    static let forms = [form, form.renamed("notice", "Something that the conversation itself says")]

    static let directions = ["in", "out"]
    private static let form = ReportForm(
        "message", "A message that came or went",
        plain: ["id", "created_at", "chat", "direction", "state", "text"],
        [
            .always("id", .id, "The message"), .always("chat", .text, "The contact as it is typed"),
            .always("chat_id", .id, "The contact"), .always("direction", .word(directions), "Whether it came or went"),
            .always("created_at", .time, "When it was written here, or came to its relay"),
            .always("at", .time, "When it was written here, or came to its relay").kept(for: "created_at"),
            .always("kind", .word(kinds), "What it holds"), .always("text", .text, "Its text"),
            .always("state", .word(ChatItem.Status.words), "How far it has come"),
            .sometimes(
                "reason", .word(ChatItem.Status.reasons), "Why it failed or does not go on, or what is wrong with it"),
            .sometimes("edited_at", .time, "When its author changed it last"),
            .sometimes("deleted_at", .time, "When its author took it back"),
            .sometimes("forwarded", .flag, "Whether its sender passed it on, and did not write it"),
            .sometimes(
                "quote",
                .object([
                    .always("text", .text, "What that one said"),
                    .always("direction", .word(directions), "Whether that one came or went"),
                    .always("created_at", .time, "When that one was written"),
                    .always("at", .time, "When that one was written").kept(for: "created_at"),
                ]), "The message that it answers"),
            .sometimes(
                "reactions",
                .objects([
                    .always("reaction", .text, "An emoji, or a question mark for what this version does not know"),
                    .always("direction", .word(directions), "Whether it came or went"),
                ]), "What both sides gave it"),
            .sometimes("call_key", .text, "The key of who calls for the streams, as it came"),
        ] + MessageTimer.fields)
    private static let kinds =
        [
            "text", "link", "image", "video", "voice", "file", "report", "chat", "unknown", "messages-missing",
            "message-out-of-order", "message-changed", "message-repeated", "message-unreadable",
            "encryption-out-of-step", "contact-deleted", "queue-moved", "encryption-ok", "encryption-renewed",
            "security-code-changed", "queue-refused",
        ] + CallRecord.State.allCases.map { "call-\($0.rawValue)" }

    var json: JSONObject {
        var json = JSONObject(type: item.content.isMessage ? "message" : "notice")
        json.set("id", ObjectID.text(item.id))
        json.set("chat", contact.target)
        json.set("chat_id", contact.objectID)
        json.set("direction", item.direction == .received ? "in" : "out")
        json.set("created_at", item.time.description)
        json.set("at", item.time.description)
        json.set("kind", item.content.kind)
        json.set("call_key", item.content.call?.key)
        json.set("text", item.content.plainText)
        json.set("state", item.status.word)
        json.set("reason", item.status.reason)
        json.set("edited_at", item.editedAt?.description)
        json.set("deleted_at", item.deletedAt?.description)
        if item.isForwarded { json.set("forwarded", true) }
        MessageTimer.set(&json, item)
        json["quote"] = item.quote.map { .object(quoteFields($0)) }
        if !item.reactions.isEmpty {
            json["reactions"] = .array(item.reactions.map { .object(MessageReport.fields($0)) })
        }
        return json
    }

    private func quoteFields(_ quote: Quote) -> JSONObject {
        // The one who quotes says whether the quoted message was its own.
        let isOut = quote.reference.isOwn == (item.direction == .sent)
        var fields = JSONObject()
        fields.set("text", quote.content.text)
        fields.set("direction", isOut ? "out" : "in")
        let time = quote.reference.sentAt.timestamp.description
        fields.set("created_at", time)
        fields.set("at", time)
        return fields
    }

    private static func fields(_ entry: ItemReaction) -> JSONObject {
        var fields = JSONObject()
        fields.set("reaction", entry.reaction.text)
        fields.set("direction", entry.direction == .received ? "in" : "out")
        return fields
    }

    /// What happened to it, in words for people.
    private var marks: [String] {
        [
            item.content.attachment, item.deletedAt == nil ? nil : "deleted", item.editedAt == nil ? nil : "edited",
            item.isForwarded ? "forwarded" : nil, item.ttl == nil ? nil : "disappears",
        ].compactMap(\.self)
    }

    /// The time and who speaks, and the text behind a margin.
    func lines(_ style: ReportStyle) -> [StyledText] {
        var head = style.time(item.time) + "  "
        let preposition = item.direction == .received || contact.isNotes ? "" : "to "
        head += StyledText("\(preposition)\(contact.target)", item.direction == .received ? .name : .own)
        if item.status.needsAttention { head += StyledText(" (\(item.status.word))", .warning) }
        for mark in marks { head += StyledText(" (\(mark))", .muted) }
        guard item.content.isMessage else {
            let advice = advice.map { [StyledText("  try: \($0)", .hint)] } ?? []
            return [head + "  " + StyledText(item.content.plainText, .warning)] + advice
        }
        let rows = rows(style.width.map { max($0 - head.width - 2, 16) })
        guard !rows.isEmpty else { return [head] }
        let space = StyledText(String(repeating: " ", count: head.width))
        return rows.enumerated().map { index, row in (index == 0 ? head : space) + "  " + row }
    }

    /// What helps against what a notice says, as long as nothing has.
    private var advice: String? {
        switch item.content {
        case .synchronization(.allowed), .synchronization(.required): contact.advice(.outOfStep)
        case .securityCodeChanged: contact.advice(.codeChanged)
        default: nil
        }
    }

    /// What was said, with what it answers above and the reactions below.
    private func rows(_ width: Int?) -> [StyledText] {
        var rows: [StyledText] = []
        if let quote = item.quote {
            let text = UntrustedText(quote.content.text).singleLine
            rows.append(StyledText("> \(text.prefix((width ?? 80) - 2))", .muted))
        }
        // What was taken back is there for those who ask for it: as JSON, or with message show.
        if item.deletedAt == nil || showsDeleted { rows += UntrustedText(item.content.plainText).body(width: width) }
        if !item.reactions.isEmpty {
            rows.append(StyledText(item.reactions.map(\.reaction.text).joined(separator: " ")))
        }
        return rows
    }
}

extension ChatItem.Content {
    /// What it is, in a word for programs.
    fileprivate var kind: String {
        switch self {
        case .message(let content): content.kind.word
        case .integrity(.skipped): "messages-missing"
        case .integrity(.badNumber): "message-out-of-order"
        case .integrity(.badHash): "message-changed"
        case .integrity(.duplicate): "message-repeated"
        case .undecryptable(.message), .undecryptable(.malformed): "message-unreadable"
        case .undecryptable(.ratchet): "encryption-out-of-step"
        case .contactDeleted: "contact-deleted"
        case .queueSwitch: "queue-moved"
        case .synchronization(.ok): "encryption-ok"
        case .synchronization(.allowed), .synchronization(.required): "encryption-out-of-step"
        case .synchronization(.started), .synchronization(.agreed): "encryption-renewed"
        case .securityCodeChanged: "security-code-changed"
        case .queueRefused: "queue-refused"
        case .call(let record): "call-\(record.state.rawValue)"
        }
    }
}

extension MessageContent.Kind {
    fileprivate var word: String {
        switch self {
        case .text: "text"
        case .link: "link"
        case .image: "image"
        case .video: "video"
        case .voice: "voice"
        case .file: "file"
        case .report: "report"
        case .chat: "chat"
        case .unknown: "unknown"
        }
    }
}

extension ChatItem.Status {
    /// Every word for how far a message may have come.
    static let words = ["queued", "sent", "delivered", "failed", "received", "read"]
    /// Every word for why it may have failed.
    static let reasons = ["refused", "altered", "unconfirmed"] + ChatItem.SendProblem.allCases.map(\.rawValue)

    /// How far a message has come, in a word for programs.
    var word: String {
        switch self {
        case .sendNew, .sendWarning: "queued"
        case .sendSent, .sendUnconfirmed: "sent"
        case .sendReceived: "delivered"
        case .sendErrorAuthorization, .sendError: "failed"
        case .receivedNew: "received"
        case .receivedRead: "read"
        }
    }

    /// Why it failed, or does not go on.
    var reason: String? {
        switch self {
        case .sendErrorAuthorization: "refused"
        case .sendError(let problem), .sendWarning(let problem): problem.rawValue
        case .sendReceived(isIntact: false): "altered"
        case .sendUnconfirmed: "unconfirmed"
        case .sendNew, .sendSent, .sendReceived, .receivedNew, .receivedRead: nil
        }
    }

    /// What holds it up, as the end of a sentence.
    var warning: String? {
        switch self {
        case .sendWarning(.quota): "the contact has to read first: its queue is full"
        case .sendWarning(.host): "the contact's relay has no address"
        case .sendWarning(.version): "the contact's relay speaks another version"
        case .sendUnconfirmed: "the contact confirmed later messages, but not this one"
        default: nil
        }
    }

    /// Whether a person should see the state of a message.
    var needsAttention: Bool {
        switch self {
        case .sendNew, .sendWarning, .sendErrorAuthorization, .sendError, .sendReceived(isIntact: false),
            .sendUnconfirmed:
            true
        case .sendSent, .sendReceived, .receivedNew, .receivedRead: false
        }
    }
}
