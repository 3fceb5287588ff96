import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// The link of a group: the text is the link alone.
struct GroupLinkReport: Report {
    let group: Group
    /// Nil once it was deleted.
    let link: GroupLink?
    /// Whether the long form of the link is wanted.
    var isFull = false

    static let forms = [
        ReportForm(
            "group-link", "The link through which others join a group, or its deletion", plain: ["link", "role"],
            [
                .always("chat", .text, "Group, in the form that commands accept"),
                .always("chat_id", .id, "Id of the group"),
                .always("state", .word(["active", "deleted"]), "State of the link"),
                .sometimes("link", .text, "Link for new members: short, or long with --full"),
                .sometimes("short_link", .text, "Short link"), .sometimes("full_link", .text, "Long link"),
                .sometimes("role", .word(GroupRole.words), "Role of members that join through the link"),
                .sometimes("created_at", .time, "Time of creation"),
            ])
    ]

    /// The form of the link that is wanted.
    var text: String? { link.map { isFull ? $0.link.full : $0.link.preferred } }

    var json: JSONObject {
        var json = JSONObject(type: "group-link")
        json.set("chat", group.target)
        json.set("chat_id", group.objectID)
        json.set("state", link == nil ? "deleted" : "active")
        json.set("link", text)
        json.set("short_link", link?.link.short)
        json.set("full_link", link?.link.full)
        json.set("role", link?.role.word)
        json.set("created_at", link?.createdAt.description)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        guard let text else {
            return [StyledText("the link of ") + StyledText(group.target, .name) + " is deleted; members stay"]
        }
        return [StyledText(text)]
    }
}
