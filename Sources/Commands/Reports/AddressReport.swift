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
            "address", "A contact address, or its deletion", plain: ["link", "auto_accept"],
            [
                .sometimes("id", .id, "Id of the address"),
                .sometimes("link", .text, "Link for new contacts: short, or long with --full"),
                .sometimes("short_link", .text, "Short link"), .sometimes("full_link", .text, "Long link"),
                .sometimes("auto_accept", .flag, "True if contact requests are accepted automatically"),
                .sometimes("business", .flag, "True if each accepted request becomes a business chat"),
                .sometimes("welcome", .text, "Welcome message for new contacts"),
                .sometimes("created_at", .time, "Time of creation"),
                .sometimes("state", .word(["deleted"]), "State after 'address delete'"),
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
        if address.settings.isBusiness { json.set("business", true) }
        json.set("welcome", address.settings.welcome?.text)
        json.set("created_at", address.createdAt.description)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        showsSettings ? [StyledText(settings)] : [StyledText(link)]
    }

    private var settings: String {
        let business = address.settings.isBusiness ? "; each becomes a business chat" : ""
        guard address.settings.accepts else { return "requests are pending until accepted" + business }
        let welcome = address.settings.welcome == nil ? "" : ", with a welcome message"
        return "requests are accepted automatically" + welcome + business
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
