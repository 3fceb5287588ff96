import ByteCoding
import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// A conversation in a list, or an invitation that waits to become one.
struct ChatReport: Report {
    enum Subject: Sendable {
        case chat(ChatPreview)
        case pending(ContactConnection)
    }

    let subject: Subject

    init(_ preview: ChatPreview) {
        subject = .chat(preview)
    }

    init(pending connection: ContactConnection) {
        subject = .pending(connection)
    }

    static let forms = [
        ReportForm(
            "chat", "A conversation, or an unused invitation",
            plain: ["id", "name", "unread", "state", "last_at", "last_text"],
            [
                .always("id", .id, "Id of the contact, group or invitation"),
                .sometimes(
                    "chat", .text, "Contact or group, in the form that commands accept; missing for an invitation"),
                .sometimes("chat_id", .id, "Id of the contact or group; missing for an invitation"),
                .always("name", .text, "Name of the contact or group; empty for an unnamed invitation"),
                .always("unread", .count, "Number of unread messages"),
                .sometimes("mentions", .count, "Number of unread messages of a group that mention you"),
                .always(
                    "state", .word(states), "State of the contact, group or invitation, as in connect --wait"),
                .sometimes("last_id", .id, "Id of the newest message"),
                .sometimes("last_at", .time, "Time of the newest message"),
                .sometimes(
                    "last_direction", .word(MessageReport.directions), "Direction of the newest message"),
                .sometimes("last_text", .text, "Text of the newest message"),
                .sometimes("last_member", .text, "Local name of the author of the newest message of a group"),
                .sometimes("role", .word(ConnectionReport.roles), "Side that created the link; missing for a contact"),
                .sometimes("created_at", .time, "Creation time of an invitation; missing for a contact"),
            ])
    ]
    private static let states = (Contact.states + Group.states + ContactConnection.Status.words).reduce(
        into: [String]()
    ) { words, word in
        if !words.contains(word) { words.append(word) }
    }
    static let columns = [
        Table.Column("ID"), Table.Column("CHAT", isFlexible: true), Table.Column("UNREAD", .right),
        Table.Column("LAST", isFlexible: false), Table.Column("", isFlexible: true),
    ]

    var json: JSONObject {
        switch subject {
        case .chat(let preview):
            var json = JSONObject(type: "chat")
            json.set("id", preview.chat.objectID)
            json.set("chat", preview.chat.target)
            json.set("chat_id", preview.chat.objectID)
            json.set("name", preview.chat.name)
            json.set("unread", preview.chat.unreadCount)
            if let count = preview.chat.group?.unreadMentions, count > 0 { json.set("mentions", count) }
            json.set("state", preview.chat.state)
            if let item = preview.lastItem {
                json.set("last_id", ObjectID.text(item.id))
                json.set("last_at", item.time.description)
                json.set("last_direction", item.direction == .received ? "in" : "out")
                json.set("last_text", item.content.plainText)
                json.set("last_member", item.group?.author?.name)
            }
            return json
        case .pending(let connection):
            var json = JSONObject(type: "chat")
            json.set("id", ObjectID.text(connection.id))
            json.set("name", connection.requestedName ?? "")
            json.set("unread", 0)
            json.set("state", connection.status.word)
            json.set("role", connection.isInitiated ? "inviting" : "joining")
            json.set("created_at", connection.createdAt.description)
            return json
        }
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        switch subject {
        case .chat(let preview):
            let chat = preview.chat, unread = chat.unreadCount, mentions = chat.group?.unreadMentions ?? 0
            let note = chat.state == "connected" ? "" : "(\(chat.state)) "
            let own = preview.lastItem.map { item in
                guard item.direction == .sent else { return item.group?.author.map { "\($0.name): " } ?? "" }
                return item.status.needsAttention ? "you (\(item.status.word)): " : "you: "
            }
            let text =
                preview.lastItem.map { item in
                    guard item.deletedAt == nil else { return "(deleted)" }
                    if let removal = item.group?.removal { return "(\(removal.sentence))" }
                    let text = UntrustedText(item.content.plainText).singleLine
                    return [item.content.attachment.map { "(\($0))" } ?? "", text].filter { !$0.isEmpty }
                        .joined(separator: " ")
                } ?? ""
            return [
                StyledText(chat.objectID, .muted), StyledText(chat.target, .name),
                unread == 0 ? StyledText() : StyledText(mentions > 0 ? "\(unread) @" : "\(unread)", .unread),
                preview.lastItem.map { style.time($0.time) } ?? StyledText(),
                StyledText(note, .warning) + StyledText(own ?? "", .muted) + StyledText(text),
            ]
        case .pending(let connection):
            return [
                StyledText(ObjectID.text(connection.id), .muted), StyledText(connection.requestedName ?? ""),
                StyledText(), style.time(connection.createdAt),
                StyledText(
                    connection.isInitiated
                        ? "invitation (\(connection.status.word))" : "joining (\(connection.status.word))", .muted),
            ]
        }
    }
}
