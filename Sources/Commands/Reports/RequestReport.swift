import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// Somebody who wants to be a contact.
struct RequestReport: Report {
    /// Who wants to be a contact: somebody at the address, or a member of a group.
    enum Sender {
        case request(ReceivedRequest)
        case member(Contact)
    }

    let sender: Sender
    /// The result of the command; nil for a pending request.
    var action: String?

    init(request: ReceivedRequest, action: String? = nil) {
        sender = .request(request)
        self.action = action
    }

    /// The invitation of a member to a direct chat.
    init(member contact: Contact, action: String? = nil) {
        sender = .member(contact)
        self.action = action
    }

    private var objectID: String {
        switch sender {
        case .request(let request): request.objectID
        case .member(let contact): contact.objectID
        }
    }

    private var name: String {
        switch sender {
        case .request(let request): request.name
        case .member(let contact): contact.name
        }
    }

    private var target: String {
        switch sender {
        case .request(let request): request.target
        case .member(let contact): contact.target
        }
    }

    private var createdAt: Timestamp {
        switch sender {
        case .request(let request): request.createdAt
        case .member(let contact): contact.updatedAt
        }
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
            ])
    ]
    static let columns = [
        Table.Column("ID"), Table.Column("NAME", isFlexible: true), Table.Column("SINCE"),
        Table.Column("MESSAGE", isFlexible: true),
    ]

    var json: JSONObject {
        var json = JSONObject(type: "request"), text: String?
        let profile: Profile
        switch sender {
        case .request(let request): (profile, text) = (request.profile, request.message?.content.text)
        case .member(let contact): profile = contact.profile
        }
        json.set("id", objectID)
        json.set("name", name)
        json.set("display_name", profile.displayName)
        if !profile.fullName.isEmpty { json.set("full_name", profile.fullName) }
        json.set("bio", profile.shortDescription)
        json.set("text", text)
        if case .member(let contact) = sender {
            json.set("chat", contact.target)
            json.set("chat_id", contact.objectID)
        }
        json.set("created_at", createdAt.description)
        json.set("at", createdAt.description)
        json.set("state", action)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let id = StyledText(" (\(objectID))", .muted)
        return [StyledText("\(action ?? "pending") ") + StyledText(target, .name) + id]
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        let words =
            switch sender {
            case .request(let request):
                request.message?.content.text ?? request.profile.shortDescription ?? request.profile.fullName
            case .member: "invites you to a direct chat"
            }
        return [
            StyledText(objectID, .muted), StyledText(target, .name), style.time(createdAt),
            StyledText(UntrustedText(words).singleLine),
        ]
    }
}
