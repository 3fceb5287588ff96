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
    /// The width of the column with the id; nil if it is not shown.
    var idWidth: Int?
    /// The delivery state of an own message of a group at each member, where it was asked for.
    var deliveries: [Delivery] = []

    /// The delivery state of a message at one member.
    struct Delivery: Sendable {
        let member: GroupMember
        let group: Group
        let state: MemberDelivery

        init(_ member: GroupMember, in group: Group, _ state: MemberDelivery) {
            (self.member, self.group, self.state) = (member, group, state)
        }
    }

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
            .always("chat", .text, "Contact or group, in the form that commands accept"),
            .always("chat_id", .id, "Id of the contact or group"),
            .sometimes(
                "member", .text, "Author in a group, in the form that commands accept; missing for your messages"),
            .sometimes("member_id", .id, "Id of the author in a group"),
            .sometimes("member_name", .text, "Local name of the author in a group"),
            .sometimes(
                "forwarded_by", .text,
                "Member that forwarded the message, or its last edit, in the name of the author; missing if it came directly"
            ),
            .sometimes("forwarded_by_id", .id, "Id of this member"),
            .sometimes(
                "signature", .word(SignatureStatus.allCases.map(\.word)),
                "Signature of the author in a channel: verified, without a known key, or missing where all sign"),
            .sometimes("support_id", .id, "Id of the member in whose chat with the moderators the message is"),
            .sometimes("mentions", .texts, "Names that the message mentions"),
            .sometimes("mentions_you", .flag, "True if the message mentions you or replies to you"),
            .always("direction", .word(directions), "Direction: in for received, out for sent"),
            .always("created_at", .time, "Time when the message was written here, or accepted by its relay"),
            .always("at", .time, "Time when the message was written here, or accepted by its relay").kept(
                for: "created_at"),
            .always("kind", .word(kinds), "Kind of content"), .always("text", .text, "Text of the message"),
            .always("state", .word(ChatItem.Status.words), "Delivery state"),
            .sometimes(
                "reason", .word(ChatItem.Status.reasons), "Reason for a failure, a delay or a warning"),
            .sometimes(
                "partly", .word(ChatItem.Status.partialWords), "State that only some members of the group reached"),
            .sometimes(
                "deliveries",
                .objects([
                    .always("member", .text, "Member, in the form that commands accept"),
                    .always("member_id", .id, "Id of the member"),
                    .always("member_name", .text, "Local name of the member"),
                    .always("state", .word(MemberDelivery.words), "Delivery state at the member"),
                ]), "Delivery states of a message that you sent to a group; only of 'message show'"),
            .sometimes("removal", .word(GroupEntry.Removal.words), "Reason why the message is hidden"),
            .sometimes("edited_at", .time, "Time of the last edit by the author"),
            .sometimes("deleted_at", .time, "Time of the deletion by the author"),
            .sometimes("forwarded", .flag, "True if the message was forwarded"),
            .sometimes(
                "quote",
                .object([
                    .always("text", .text, "Text of the quoted message"),
                    .always("direction", .word(directions), "Direction of the quoted message"),
                    .sometimes("member", .text, "Author of the quoted message in a group"),
                    .sometimes("member_id", .id, "Id of this author"),
                    .sometimes("member_name", .text, "Local name of this author"),
                    .always("created_at", .time, "Time of the quoted message"),
                    .always("at", .time, "Time of the quoted message").kept(for: "created_at"),
                ]), "Quoted message"),
            .sometimes(
                "reactions",
                .objects([
                    .always("reaction", .text, "Emoji; a question mark for an unknown reaction"),
                    .always("direction", .word(directions), "Direction: in for received, out for sent"),
                    .sometimes("member", .text, "Member of the group, in the form that commands accept"),
                    .sometimes("member_id", .id, "Id of the member"),
                    .sometimes("member_name", .text, "Local name of the member"),
                ]), "Reactions of the user, the contact or the members"),
            .sometimes("file", .object(fileFields), "File of the message"),
            .sometimes("call_key", .text, "Caller's key for the media streams, unchanged"),
        ] + MessageTimer.fields)
    /// The file of a message.
    static let fileFields: [ReportForm.Field] = [
        .always("id", .id, "Id of the file"), .always("name", .text, "Name without folders"),
        .always("size", .size, "Size of the content"), .always("state", .text, "State of the transfer"),
    ]
    private static let kinds =
        [
            "text", "link", "image", "video", "voice", "file", "report", "chat", "unknown", "messages-missing",
            "message-out-of-order", "message-changed", "message-repeated", "message-unreadable",
            "encryption-out-of-step", "contact-deleted", "queue-moved", "encryption-ok", "encryption-renewed",
            "security-code-changed", "queue-refused", "moderated", "blocked", "not-allowed", "group-invitation",
            "group-event", "contact-invitation",
        ] + CallRecord.State.allCases.filter { $0 != .negotiated }.map { "call-\($0.rawValue)" }

    var json: JSONObject {
        var json = JSONObject(type: item.content.isMessage ? "message" : "notice")
        json.set("id", ObjectID.text(item.id))
        json.set("chat", chat.target)
        json.set("chat_id", chat.objectID)
        setGroupFields(&json)
        json.set("direction", item.direction == .received ? "in" : "out")
        json.set("created_at", item.time.description)
        json.set("at", item.time.description)
        json.set("kind", item.content.kind)
        json["file"] = item.file.map { .object(MessageReport.fields($0)) }
        json.set("call_key", item.content.call?.key)
        json.set("text", item.content.plainText)
        json.set("state", item.status.word)
        json.set("reason", item.status.reason)
        json.set("partly", item.status.partialWord)
        if !deliveries.isEmpty { json["deliveries"] = .array(deliveries.map { .object(MessageReport.fields($0)) }) }
        json.set("removal", item.group?.removal?.word)
        json.set("edited_at", item.editedAt?.description)
        json.set("deleted_at", item.deletedAt?.description)
        if item.isForwarded { json.set("forwarded", true) }
        MessageTimer.set(&json, item)
        json["quote"] = item.quote.map { .object(quoteFields($0)) }
        if !item.reactions.isEmpty {
            json["reactions"] = .array(item.reactions.map { .object(fields($0)) })
        }
        return json
    }

    private func setGroupFields(_ json: inout JSONObject) {
        guard let group = chat.group, let entry = item.group else { return }
        if let author = entry.author {
            json.set("member", author.target(in: group))
            json.set("member_id", author.objectID)
            json.set("member_name", author.name)
        }
        if let forwarder = entry.forwarder {
            json.set("forwarded_by", forwarder.target(in: group))
            json.set("forwarded_by_id", forwarder.objectID)
        }
        json.set("signature", entry.signature?.word)
        json.set("support_id", entry.supportID.map { ObjectID.text($0) })
        if !entry.mentions.isEmpty { json["mentions"] = .array(entry.mentions.keys.sorted().map { .string($0) }) }
        if entry.mentionsUser { json.set("mentions_you", true) }
    }

    private func quoteFields(_ quote: Quote) -> JSONObject {
        // The one who quotes says whether the quoted message was its own. In a group there are other authors.
        let author = item.group?.quotedAuthor
        let isOut = author?.isUser ?? (quote.reference.isOwn == (item.direction == .sent))
        var fields = JSONObject()
        fields.set("text", quote.content.text)
        fields.set("direction", isOut ? "out" : "in")
        if let author, !author.isUser, let group = chat.group {
            fields.set("member", author.target(in: group))
            fields.set("member_id", author.objectID)
            fields.set("member_name", author.name)
        }
        let time = quote.reference.sentAt.timestamp.description
        fields.set("created_at", time)
        fields.set("at", time)
        return fields
    }

    private static func fields(_ delivery: Delivery) -> JSONObject {
        var fields = JSONObject()
        fields.set("member", delivery.member.target(in: delivery.group))
        fields.set("member_id", delivery.member.objectID)
        fields.set("member_name", delivery.member.name)
        fields.set("state", delivery.state.word)
        return fields
    }

    static func fields(_ file: ChatFile) -> JSONObject {
        var fields = JSONObject()
        fields.set("id", ObjectID.text(file.id))
        fields.set("name", file.name)
        fields.set("size", file.size)
        fields.set("state", file.reportWord)
        return fields
    }

    private func fields(_ entry: ItemReaction) -> JSONObject {
        var fields = JSONObject()
        fields.set("reaction", entry.reaction.text)
        fields.set("direction", entry.direction == .received ? "in" : "out")
        if let member = entry.member, let group = chat.group {
            fields.set("member", "\(group.target)/@\(member.name)")
            fields.set("member_id", ObjectID.text(member.id))
            fields.set("member_name", member.name)
        }
        return fields
    }

    /// Each emoji with the names of those who gave it.
    private var reactionsWithNames: String {
        item.reactions.counted.map { reaction, _ in
            let names = item.reactions.filter { $0.reaction == reaction }.map { entry in
                entry.direction == .sent ? "you" : UntrustedText(entry.member?.name ?? chat.name).singleLine
            }
            return "\(reaction.text) \(names.joined(separator: ", "))"
        }.joined(separator: "; ")
    }

    /// What happened to it, in words for people.
    private var marks: [String] {
        [
            item.content.attachment, item.deletedAt == nil || item.group?.removal != nil ? nil : "deleted",
            item.editedAt == nil ? nil : "edited",
            item.isForwarded ? "forwarded" : nil, item.content.isMessage ? item.group?.signature?.mark : nil,
            item.group?.memberForwarder.map { "forwarded by \($0.name)" },
            item.ttl == nil ? nil : "disappears",
            item.group?.removal?.sentence, item.supportID == nil ? nil : "to moderators",
            item.status.partialWord.map { "\($0) to some" },
        ].compactMap(\.self)
    }

    /// The time and who speaks, and the text behind a margin.
    func lines(_ style: ReportStyle) -> [StyledText] {
        var head = idColumn + style.time(item.time) + "  "
        let preposition = item.direction == .received || chat.isNotes ? "" : "to "
        head += StyledText("\(preposition)\(place)", item.direction == .received ? .name : .own)
        // Only people look for the tick: programs have the state.
        if style.width != nil, item.direction == .sent, item.deletedAt == nil, let tick = item.status.tick {
            head += StyledText(" \(tick)", tick == ChatItem.Status.failureTick ? .warning : .muted)
        }
        if item.group?.mentionsUser == true, item.direction == .received {
            head += StyledText(" (mentions you)", .unread)
        }
        if item.status.needsAttention { head += StyledText(" (\(item.status.word))", .warning) }
        for mark in marks { head += StyledText(" (\(mark))", .muted) }
        guard item.content.isMessage else {
            let advice = advice.map { [StyledText("  try: \($0)", .hint)] } ?? []
            let words = item.callSentence(with: chat.name) ?? item.content.plainText
            return [head + "  " + StyledText(words, .warning)] + advice
        }
        let rows = rows(style.width.map { max($0 - head.width - 2, 16) })
        guard !rows.isEmpty else { return [head] }
        let space = StyledText(String(repeating: " ", count: head.width))
        let text = rows.enumerated().map { index, row in (index == 0 ? head : space) + "  " + row }
        return text + MemberDelivery.words.compactMap { deliveryLine($0) }
    }

    /// The id, where it is shown.
    private var idColumn: StyledText {
        guard let idWidth else { return StyledText() }
        return StyledText(ObjectID.text(item.id), .muted).padded(toWidth: idWidth, .left) + "  "
    }

    /// The members at which a message has a state: `delivered: bob, cath`. Nil if there are none.
    private func deliveryLine(_ word: String) -> StyledText? {
        let names = deliveries.filter { $0.state.word == word }.map(\.member.name)
        guard !names.isEmpty else { return nil }
        return StyledText("  \(word): ", .muted) + StyledText(names.joined(separator: ", "))
    }

    /// The chat, with the author of a message in a group.
    private var place: String {
        guard let group = chat.group, let author = item.group?.author else { return chat.target }
        return author.target(in: group)
    }

    /// Reports of messages, with a column for their ids or without it.
    static func list(_ items: [LocatedItem], withIDs: Bool) -> [MessageReport] {
        var reports = items.map { MessageReport($0) }
        guard withIDs else { return reports }
        // Messages that come one after the other have the same column.
        let width = items.map { ObjectID.text($0.item.id).count }.max().map { max($0, leastIDWidth) }
        for index in reports.indices { reports[index].idWidth = width }
        return reports
    }

    private static let leastIDWidth = 5

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
        if (item.deletedAt == nil && item.group?.removal == nil) || showsDeleted {
            if !item.content.plainText.isEmpty || item.file == nil {
                rows += UntrustedText(item.content.plainText).body(width: width)
            }
            if let file = item.file { rows.append(StyledText(file.summary, .muted)) }
        }
        if !item.reactions.isEmpty {
            rows.append(StyledText(showsDeleted ? reactionsWithNames : item.reactions.summary))
        }
        return rows
    }
}

extension [ItemReaction] {
    /// Each reaction and how often it was given, in the order of the first.
    fileprivate var counted: [(reaction: Reaction, count: Int)] {
        reduce(into: []) { counts, entry in
            if let place = counts.firstIndex(where: { $0.reaction == entry.reaction }) {
                counts[place].count += 1
            } else {
                counts.append((entry.reaction, 1))
            }
        }
    }

    /// The reactions in one line, with a number behind those that were given more than once.
    package var summary: String {
        counted.map { $0.count > 1 ? "\($0.reaction.text) \($0.count)" : $0.reaction.text }.joined(separator: " ")
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
        case .moderated: "moderated"
        case .blocked: "blocked"
        case .groupFeatureRejected: "not-allowed"
        case .groupInvitation: "group-invitation"
        case .groupEvent: "group-event"
        case .contactInvitation: "contact-invitation"
        // These are not shown.
        case .profileUpdated, .feature, .preference, .encryption, .banner, .groupFeature, .groupEncryption: "unknown"
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

extension MemberDelivery {
    /// Every value of ``word``, the best first.
    package static let words = ["delivered", "sent", "forwarded", "queued", "pending", "failed"]

    /// How far a message has come at a member, in a word for programs.
    package var word: String {
        switch self {
        case .received, .receivedAltered: "delivered"
        case .sent: "sent"
        case .forwarded: "forwarded"
        case .owed, .new, .withdrawn: "queued"
        // Not connected yet, or its queue is full.
        case .pending, .inactive: "pending"
        case .error: "failed"
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
        case .sendSent, .sendSentPartly, .sendUnconfirmed, .sendReceivedPartly: "sent"
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
        case .sendReceived(isIntact: false), .sendReceivedPartly(isIntact: false): "altered"
        case .sendUnconfirmed: "unconfirmed"
        case .sendNew, .sendSent, .sendSentPartly, .sendReceived, .sendReceivedPartly, .receivedNew, .receivedRead: nil
        }
    }

    /// Every value of ``partialWord``.
    static let partialWords = ["sent", "delivered"]

    /// How far it has come at some members of a group and not at all.
    var partialWord: String? {
        switch self {
        case .sendSentPartly: "sent"
        case .sendReceivedPartly: "delivered"
        case .sendNew, .sendWarning, .sendSent, .sendUnconfirmed, .sendReceived, .sendErrorAuthorization, .sendError,
            .receivedNew, .receivedRead:
            nil
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
            .sendReceivedPartly(isIntact: false), .sendUnconfirmed:
            true
        case .sendSent, .sendSentPartly, .sendReceived, .sendReceivedPartly, .receivedNew, .receivedRead: false
        }
    }
}

extension ChatItem.Status {
    package static let failureTick = "\u{2717}"

    /// How far a message has come, in one or two characters; nil as long as it is queued, and for received ones.
    package var tick: String? {
        switch self {
        case .sendSent, .sendUnconfirmed: "\u{2713}"
        case .sendSentPartly: "(\u{2713})"
        case .sendReceived: "\u{2713}\u{2713}"
        case .sendReceivedPartly: "(\u{2713}\u{2713})"
        case .sendErrorAuthorization, .sendError: ChatItem.Status.failureTick
        case .sendNew, .sendWarning, .receivedNew, .receivedRead: nil
        }
    }
}

extension SignatureStatus {
    /// The status in a word for programs.
    fileprivate var word: String {
        switch self {
        case .verified: "verified"
        case .noKey: "no-key"
        case .missing: "missing"
        }
    }

    /// What stands behind a message.
    fileprivate var mark: String {
        switch self {
        case .verified: "signed"
        case .noKey: "signed with an unknown key"
        case .missing: "not signed"
        }
    }
}
