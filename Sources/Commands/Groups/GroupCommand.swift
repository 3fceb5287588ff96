import ChatCore
import CommandKit
import TerminalKit

/// `tacit group`
enum GroupCommand {
    static let command = Command(
        noun: "group", "Manage groups, their members and links", verbs: leaves.map(\.command), defaultVerb: "list")

    static let leaves = [
        GroupListCommand.leaf, GroupShowCommand.leaf, GroupCreateCommand.leaf, GroupJoinCommand.leaf,
        GroupMembersCommand.leaf, GroupMemberCommand.leaf, GroupContactCommand.leaf, GroupInviteCommand.leaf,
        GroupLinkCommand.leaf,
        GroupAcceptCommand.leaf, GroupRejectCommand.leaf, GroupRoleCommand.leaf, GroupBlockCommand.leaf,
        GroupUnblockCommand.leaf, GroupRemoveCommand.leaf, GroupModerateCommand.leaf, GroupReportMessageCommand.leaf,
        GroupSetCommand.leaf,
        GroupRenameCommand.leaf, GroupMuteCommand.leaf, GroupUnmuteCommand.leaf, GroupLeaveCommand.leaf,
        GroupDeleteCommand.leaf,
    ]

    /// A group that exists.
    static let target = Positional<Target>("GROUP", "Group, by name or id", .group())
    /// A member of a group.
    static let member = Positional<MemberName>("MEMBER", "Member, as +group/@name or by id", .member())
    /// Members of one group.
    static let members = Positional<[MemberName]>(
        repeated: "MEMBER", "Members of one group, as +group/@name or by id", .member())

    /// The name of a group, which may be typed as a target: `+team`.
    static func name(typed word: String) -> String {
        word.first == "+" ? String(word.dropFirst()) : word
    }

    /// The end of the sentence "cannot ...".
    static func purpose(_ verb: String) -> @Sendable (Parsed) -> String {
        { "\(verb) \(UntrustedText($0[target].word).quoted)" }
    }

    /// The same about members.
    static func purpose(members verb: String) -> @Sendable (Parsed) -> String {
        { parsed in
            "\(verb) \(parsed[members].map { UntrustedText($0.word).quoted }.joined(separator: ", "))"
        }
    }

    /// Prints what was done with members.
    static func report(
        _ group: Group, _ members: [GroupMember], _ action: String, _ invocation: Invocation
    ) throws {
        try invocation.print(done: members.map { MemberReport(group, $0, action: action) })
    }
}
