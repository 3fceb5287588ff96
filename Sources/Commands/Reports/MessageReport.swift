import AgentProtocol
import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// An entry of a conversation: a message, or a notice about the conversation.
struct MessageReport: Report {
    let chat: Chat
    let item: ChatItem
    /// Whether the text of a message is shown that its author took back.
    var showsDeleted = false

    init(_ chat: Chat, _ item: ChatItem, showsDeleted: Bool = false) {
        self.showsDeleted = showsDeleted
        self.chat = chat
        self.item = item
    }

    init(_ located: LocatedItem) {
        self.init(located.chat, located.item)
    }

    static let forms = [form, form.renamed("notice", "A notice about the conversation itself")]

    static let directions = ["in", "out"]
    private static let form = ReportForm(
        "message", "A received or sent message",
        plain: ["id", "created_at", "chat", "direction", "state", "text"],
        [
            .always("id", .id, "Id of the message"),
            .always("chat", .text, "Contact, in the form that commands accept"),
            .always("chat_id", .id, "Id of the contact"),
            .always("direction", .word(directions), "Direction: in for received, out for sent"),
            .always("created_at", .time, "Time when the message was written here, or accepted by its relay"),
            .always("at", .time, "Time when the message was written here, or accepted by its relay").kept(
                for: "created_at"),
            .always("kind", .word(kinds), "Kind of content"), .always("text", .text, "Text of the message"),
            .always("state", .word(ChatItem.Status.words), "Delivery state"),
            .sometimes(
                "reason", .word(ChatItem.Status.reasons), "Reason for a failure, a delay or a warning"),
            .sometimes("edited_at", .time, "Time of the last edit by the author"),
            .sometimes("deleted_at", .time, "Time of the deletion by the author"),
            .sometimes("forwarded", .flag, "True if the message was forwarded"),
            .sometimes(
                "quote",
                .object([
                    .always("text", .text, "Text of the quoted message"),
                    .always("direction", .word(directions), "Direction of the quoted message"),
                    .always("created_at", .time, "Time of the quoted message"),
                    .always("at", .time, "Time of the quoted message").kept(for: "created_at"),
                ]), "Quoted message"),
            .sometimes(
                "reactions",
                .objects([
                    .always("reaction", .text, "Emoji; a question mark for an unknown reaction"),
                    .always("direction", .word(directions), "Direction: in for received, out for sent"),
                ]), "Reactions of both sides"),
            .sometimes("call_key", .text, "Caller's key for the media streams, unchanged"),
        ] + MessageTimer.fields)
    private static let kinds =
        [
            "text", "link", "image", "video", "voice", "file", "report", "chat", "unknown", "messages-missing",
            "message-out-of-order", "message-changed", "message-repeated", "message-unreadable",
            "encryption-out-of-step", "contact-deleted", "queue-moved", "encryption-ok", "encryption-renewed",
            "security-code-changed", "queue-refused",
        ] + CallRecord.State.allCases.filter { $0 != .negotiated }.map { "call-\($0.rawValue)" }

    var json: JSONObject {
        var json = JSONObject(type: item.content.isMessage ? "message" : "notice")
        json.set("id", ObjectID.text(item.id))
        json.set("chat", chat.target)
        json.set("chat_id", chat.objectID)
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
        let preposition = item.direction == .received || chat.isNotes ? "" : "to "
        head += StyledText("\(preposition)\(chat.target)", item.direction == .received ? .name : .own)
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
        case .synchronization(.allowed), .synchronization(.required): chat.contact?.advice(.outOfStep)
        case .securityCodeChanged: chat.contact?.advice(.codeChanged)
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
        // Without a program with sound nobody says when people speak.
        case .call(let record): "call-\((record.state == .negotiated ? .progress : record.state).rawValue)"
        // Nobody sees these.
        case .profileUpdated, .feature, .preference, .encryption, .banner: "unknown"
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
        case .sendWarning(.quota): "the contact's queue is full until the contact fetches"
        case .sendWarning(.host): "the address of the contact's relay does not resolve"
        case .sendWarning(.version): "the contact's relay uses an incompatible version"
        case .sendUnconfirmed: "the contact confirmed later messages but not this one"
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
