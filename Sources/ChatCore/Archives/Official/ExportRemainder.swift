import Agent

/// The data of a store that an archive for the official apps does not contain. The raw values are for programs.
public enum ExportRemainder: String, CaseIterable, Hashable, Sendable {
    // Conversations, which come first: they do not continue.

    /// Connections that failed before they were complete.
    case failedConnections = "failed-connections"
    /// Attempts to join that were interrupted.
    case unfinishedJoins = "unfinished-joins"
    /// Connections with records that cannot be read.
    case damagedConnections = "damaged-connections"
    /// Addresses and group links without a connection.
    case addresses
    /// Requests that cannot be answered.
    case requests
    /// Prepared contacts whose invitation was opened here, and which the app cannot connect.
    case openedLinks = "opened-links"
    /// Replacements of queues that have to begin again.
    case rotations
    /// Changes of links that their relays do not have yet.
    case linkChanges = "link-changes"
    /// Received events that no conversation has yet.
    case events
    /// Messages that wait to be sent and that the app cannot send.
    case unsentMessages = "unsent-messages"
    /// Blocked contacts: the app shows their messages.
    case blockedContacts = "blocked-contacts"

    /// Channels that the user serves as a relay, and all channels for an app without them. Their keys stay in the store.
    case channels

    // Messages

    /// Entries of kinds that the app does not have.
    case entries
    /// Edits, reactions and deletions that wait for their message.
    case changes

    // Files

    /// Unfinished transfers.
    case transfers
    /// Files outside of the store.
    case files
    /// Files without a message.
    case standaloneFiles = "standalone-files"

    // Settings

    /// Relays that the app cannot use.
    case servers
    /// Profiles with fields that the app does not have.
    case profileFields = "profile-fields"
    /// Default times after which messages disappear, and rules for accepting files.
    case settings
    /// Read cursors.
    case cursors
    /// Drafts.
    case drafts

    init(_ remainder: OfficialAgentExport.Remainder) {
        self =
            switch remainder {
            case .unfinishedJoins: .unfinishedJoins
            case .damagedConnections: .damagedConnections
            case .rotations: .rotations
            case .events: .events
            case .linkChanges: .linkChanges
            case .openedLinks: .openedLinks
            }
    }
}
