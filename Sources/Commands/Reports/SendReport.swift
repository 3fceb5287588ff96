import ByteCoding
import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// What became of a message that was just written.
struct SendReport: Report {
    let chat: Chat
    /// Nil if nothing was sent: `--dry-run`.
    let item: ChatItem?
    /// Whether it is the message that was sent with the same key before.
    var isDuplicate = false
    /// True if that message has another text than the one that was to be sent.
    var differs = false
    /// The names of the members that a message to a group would reach; nil if it was sent, and in other chats.
    var recipients: [String]?
    /// The member whose chat with the moderators of a group would get a message; nil for all members, and if it was sent.
    var support: GroupMemberID?
    /// Which part it is of a text that was sent in several messages.
    var part: Part?

    /// One of several messages with a text.
    struct Part {
        let number: Int
        let count: Int

        /// Nil for a text in one message.
        init?(_ number: Int, of count: Int) {
            guard count > 1 else { return nil }
            self.number = number
            self.count = count
        }
    }

    static let forms = [
        ReportForm(
            "send", "Delivery state of a sent message", plain: ["id", "chat", "state", "created_at"],
            [
                .sometimes("id", .id, "Id of the message; missing with --dry-run"),
                .always("chat", .text, "Contact or group, in the form that commands accept"),
                .always("chat_id", .id, "Id of the contact or group"),
                .always("state", .word(ChatItem.Status.words + ["dry-run", "removed"]), "Delivery state"),
                .sometimes("created_at", .time, "Time when the message was written"),
                .sometimes("at", .time, "Time when the message was written").kept(for: "created_at"),
                .sometimes("reason", .word(ChatItem.Status.reasons), "Reason for a failure or delay"),
                .sometimes(
                    "partly", .word(ChatItem.Status.partialWords), "State that only some members of the group reached"),
                .sometimes("to_moderators", .flag, "True if only the moderators of the group get the message"),
                .sometimes("recipients", .texts, "Names of the members of a group; only with --dry-run"),
                .sometimes("part", .count, "Number of the part, from 1; only with --split"),
                .sometimes("parts", .count, "Number of parts"),
                .sometimes("duplicate", .flag, "True if the message was sent before with the same key"),
                .sometimes("differs", .flag, "True if the message sent with this key has another text"),
            ] + MessageTimer.fields)
    ]

    var json: JSONObject {
        var json = JSONObject(type: "send")
        json.set("id", item.map { ObjectID.text($0.id) })
        json.set("chat", chat.target)
        json.set("chat_id", chat.objectID)
        json.set("state", item?.status.word ?? "dry-run")
        json.set("created_at", item?.time.description)
        json.set("at", item?.time.description)
        json.set("reason", item?.status.reason)
        json.set("partly", item?.status.partialWord)
        if supportID != nil { json.set("to_moderators", true) }
        if let recipients { json["recipients"] = .array(recipients.map { .string($0) }) }
        json.set("part", part?.number)
        json.set("parts", part?.count)
        if isDuplicate { json.set("duplicate", true) }
        if differs { json.set("differs", true) }
        if let item { MessageTimer.set(&json, item) }
        return json
    }

    private var supportID: GroupMemberID? { support ?? item?.supportID }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let isOwn = supportID == chat.group?.membership.id
        let moderators = supportID == nil ? "" : isOwn ? "the moderators of " : "a support chat of "
        guard let item else {
            let head = StyledText("would be sent to \(moderators)") + StyledText(chat.target, .name)
            guard let recipients else { return [head] }
            let members = recipients.isEmpty ? "no other members" : recipients.joined(separator: ", ")
            return [head + StyledText(": \(members)")]
        }
        let word = chat.isNotes ? "kept in" : item.status.partialWord.map { "\($0) to some of" } ?? item.status.word
        return [
            StyledText("\(word) ", item.status.isGood ? .success : .warning)
                + StyledText(supportID != nil && item.status.partialWord == nil ? "to \(moderators)" : moderators)
                + StyledText(chat.target, .name) + StyledText(" \(ObjectID.text(item.id))", .muted)
                + StyledText(part.map { " (\($0.number) of \($0.count))" } ?? "", .muted)
                + StyledText(isDuplicate ? differs ? " (before, differs)" : " (before)" : "", .muted)
                + StyledText(item.status.warning.map { ": \($0)" } ?? "")
        ]
    }
}

extension ChatItem.Status {
    /// Whether the relay has a message, or even the contact.
    var isGood: Bool { self == .sendSent || partialWord == "delivered" || self == .sendReceived(isIntact: true) }
}
