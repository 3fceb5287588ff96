import ByteCoding
import ChatCore
import ChatProtocol
import Commands
import Navigation
import TerminalKit

/// What is known of a group, and where one can go from there.
struct GroupView {
    let group: Group

    func drawing(_ area: DrawingArea) -> Drawing {
        var drawing = Drawing(lines: [area.rule(group.listName)])
        let number = group.id.number
        drawing.commands = [["group", "show", "id:\(ObjectID.text(.group(group.id)))"]]
        drawing.choices = [
            .init(name: "chat", screen: ChatScreen(.group(number)), winsOverCommands: true),
            .init(name: "members", screen: MembersScreen(group: number), winsOverCommands: true),
            .init(name: "link", screen: GroupLinkScreen(group: number), winsOverCommands: true),
            .init(name: "preferences", screen: GroupPreferencesScreen(group: number), winsOverCommands: true),
            .init(name: "support", screen: SupportScreen(group: number), winsOverCommands: true),
        ]
        let waiting = group.attentionCount > 0 ? " (\(group.attentionCount) waiting)" : ""
        drawing.hint =
            group.membership.status == .invited
            ? "join joins the group; reject rejects the invitation"
            : "1 chat, 2 members, 3 link, 4 preferences, 5 support\(waiting); invite @NAME, rename NAME, mute, leave, delete"
        return drawing
    }
}

/// The members of a group.
struct MembersView: ScreenView {
    let group: GroupID

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let group = try await reader.group(group)
        var drawing = Drawing(lines: [area.rule("members of \(group.listName)")])
        let known = try await reader.members(of: group.id)
        let members = known.filter { !$0.status.isGone }, gone = known.count - members.count
        var table = ListTable(count: members.count)
        for member in members {
            table.add(
                StyledText(member.name, .member(member.id.number)), unread: member.supportChat?.unreadCount ?? 0,
                MemberView.words(member, in: group))
            drawing.choices.append(
                .init(name: member.name, screen: MemberScreen(group: group.id.number, member: member.id.number)))
        }
        drawing.lines += table.lines(area)
        drawing.lines += area.text("you: \(MemberView.role(group.membership))", .muted)
        if gone > 0 {
            drawing.lines += area.text("\(gone) former: group members \(group.listName) --all", .muted)
        }
        drawing.hint = (members.isEmpty ? "" : "a number or a name shows a member; ") + "invite @NAME, link"
        return drawing
    }
}

/// A member of a group, and what can be done with it.
struct MemberView: ScreenView {
    let group: GroupID
    let member: GroupMemberID

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let group = try await reader.group(group)
        guard let member = try await reader.members(of: group.id).first(where: { $0.id == member }) else {
            return Drawing(lines: [area.rule("member")] + area.text("The member is not known any longer.", .warning))
        }
        var drawing = Drawing(lines: [area.rule("\(member.name) in \(group.listName)")])
        drawing.commands = [["group", "member", "id:\(ObjectID.text(member.id))"]]
        if let contact = member.contactID {
            drawing.choices = [.init(name: "chat", screen: ChatScreen(contact: contact.number), winsOverCommands: true)]
        }
        if group.membership.role >= .moderator {
            drawing.choices.append(
                .init(
                    name: "support", screen: SupportChatScreen(group: group.id.number, member: member.id.number),
                    winsOverCommands: true))
        }
        drawing.hint = hint(member, group)
        return drawing
    }

    private func hint(_ member: GroupMember, _ group: Group) -> String {
        let own = group.membership.role
        var words = member.contactID == nil ? [] : ["1 chat"]
        if own >= .moderator { words.append("\(words.count + 1) support") }
        if member.status.isPending, own >= .moderator { words += own >= .admin ? ["accept", "reject"] : ["accept"] }
        words.append(member.showsMessages ? "block" : "unblock")
        if own >= .moderator, own >= member.role {
            words.append(member.isBlockedForAll ? "unblock --for-all" : "block --for-all")
        }
        if own >= .admin, own >= member.role { words += ["role ROLE", "remove"] }
        return words.joined(separator: ", ")
    }

    /// The role and what is special about a member.
    static func words(_ member: GroupMember, in group: Group) -> StyledText {
        // Members of a channel have a connection with its chat relays only.
        let isActive = member.status.isActive || (member.status.isCurrent && !group.reaches(member))
        let marks = [
            member.status.isPending ? "waits for a moderator" : isActive ? nil : member.status.words,
            member.showsMessages ? nil : "blocked", member.isBlockedForAll ? "blocked for all" : nil,
        ].compactMap(\.self)
        return StyledText(role(member), .muted)
            + StyledText(marks.isEmpty ? "" : "  \(marks.joined(separator: ", "))", .warning)
    }

    static func role(_ member: GroupMember) -> String { member.role.isKnown ? member.role.rawValue : "unknown role" }
}

extension GroupMember.Status {
    /// Why a member does not take part in conversations.
    fileprivate var words: String {
        switch self {
        case .invited: "invited"
        case .rejected: "rejected"
        case .removed: "removed"
        case .left: "left"
        case .deleted: "deleted"
        case .unknown: "unknown"
        default: "connecting"
        }
    }
}

/// The link of a group.
struct GroupLinkView: ScreenView {
    let group: GroupID

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let group = try await reader.group(group)
        var drawing = Drawing(lines: [area.rule("link of \(group.listName)")])
        guard try await reader.hasLink(group.id) else {
            drawing.lines += area.text(EmptyList.groupLink)
            drawing.hint = "link --create creates one"
            return drawing
        }
        drawing.commands = [["group", "link", "id:\(ObjectID.text(.group(group.id)))"]]
        drawing.hint = "link --role ROLE sets the role of new members; link --qr, link --delete"
        return drawing
    }
}

/// The permissions of the members of a group.
struct GroupPreferencesView: ScreenView {
    let group: GroupID

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let group = try await reader.group(group)
        var drawing = Drawing(lines: [area.rule("preferences of \(group.listName)")])
        var table = Table([Table.Column(""), Table.Column("", .right), Table.Column("", isFlexible: true)])
        for setting in GroupSetting.all(of: group) {
            table.add([
                StyledText(setting.name), StyledText(setting.value, .heading), StyledText(setting.meaning, .muted),
            ])
        }
        drawing.lines += table.lines(width: area.width - 1, withTitles: false)
        drawing.hint =
            group.membership.role >= .owner
            ? "set --feature NAME=on|off|ROLE changes one; set --review on|off" : "only owners change preferences"
        return drawing
    }
}

/// The chats of members with the moderators of a group, and the members that wait for admission.
struct SupportView: ScreenView {
    let group: GroupID

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let group = try await reader.group(group)
        var drawing = Drawing(lines: [area.rule("support in \(group.listName)")])
        let isModerator = group.membership.role >= .moderator
        // Whoever is no moderator has one such chat.
        let members =
            try await isModerator
            ? reader.members(of: group.id).filter {
                $0.status.isPending || ($0.supportChat != nil && !$0.status.isGone)
            } : [group.membership]
        var table = ListTable(count: members.count)
        for member in members {
            let name = member.isUser ? "moderators" : member.name
            table.add(
                StyledText(name, .member(member.id.number)), unread: member.supportChat?.unreadCount ?? 0,
                time: member.supportChat?.activeAt.milliseconds,
                member.isUser
                    ? StyledText("your chat with the moderators", .muted) : MemberView.words(member, in: group))
            drawing.choices.append(
                .init(
                    name: name, screen: SupportChatScreen(group: group.id.number, member: member.id.number),
                    winsOverCommands: member.isUser))
        }
        drawing.lines += table.lines(area)
        if members.isEmpty { drawing.lines += area.text(EmptyList.support, .muted) }
        drawing.hint = members.isEmpty ? nil : "a number or a name opens a chat"
        return drawing
    }
}

/// The chat of a member with the moderators of a group.
struct SupportChatView: ScreenView {
    let group: GroupID
    let member: GroupMemberID

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let group = try await reader.group(group)
        let isOwn = group.membership.id == member
        let known = try await reader.members(of: group.id).first { $0.id == member }
        guard isOwn || known != nil else {
            return Drawing(lines: [area.rule("support")] + area.text("The member is not known any longer.", .warning))
        }
        let (chat, items) = try await reader.supportChat(group.id, member, count: ChatView.count(area))
        let title = known.map { "\($0.name) and the moderators of" } ?? "moderators of"
        var drawing = Drawing(lines: [area.rule("\(title) \(group.listName)")])
        var messages = MessageLines(area)
        for item in items { drawing.lines += messages.lines(item, from: chat.name) }
        if items.isEmpty { drawing.lines += area.text(EmptyList.messages, .muted) }
        var words = ["say TEXT writes to " + (known.map { "\($0.name) and the moderators" } ?? "the moderators")]
        if let known {
            drawing.choices = [
                .init(
                    name: "member", screen: MemberScreen(group: group.id.number, member: known.id.number),
                    winsOverCommands: true)
            ]
            words.append("1 member")
            if known.status.isPending { words += group.membership.role >= .admin ? ["accept", "reject"] : ["accept"] }
        }
        drawing.hint = words.joined(separator: "; ")
        return drawing
    }
}
