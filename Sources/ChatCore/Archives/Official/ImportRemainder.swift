import Agent

/// What an import of an archive of the official apps does not take over. The raw values are for programs.
public enum ImportRemainder: String, CaseIterable, Hashable, Sendable {
    // Connections

    /// Joining was interrupted before anything was sent that can be repeated.
    case unfinishedJoins = "unfinished-joins"
    /// Connections that were prepared, without queues.
    case emptyConnections = "empty-connections"
    /// Queues beside the current one and its replacement. They are deleted at their relays.
    case spareQueues = "spare-queues"
    /// Messages that wait without their content.
    case emptyMessages = "empty-messages"
    /// Addresses beside the one of a profile.
    case addresses
    /// Addresses whose owner answers with made-up profiles.
    case incognitoAddresses = "incognito-addresses"
    /// Requests without the invitation that would answer them.
    case requests
    /// Requests at business addresses that wait.
    case businessRequests = "business-requests"

    // Conversations

    /// Channels that the user serves as a relay, which cannot go on. Their keys are kept.
    case channels
    /// Entries of kinds that this program does not have.
    case entries
    /// Reactions, versions and moderations of messages that are not here.
    case changes
    /// Calls under way.
    case calls

    // Files

    /// Files that are sent or received: they begin again.
    case transfers
    /// Files at places outside of the archive.
    case files
    /// Files that were sent in messages, as old versions do.
    case oldFiles = "old-files"
    /// Files that were sent or received by a link.
    case standaloneFiles = "standalone-files"

    // Settings

    /// Relays that this program cannot use, or that are turned off and have no such setting here.
    case servers
    /// Operators that this program does not know.
    case operators
    /// Badges of supporters.
    case badges
    /// Chat relays with unknown addresses, and profiles that are one.
    case chatRelays = "chat-relays"
    /// Colours and wallpapers.
    case themes
    /// Settings of the app.
    case appSettings = "app-settings"
    /// Push notifications of phones.
    case notifications
    /// Computers and phones that were linked.
    case devices

    init(_ remainder: OfficialAgent.Remainder) {
        self =
            switch remainder {
            case .unfinishedJoins: .unfinishedJoins
            case .emptyConnections: .emptyConnections
            case .spareQueues: .spareQueues
            case .emptyMessages: .emptyMessages
            case .notifications: .notifications
            case .transfers: .transfers
            }
    }
}
