import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// `tacit channel create`
enum ChannelCreateCommand {
    static let name = Positional<String>("NAME", "Name of the channel", .text("NAME"))
    static let relays = Option<[String]>(
        repeated: "relay", "Address of a chat relay; without it, all of the profile", .text("ADDRESS"), isCommon: true)
    static let description = Option<String?>(
        "description", "Short description of the channel", .text("TEXT"), isCommon: true)
    static let image = ProfilePicture.option("Picture of the channel, from a file")
    static let history = Option<Bool>(
        flag: "history", "Send recent messages to new subscribers", isCommon: true)
    static let incognito = Option<Bool>(
        flag: "incognito", "Use a random name in this channel instead of the profile", isCommon: true)
    static let link = Option<Bool>(flag: "link", "Print only the link of the channel", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "channel create", "Create a channel",
            promise: "the channel is on disk, and a chat relay serves it (with --wait queued: chat relays were asked)",
            store: .writing, positionals: [name],
            options: [
                relays, description, image, history, incognito, link, ChannelRelaysCommand.wait,
                ChannelRelaysCommand.timeout,
            ],
            examples: [
                Example(
                    "tacit channel create news --relay 'https://smp.example.com/r#...'",
                    "Create a channel on one chat relay"),
                Example("tacit channel create news --history --link", "Create a channel and print its link"),
            ],
            exits: [64, 65, 68, 69, 73, 75, 78, 79],
            reports: GroupReport.forms + GroupLinkReport.forms + ChannelRelayReport.forms,
            discussion: """
                You own the channel. Subscribers join with its link, which 'tacit group link +NAME' prints, as soon as a chat \
                relay serves the channel. A new chat relay is added to the list of the profile.
                """),
        purpose: { "create the channel \(UntrustedText($0[name]).quoted)" },
        run: { try StoreOpener($0, isWriting: true).run { try await create($0) } })

    private static func create(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        let deadline = ContinuousClock.now + invocation[ChannelRelaysCommand.timeout]
        var profile = GroupProfile(displayName: GroupCommand.name(typed: invocation[name]))
        profile.shortDescription = invocation[description]
        profile.image = try ProfilePicture.uri(of: invocation[image] ?? "")
        var preferences = GroupPreferences.newChannel
        preferences[.history] = GroupPreferences.Setting(invocation[history])
        profile.preferences = preferences
        let relays = try await session.chatRelays(at: invocation[relays].map(ShortLink.init(ofChatRelay:)))
        guard !relays.isEmpty else { throw Reason.noChatRelay }
        session.progress.start { "creating the channel" }
        let command = CreateChannel(
            try await session.profileID(), on: relays.compactMap(\.id), profile, isIncognito: invocation[incognito])
        let made = try await session.execute(command, before: deadline)
        guard case .created(let group, let link, _) = made.outcome else {
            session.progress.stop()
            return made.failures(during: "create the channel", invocation)
        }
        let code = try await ChannelRelaysCommand.finish(group, deadline, session)
        session.progress.stop()
        if invocation[Self.link] {
            try invocation.print(GroupLinkReport(group: group, link: link))
        } else {
            try invocation.print(
                done: GroupReport(group: try await session.group(.groupID(group.id)), action: "created"))
        }
        return code
    }
}
