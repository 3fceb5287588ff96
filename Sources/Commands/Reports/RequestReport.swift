import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// A contact request, or the invitation of a group member to a direct chat.
struct RequestReport: Report {
    private let id: String
    private let name: String
    private let target: String
    private let profile: Profile
    /// The message of the sender.
    private var text: String?
    /// The text of the list.
    private let summary: String
    /// True for the invitation of a member.
    private let isContact: Bool
    private let createdAt: Timestamp
    /// The result of the command; nil for a pending request.
    private let action: String?

    init(request: ReceivedRequest, action: String? = nil) {
        (id, name, target, profile) = (request.objectID, request.name, request.target, request.profile)
        text = request.message?.content.text
        summary = text ?? profile.shortDescription ?? profile.fullName
        (isContact, createdAt, self.action) = (false, request.createdAt, action)
    }

    /// The invitation of a member to a direct chat.
    init(member contact: Contact, action: String? = nil) {
        (id, name, target, profile) = (contact.objectID, contact.name, contact.target, contact.profile)
        summary = "invites you to a direct chat"
        (isContact, createdAt, self.action) = (true, contact.updatedAt, action)
    }

    static let forms = [
        ReportForm(
            "request", "A contact request, or the invitation of a group member to a direct chat",
            plain: ["id", "name", "created_at", "text"],
            [
                .always("id", .id, "Id of the request, or of the contact of a member"),
                .always("name", .text, "Local name for the future contact"),
                .always("display_name", .text, "Name in the sender's profile"),
                .sometimes("full_name", .text, "Full name in the sender's profile"),
                .sometimes("bio", .text, "Description in the sender's profile"),
                .sometimes("text", .text, "Message sent with the request"),
                .sometimes("chat", .text, "Of a member: the contact, in the form that commands accept"),
                .sometimes("chat_id", .id, "Of a member: id of the contact"),
                .always("created_at", .time, "Time of the request"),
                .always("at", .time, "Time of the request").kept(for: "created_at"),
                .sometimes("state", .word(["rejected"]), "State after 'reject'"),
            ] + Profile.details(of: "sender"))
    ]
    static let columns = [
        Table.Column("ID"), Table.Column("NAME", isFlexible: true), Table.Column("SINCE"),
        Table.Column("MESSAGE", isFlexible: true),
    ]

    var json: JSONObject {
        var json = JSONObject(type: "request")
        json.set("id", id)
        json.set("name", name)
        json.set("display_name", profile.displayName)
        if !profile.fullName.isEmpty { json.set("full_name", profile.fullName) }
        json.set("bio", profile.shortDescription)
        profile.setDetails(in: &json)
        json.set("text", text)
        if isContact {
            json.set("chat", target)
            json.set("chat_id", id)
        }
        json.set("created_at", createdAt.description)
        json.set("at", createdAt.description)
        json.set("state", action)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [StyledText("\(action ?? "pending") ") + StyledText(target, .name) + StyledText(" (\(id))", .muted)]
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        [
            StyledText(id, .muted), StyledText(target, .name), style.time(createdAt),
            StyledText(UntrustedText(summary).singleLine),
        ]
    }
}
