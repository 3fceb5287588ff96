import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// `tacit group rename`
enum GroupRenameCommand {
    static let name = Positional<String>("NAME", "New name of the group", .text("NAME"))

    static let leaf: Leaf = .init(
        Command(
            "group rename", "Change the name of a group for all members", promise: GroupDelivery.promise,
            store: .writing, positionals: [GroupCommand.target, name], options: GroupDelivery.options,
            examples: [Example("tacit group rename +team 'Team north'", "Rename a group")],
            exits: [64, 67, 68, 69, 73, 75], reports: GroupReport.forms, topics: ["targets"],
            discussion: "You need the role owner. 'tacit group set --alias' adds a note for yourself only."),
        purpose: GroupCommand.purpose("rename"),
        body: { session in
            let invocation = session.invocation
            let group = try await session.group(invocation[GroupCommand.target])
            var profile = group.profile
            profile.displayName = GroupCommand.name(typed: invocation[name])
            let renamed = try await session.update(group, profile: profile)
            try invocation.print(done: GroupReport(group: renamed, action: "renamed"))
            return try await GroupDelivery.finish(renamed, session)
        })
}
