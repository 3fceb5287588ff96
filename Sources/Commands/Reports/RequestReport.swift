import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// Somebody who wants to be a contact.
struct RequestReport: Report {
    let request: ReceivedRequest
    /// What was done with it, if anything.
    var action: String?

    static let forms = [
        ReportForm(
            "request", "A contact request", plain: ["id", "name", "created_at", "text"],
            [
                .always("id", .id, "Id of the request"), .always("name", .text, "Local name for the future contact"),
                .always("display_name", .text, "Name in the sender's profile"),
                .sometimes("full_name", .text, "Full name in the sender's profile"),
                .sometimes("bio", .text, "Description in the sender's profile"),
                .sometimes("text", .text, "Message sent with the request"),
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
        var json = JSONObject(type: "request")
        json.set("id", request.objectID)
        json.set("name", request.name)
        json.set("display_name", request.profile.displayName)
        if !request.profile.fullName.isEmpty { json.set("full_name", request.profile.fullName) }
        json.set("bio", request.profile.shortDescription)
        json.set("text", request.message?.content.text)
        json.set("created_at", request.createdAt.description)
        json.set("at", request.createdAt.description)
        json.set("state", action)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let id = StyledText(" (\(request.objectID))", .muted)
        return [StyledText("\(action ?? "pending") ") + StyledText(request.target, .name) + id]
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        let words = request.message?.content.text ?? request.profile.shortDescription ?? request.profile.fullName
        return [
            StyledText(request.objectID, .muted), StyledText(request.target, .name), style.time(request.createdAt),
            StyledText(UntrustedText(words).singleLine),
        ]
    }
}
