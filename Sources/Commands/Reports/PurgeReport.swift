import ByteCoding
import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// The messages that were removed from a chat, or would be.
struct PurgeReport: Report {
    /// Nil for all chats of a profile, if there is nothing to remove.
    let contact: Contact?
    let count: Int
    /// Only messages from before this time; nil for all.
    let before: Timestamp?
    let isDry: Bool

    static let forms = [
        ReportForm(
            "purge", "The messages that were removed from a chat", plain: ["chat", "removed"],
            [
                .sometimes("chat", .text, "The contact as it is typed; missing if no chat has such messages"),
                .sometimes("chat_id", .id, "The contact"),
                .always("removed", .count, "How many messages were removed, or would be with --dry-run"),
                .sometimes("before_at", .time, "Only messages from before this time were removed"),
                .sometimes("dry_run", .flag, "True if nothing was removed"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "purge")
        json.set("chat", contact?.target)
        json.set("chat_id", contact?.objectID)
        json.set("removed", count)
        json.set("before_at", before?.description)
        if isDry { json.set("dry_run", true) }
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let messages = "\(count) \(count == 1 ? "message" : "messages")"
        var line = StyledText(isDry ? "would remove \(messages)" : "removed \(messages)")
        if let contact { line += " of " + StyledText(contact.target, .name) }
        if let before { line += StyledText(" from before ", .muted) + style.time(before) }
        return [line]
    }
}
