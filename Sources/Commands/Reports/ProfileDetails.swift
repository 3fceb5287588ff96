import ByteCoding
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// What the profiles of newer clients have beside names and a short description.
extension Profile {
    /// The fields of a report about the owner.
    static func details(of owner: String) -> [ReportForm.Field] {
        [
            .sometimes("description", .text, "Long description in the \(owner)'s profile"),
            .sometimes("badge", .text, "Kind of the badge in the \(owner)'s profile; it is not verified"),
            .sometimes("badge_expires_at", .time, "Time when the badge expires"),
        ]
    }

    func setDetails(in json: inout JSONObject) {
        json.set("description", longDescription)
        json.set("badge", badge?.kind)
        json.set("badge_expires_at", badge?.expiresAt?.description)
    }

    /// The rows of a table about the owner.
    func details(_ style: ReportStyle) -> [(name: String, value: StyledText)] {
        var rows: [(String, StyledText)] = []
        if let text = longDescription { rows.append(("description", StyledText(UntrustedText(text).singleLine))) }
        if let badge {
            var value = StyledText(UntrustedText(badge.kind).singleLine)
            if let time = badge.expiresAt { value = value + ", expires " + style.time(time) }
            rows.append(("badge", value + StyledText(" (not verified)", .muted)))
        }
        return rows
    }
}
