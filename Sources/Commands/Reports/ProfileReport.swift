import ByteCoding
import ChatCore
import ChatProtocol
import JSONCoding
import TerminalKit

/// An own profile.
struct ProfileReport: Report {
    let profile: OwnProfile

    static let fields = ["id", "name", "active", "unread", "full_name"]
    static let otherFields = ["v", "type", "bio", "created_at"]
    static let columns = [
        Table.Column(""), Table.Column("ID"), Table.Column("NAME", isFlexible: true), Table.Column("UNREAD", .right),
        Table.Column("FULL NAME", isFlexible: true),
    ]

    var json: JSONObject {
        var json = JSONObject(type: "profile")
        json.set("id", profile.objectID)
        json.set("name", profile.name)
        json.set("active", profile.isActive)
        if !profile.profile.fullName.isEmpty { json.set("full_name", profile.profile.fullName) }
        json.set("bio", profile.profile.shortDescription)
        json.set("unread", profile.unreadCount)
        json.set("created_at", profile.createdAt.description)
        return json
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        let unread = profile.unreadCount
        return [
            StyledText(profile.isActive ? "*" : " "), StyledText(profile.objectID, .muted),
            StyledText(profile.name, .name), unread == 0 ? StyledText() : StyledText("\(unread)", .unread),
            StyledText(profile.profile.fullName),
        ]
    }
}
