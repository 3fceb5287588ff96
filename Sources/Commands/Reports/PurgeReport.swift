import ByteCoding
import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// The messages that were removed from a chat, or would be.
struct PurgeReport: Report {
    /// Nil for all chats of a profile, if there is nothing to remove.
    let chat: Chat?
    let count: Int
    /// Only messages from before this time; nil for all.
    let before: Timestamp?
    let isDry: Bool

    static let forms = [
        ReportForm(
            "purge", "Messages removed from a chat", plain: ["chat", "removed"],
            [
                .sometimes(
                    "chat", .text, "Contact or group, in the form that commands accept; missing if no messages matched"),
                .sometimes("chat_id", .id, "Id of the contact or group"),
                .always("removed", .count, "Number of messages removed, or matched with --dry-run"),
                .sometimes("before_at", .time, "Only messages before this time are removed"),
                .sometimes("dry_run", .flag, "True if nothing was removed"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "purge")
        json.set("chat", chat?.target)
        json.set("chat_id", chat?.objectID)
        json.set("removed", count)
        json.set("before_at", before?.description)
        if isDry { json.set("dry_run", true) }
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let messages = "\(count) \(count == 1 ? "message" : "messages")"
        var line = StyledText(isDry ? "would remove \(messages)" : "removed \(messages)")
        if let chat { line += " of " + StyledText(chat.target, .name) }
        if let before { line += StyledText(" from before ", .muted) + style.time(before) }
        return [line]
    }
}
