import AgentProtocol
import ChatCore
import CommandKit
import TerminalKit

/// `tacit channel`
enum ChannelCommand {
    static let command = Command(
        noun: "channel", "Manage channels and their chat relays", verbs: leaves.map(\.command), defaultVerb: "list",
        discussion: """
            A channel has one or more owners and any number of subscribers. Chat relays pass messages on, so members do not \
            connect to each other. A channel is named like a group: send, read, watch and the verbs of 'tacit group' take it \
            as +NAME.
            """)

    static let leaves = [
        ChannelListCommand.leaf, ChannelCreateCommand.leaf, ChannelSetCommand.leaf, ChannelRelaysCommand.leaf,
        ChannelTestCommand.leaf,
    ]

    /// A channel that exists.
    static let target = Positional<Target>("CHANNEL", "Channel, by name or id", .group())
}

extension ShortLink {
    /// Reads the address of a chat relay.
    init(ofChatRelay text: String) throws(Reason) {
        guard let link = try? ShortLink(text: text), link.kind == .address(.relay) else {
            throw .invalidChatRelayAddress
        }
        self = link
    }
}

/// `tacit channel list`
enum ChannelListCommand {
    static let leaf: Leaf = .init(
        Command(
            "channel list", "List channels", promise: "the list was printed", store: .reading,
            examples: [Example("tacit channel list", "List the channels that you own or follow")],
            reports: GroupReport.forms),
        purpose: { _ in "list channels" },
        body: { session in
            let channels = try await session.groups().filter(\.isChannel)
            try session.invocation.print(list: channels.map { GroupReport(group: $0) })
            return .ok
        })
}
