import ChatCore
import CommandKit
import TerminalKit

/// `tacit group unmute`
enum GroupUnmuteCommand {
    static let leaf: Leaf = .init(
        Command(
            "group unmute", "Unmute a group", promise: "the group is unmuted on disk", store: .writing,
            positionals: [GroupCommand.target],
            examples: [Example("tacit group unmute +team", "Notify about all messages again")], exits: [67],
            reports: GroupReport.forms, topics: ["targets"]),
        purpose: GroupCommand.purpose("unmute"),
        body: { try await GroupMuteCommand.notify($0, .all, "unmuted") })
}
