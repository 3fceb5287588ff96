import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// `tacit group create`
enum GroupCreateCommand {
    static let name = Positional<String>("NAME", "Name of the group", .text("NAME"))
    static let fullName = Option<String?>("full-name", "Longer name of the group", .text("NAME"), isCommon: true)
    static let description = Option<String?>(
        "description", "Short description of the group", .text("TEXT"), isCommon: true)
    static let image = ProfilePicture.option("Picture of the group, from a file")
    static let incognito = Option<Bool>(
        flag: "incognito", "Use a random name in this group instead of the profile", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "group create", "Create a group", promise: "the group is on disk", store: .writing, positionals: [name],
            options: [fullName, description, image, incognito],
            examples: [
                Example("tacit group create team", "Create a group that you own"),
                Example(
                    "tacit group create 'Book club' --description 'one book a month'",
                    "Create a group with a description"),
                Example("tacit group create team --image logo.png", "Create a group with a picture"),
            ],
            exits: [64, 65, 66, 73, 78], reports: GroupReport.forms,
            discussion: """
                The group has one member, you, with the role owner. 'tacit group invite' adds contacts, and 'tacit group link' \
                creates a link for others. Relays are not contacted.
                """),
        purpose: { "create the group \(UntrustedText($0[name]).quoted)" },
        body: { session in
            let invocation = session.invocation
            var profile = GroupProfile(displayName: GroupCommand.name(typed: invocation[name]))
            profile.fullName = invocation[fullName] ?? ""
            profile.shortDescription = invocation[description]
            profile.image = try ProfilePicture.uri(of: invocation[image] ?? "")
            profile.preferences = .newGroup
            let group = try await session.create(profile, isIncognito: invocation[incognito])
            try invocation.print(done: GroupReport(group: group, action: "created"))
            return .ok
        })
}
