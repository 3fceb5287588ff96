import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// The address of a profile: the first line of the text is the link itself.
struct AddressReport: Report {
    let address: Address
    /// Whether the long form of the link is wanted.
    var isFull = false
    /// Whether the text has the settings too.
    var showsSettings = false

    static let forms = [
        ReportForm(
            "address", "An address, or that it was deleted", plain: ["link", "auto_accept"],
            [
                .sometimes("id", .id, "The address"),
                .sometimes("link", .text, "What others use, short unless the long form was asked for"),
                .sometimes("short_link", .text, "The short form"), .sometimes("full_link", .text, "The long form"),
                .sometimes("auto_accept", .flag, "Whether everybody who asks becomes a contact"),
                .sometimes("welcome", .text, "What new contacts are told"),
                .sometimes("created_at", .time, "When it was made"),
                .sometimes("state", .word(["deleted"]), "That it is not any more"),
            ])
    ]

    /// The form of the link that is wanted.
    var link: String { isFull ? address.link.full : address.link.preferred }

    var json: JSONObject {
        var json = JSONObject(type: "address")
        json.set("id", ObjectID.text(address.connectionID))
        json.set("link", link)
        json.set("short_link", address.link.short)
        json.set("full_link", address.link.full)
        json.set("auto_accept", address.settings.accepts)
        json.set("welcome", address.settings.welcome?.text)
        json.set("created_at", address.createdAt.description)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        showsSettings ? [StyledText(settings)] : [StyledText(link)]
    }

    private var settings: String {
        guard address.settings.accepts else { return "requests wait for an answer" }
        return address.settings.welcome == nil
            ? "requests are accepted" : "requests are accepted, and new contacts are welcomed"
    }
}

/// An address that is not any more.
struct AddressDeletedReport: Report {
    static let forms = AddressReport.forms.map { $0.with(plain: ["state"]) }

    var json: JSONObject {
        var json = JSONObject(type: "address")
        json.set("state", "deleted")
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [StyledText("the address is deleted; contacts stay")]
    }
}
