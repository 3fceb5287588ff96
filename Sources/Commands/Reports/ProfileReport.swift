import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// An own profile.
struct ProfileReport: Report {
    let profile: OwnProfile
    /// What was done with it, if anything, with the verb in front: `made`.
    var action: String?

    static let forms = [
        ReportForm(
            "profile", "A profile of this store", plain: ["id", "name", "active", "unread", "full_name"],
            [
                .always("id", .id, "Id of the profile"), .always("name", .text, "Name that contacts see"),
                .always("active", .flag, "True if the profile is active"),
                .always("muted", .flag, "True if the profile is muted"),
                .sometimes("hidden", .flag, "True if the profile is hidden"),
                .sometimes("home", .id, "Id of the contact whose conversation sessions show first"),
                .sometimes("full_name", .text, "Full name"),
                .sometimes("bio", .text, "Description"),
                .sometimes("domain", .text, "Registered name of the profile"),
                .sometimes("image", .flag, "True if the profile has a picture"),
                .sometimes(
                    "retention_ms", .duration, "Retention time of messages; missing for unlimited"),
                .always("receipts", .flag, "True if contacts get delivery receipts by default"),
                .sometimes("group_receipts", .flag, "False if members of groups get no delivery receipts by default"),
                .always("unread", .count, "Number of unread messages"),
                .always("created_at", .time, "Time of creation"),
            ])
    ]
    static let columns = [
        Table.Column(""), Table.Column("ID"), Table.Column("NAME", isFlexible: true), Table.Column("UNREAD", .right),
        Table.Column("FULL NAME", isFlexible: true),
    ]

    var json: JSONObject {
        var json = JSONObject(type: "profile")
        json.set("id", profile.objectID)
        json.set("name", profile.name)
        json.set("active", profile.isActive)
        json.set("muted", profile.isMuted)
        json.set("home", profile.home.map { "c\($0.number)" })
        if profile.isHidden { json.set("hidden", true) }
        if !profile.profile.fullName.isEmpty { json.set("full_name", profile.profile.fullName) }
        json.set("bio", profile.profile.shortDescription)
        json.set("domain", profile.profile.domainClaim?.domain)
        if profile.profile.image != nil { json.set("image", true) }
        json.set("retention_ms", profile.retention.map { $0 * 1000 })
        json.set("receipts", profile.sendsReceipts)
        if !profile.sendsGroupReceipts { json.set("group_receipts", false) }
        json.set("unread", profile.unreadCount)
        json.set("created_at", profile.createdAt.description)
        return json
    }

    /// One line about what was done, or all that there is.
    func lines(_ style: ReportStyle) -> [StyledText] {
        if let action {
            let id = StyledText(" (\(profile.objectID))", .muted)
            return [StyledText("\(action) ") + StyledText(profile.name, .name) + id]
        }
        var table = Table([Table.Column(""), Table.Column("", isFlexible: true)])
        func add(_ name: String, _ value: StyledText) { table.add([StyledText(name, .muted), value]) }
        add("profile", StyledText(profile.name, .name) + (profile.isActive ? ", active" : ""))
        add("id", StyledText(profile.objectID))
        if !profile.profile.fullName.isEmpty { add("full name", StyledText(profile.profile.fullName)) }
        if let bio = profile.profile.shortDescription { add("bio", StyledText(bio)) }
        if let claim = profile.profile.domainClaim { add("domain", StyledText("@\(claim.domain)")) }
        if profile.profile.image != nil { add("picture", "yes") }
        if let home = profile.home { add("home", StyledText("the conversation with c\(home.number)")) }
        if let retention = profile.retention { add("retention", StyledText(KeepingTime.seconds(retention).text)) }
        add("receipts", StyledText(OnOff(profile.sendsReceipts).rawValue))
        if !profile.sendsGroupReceipts {
            add("group receipts", StyledText(OnOff(profile.sendsGroupReceipts).rawValue))
        }
        add("unread", StyledText("\(profile.unreadCount)", profile.unreadCount > 0 ? .unread : .plain))
        return table.lines(width: style.width, withTitles: false)
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
