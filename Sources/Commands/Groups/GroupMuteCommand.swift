import ChatCore
import CommandKit
import TerminalKit

/// `tacit group mute`
enum GroupMuteCommand {
    static let mentions = Option<Bool>(
        flag: "mentions", "Still notify about messages that mention you or reply to you", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "group mute", "Mute a group", promise: "the group is muted on disk", store: .writing,
            positionals: [GroupCommand.target], options: [mentions],
            examples: [
                Example("tacit group mute +team", "Mute a group; messages still arrive"),
                Example("tacit group mute +team --mentions", "Notify about mentions only"),
            ],
            exits: [67], reports: GroupReport.forms, topics: ["targets"],
            discussion: """
                Messages are received, counted and listed as usual. Notification hooks can check the field mentions_you of a \
                message and the field notifications of the group.
                """),
        purpose: GroupCommand.purpose("mute"),
        body: { try await notify($0, $0.invocation[mentions] ? .mentions : .none, "muted") })

    /// Sets which messages notify the user.
    static func notify(
        _ session: CommandSession, _ notifications: Group.Notifications, _ action: String
    ) async throws -> ExitCode {
        let group = try await session.group(session.invocation[GroupCommand.target])
        let settings = ChatSettings(
            isMuted: notifications == .none, onlyMentions: notifications == .mentions,
            sendsReceipts: group.sendsReceipts, isFavorite: group.marks.isFavorite)
        _ = try await session.execute(SetChatSettings(.reference(.group(group.id)), settings))
        let changed = try await session.group(.groupID(group.id))
        try session.invocation.print(done: GroupReport(group: changed, action: action))
        return .ok
    }
}
