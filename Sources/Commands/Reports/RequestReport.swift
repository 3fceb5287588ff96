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
    var deed: String?

    static let forms = [
        ReportForm(
            "request", "Somebody who wants to be a contact", plain: ["id", "name", "created_at", "text"],
            [
                .always("id", .id, "The request"), .always("name", .text, "What the contact would be called here"),
                .always("display_name", .text, "What it calls itself"),
                .sometimes("full_name", .text, "A longer name that it gives itself"),
                .sometimes("bio", .text, "What it says about itself"), .sometimes("text", .text, "What it says"),
                .always("created_at", .time, "When it came"),
                .always("at", .time, "When it came").kept(for: "created_at"),
                .sometimes("state", .word(["rejected"]), "What was done with it"),
            ])
    ]
    static let columns = [
        Table.Column("ID"), Table.Column("NAME", isFlexible: true), Table.Column("SINCE"),
        Table.Column("SAYS", isFlexible: true),
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
        json.set("state", deed)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let id = StyledText(" (\(request.objectID))", .muted)
        return [StyledText("\(deed ?? "waiting") ") + StyledText(request.target, .name) + id]
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        let words = request.message?.content.text ?? request.profile.shortDescription ?? request.profile.fullName
        return [
            StyledText(request.objectID, .muted), StyledText(request.target, .name), style.time(request.createdAt),
            StyledText(UntrustedText(words).singleLine),
        ]
    }
}
