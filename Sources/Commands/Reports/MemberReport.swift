import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// A member of a group.
struct MemberReport: Report {
    let group: Group
    let member: GroupMember
    /// What was done with it, if anything: `invited`.
    var action: String?

    init(_ group: Group, _ member: GroupMember, action: String? = nil) {
        self.group = group
        self.member = member
        self.action = action
    }

    /// No member is in a group that it has not joined.
    private static let states = GroupState.allCases.filter { $0 != .notJoined }.map(\.rawValue)

    static let forms = [
        ReportForm(
            "member", "A member of a group", plain: ["id", "name", "role", "state", "display_name"],
            [
                .always("id", .id, "Id of the member"),
                .always("member", .text, "Member, in the form that commands accept; your name for yourself"),
                .always("chat", .text, "Group, in the form that commands accept"),
                .always("chat_id", .id, "Id of the group"), .always("name", .text, "Local name of the member"),
                .always("role", .word(GroupRole.words), "Role of the member"),
                .always("state", .word(states), "State of the membership"),
                .sometimes("you", .flag, "True for yourself"),
                .sometimes("contact_id", .id, "Id of the contact that the member is"),
                .always("display_name", .text, "Name in the member's profile"),
                .sometimes("full_name", .text, "Full name in the member's profile"),
                .sometimes("bio", .text, "Description in the member's profile"),
                .always("blocked", .flag, "True if you blocked the member"),
                .always("blocked_for_all", .flag, "True if a moderator blocked the member for all members"),
                .always(
                    "reachable", .flag,
                    "True if the connection with the member is complete, or chat relays pass messages on to the member"),
                .sometimes("support_unread", .count, "Number of unread messages in the chat with the moderators"),
                .always("created_at", .time, "Time when the member became known"),
            ] + Profile.details(of: "member"))
    ]
    static let columns = [
        Table.Column("ID"), Table.Column("NAME", isFlexible: true), Table.Column("ROLE"), Table.Column("STATE"),
        Table.Column("PROFILE NAME", isFlexible: true),
    ]

    var json: JSONObject {
        var json = JSONObject(type: "member")
        json.set("id", member.objectID)
        json.set("member", member.isUser ? member.name : member.target(in: group))
        json.set("chat", group.target)
        json.set("chat_id", group.objectID)
        json.set("name", member.name)
        json.set("role", member.role.word)
        json.set("state", state.rawValue)
        if member.isUser { json.set("you", true) }
        json.set("contact_id", member.contactID.map { ObjectID.text($0) })
        let profile = member.profile
        json.set("display_name", profile.displayName)
        if !profile.fullName.isEmpty { json.set("full_name", profile.fullName) }
        json.set("bio", profile.shortDescription)
        profile.setDetails(in: &json)
        json.set("blocked", !member.showsMessages)
        json.set("blocked_for_all", member.isBlockedForAll)
        json.set("reachable", member.isUser || !group.reaches(member) || member.isReady)
        json.set("support_unread", member.supportChat?.unreadCount)
        json.set("created_at", member.createdAt.description)
        return json
    }

    /// One line about what was done, or all that there is.
    func lines(_ style: ReportStyle) -> [StyledText] {
        if let action {
            return [
                StyledText("\(action) ") + StyledText(member.target(in: group), .name)
                    + StyledText(" (\(member.objectID), \(member.role.word))", .muted)
            ]
        }
        var table = Table([Table.Column(""), Table.Column("", isFlexible: true)])
        func add(_ name: String, _ value: StyledText) { table.add([StyledText(name, .muted), value]) }
        let profile = member.profile
        add("member", StyledText(member.target(in: group), .name))
        add("id", StyledText(member.objectID))
        add("role", StyledText(member.role.word))
        add("state", StyledText(state.rawValue, state == .connected ? .plain : .warning))
        add("profile name", StyledText(profile.displayName))
        if !profile.fullName.isEmpty { add("full name", StyledText(profile.fullName)) }
        if let bio = profile.shortDescription { add("bio", StyledText(bio)) }
        for row in profile.details(style) { add(row.name, row.value) }
        if let contact = member.contactID { add("contact", StyledText(ObjectID.text(contact))) }
        if !member.isUser, group.reaches(member) { add("reachable", StyledText(member.isReady ? "yes" : "not yet")) }
        if !marks.isEmpty { add("flags", StyledText(marks.joined(separator: ", "), .warning)) }
        if let count = member.supportChat?.unreadCount, count > 0 {
            add("support", StyledText("\(count) unread", .unread))
        }
        add("since", style.time(member.createdAt))
        return table.lines(width: style.width, withTitles: false)
    }

    /// The state of the membership. Members of a channel have a connection with its chat relays only.
    private var state: GroupState {
        member.isUser || group.reaches(member) || !member.status.isCurrent ? member.state : .connected
    }

    private var marks: [String] {
        [
            member.showsMessages || member.isUser ? nil : "blocked", member.isBlockedForAll ? "blocked for all" : nil,
        ].compactMap(\.self)
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        let profile = member.profile
        let names = [profile.displayName, profile.fullName].filter { !$0.isEmpty }
        let states = ([state.rawValue] + marks).joined(separator: ", ")
        return [
            StyledText(member.objectID, .muted),
            member.isUser ? StyledText("you", .own) : StyledText("@\(member.name)", .name),
            StyledText(member.role.word),
            StyledText(states, state == .connected && marks.isEmpty ? .plain : .warning),
            StyledText(names.joined(separator: ", ")),
        ]
    }
}
