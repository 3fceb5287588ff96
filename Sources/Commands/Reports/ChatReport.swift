import ByteCoding
package import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// A conversation in a list, or an invitation that waits to become one.
struct ChatReport: Report {
    enum Subject: Sendable {
        case chat(ChatSummary)
        case pending(ContactConnection)
    }

    let subject: Subject

    init(_ chat: ChatSummary) {
        subject = .chat(chat)
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
    private static let states =
        (ContactState.allCases.map(\.rawValue) + GroupState.allCases.map(\.rawValue) + ContactConnection.Status.words)
        .reduce(into: [String]()) { words, word in
            if !words.contains(word) { words.append(word) }
        }
    static let columns = [
        Table.Column("ID"), Table.Column("CHAT", isFlexible: true), Table.Column("UNREAD", .right),
        Table.Column("LAST", isFlexible: false), Table.Column("", isFlexible: true),
    ]

    var json: JSONObject {
        switch subject {
        case .chat(let chat):
            var json = JSONObject(type: "chat")
            json.set("id", chat.objectID)
            json.set("chat", chat.target)
            json.set("chat_id", chat.objectID)
            json.set("name", chat.name)
            json.set("unread", chat.unreadCount)
            if chat.unreadMentions > 0 { json.set("mentions", chat.unreadMentions) }
            json.set("state", chat.state.word)
            if let entry = chat.lastEntry {
                json.set("last_id", ObjectID.text(entry.id))
                json.set("last_at", entry.time.description)
                json.set("last_direction", entry.direction == .received ? "in" : "out")
                json.set("last_text", entry.text)
                json.set("last_member", entry.author)
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
        case .chat(let chat):
            let entry = chat.lastEntry
            let note = chat.state.isConnected ? "" : "(\(chat.state.word)) "
            let unread = chat.unreadMentions > 0 ? "\(chat.unreadCount) @" : "\(chat.unreadCount)"
            return [
                StyledText(chat.objectID, .muted), StyledText(chat.target, .name),
                chat.unreadCount == 0 ? StyledText() : StyledText(unread, .unread),
                entry.map { style.time($0.time) } ?? StyledText(),
                StyledText(note, .warning) + StyledText(entry?.writer ?? "", .muted)
                    + StyledText(entry.map { $0.line($0.text) } ?? ""),
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

extension ChatSummary.State {
    /// The word of reports.
    var word: String {
        switch self {
        case .contact(let state): state.rawValue
        case .group(let state): state.rawValue
        case .notes: ContactState.connected.rawValue
        }
    }

    var isConnected: Bool { word == ContactState.connected.rawValue }
}

extension ChatSummary.Entry {
    /// True if its text is not shown.
    package var isHidden: Bool { isDeleted || removal != nil }

    /// Who wrote it, before its text; nothing for a contact.
    package var writer: String {
        guard direction == .sent else { return author.map { "\($0): " } ?? "" }
        return status.needsAttention ? "you (\(status.word)): " : "you: "
    }

    /// The text on one line after the kind of the attachment, or the reason why there is no text.
    ///
    /// - Parameter text: ``ChatCore/ChatSummary/Entry/text``, as it is or without line breaks.
    package func line(_ text: String) -> String {
        if let removal { return "(\(removal.sentence))" }
        if isDeleted { return "(deleted)" }
        let text = UntrustedText(text).singleLine
        guard let attachment else { return text }
        return text.isEmpty ? "(\(attachment))" : "(\(attachment)) \(text)"
    }
}
