public import AgentProtocol
public import ByteCoding
public import ChatProtocol
public import SMPProtocol

/// The answer to a ``CoreCommand``.
public enum CoreResponse: Hashable, Sendable {
    case activeProfile(OwnProfile)
    case profiles([OwnProfile])
    /// What a profile was and is, and how many contacts are being told.
    case profileUpdated(from: Profile, to: OwnProfile, told: Int)
    case profileUnchanged(OwnProfile)
    case servers(OwnProfile, [OperatorServers])
    /// Nil stands for a server that can be used.
    case serverTested(OwnProfile, ConfiguredServer, ServerTestFailure?)
    case operators([ServerOperator])
    /// The newest conditions, and the operators whose they are.
    case conditions(UsageConditions, [ServerOperator])
    /// A new link, and the connection that waits behind it.
    case invitation(OwnProfile, LinkText, ContactConnection)
    /// An invitation is being used.
    case sentConfirmation(OwnProfile, ContactConnection)
    /// Somebody is being asked at an address.
    case sentInvitation(OwnProfile, ContactConnection)
    case connectionPlan(OwnProfile, ConnectionPlan)
    case invitations(OwnProfile, [ContactConnection])
    case connectionDeleted(OwnProfile, ContactConnection)
    case addressCreated(OwnProfile, Address)
    case address(OwnProfile, Address)
    case addressUpdated(OwnProfile, Address)
    case addressDeleted(OwnProfile)
    case requests(OwnProfile, [ReceivedRequest])
    case acceptingRequest(OwnProfile, Contact)
    case requestRejected(OwnProfile, ReceivedRequest)
    case contacts(OwnProfile, [Contact])
    case contact(OwnProfile, Contact)
    case chats(OwnProfile, [ChatPreview], pending: [ContactConnection])
    case chat(OwnProfile, Contact, [ChatItem])
    case items(OwnProfile, [LocatedItem])
    /// What was written.
    case newItems(OwnProfile, [LocatedItem])
    /// The key of a message was used before, for this entry, which may have been removed.
    case sentBefore(OwnProfile, Contact, ChatItemID, LocatedItem?)
    /// The same for a text that was sent in parts: those that are there.
    case partsSentBefore(OwnProfile, Contact, [LocatedItem])
    case itemUpdated(OwnProfile, LocatedItem)
    /// It says that already.
    case itemUnchanged(OwnProfile, LocatedItem)
    case itemsDeleted(OwnProfile, [DeletedItem])
    case reaction(OwnProfile, LocatedItem, Reaction, isAdded: Bool)
    case cursors(OwnProfile, [Cursor])
    case cursorMoved(OwnProfile, Cursor)
    case cursorDeleted(OwnProfile, Cursor)
    /// The profile says after how long messages are removed.
    case retention(OwnProfile)
    /// What was purged, or would be.
    case purged(OwnProfile, [PurgedChat], isDry: Bool)
    case contactDeleted(OwnProfile, Contact)
    case securityCode(OwnProfile, Contact, SecurityCode)
    /// Whether a code was the right one, and what the right one is.
    case verified(OwnProfile, Contact, isRight: Bool, SecurityCode)
    case profilePrivacy(OwnProfile)
    /// Whether everything that waited for a contact is with its relay; if not, what is in the way.
    case delivered(OwnProfile, Contact, isComplete: Bool, obstacle: RelayProblem?)
    /// Entries of a conversation were marked.
    case itemsRead(OwnProfile, Contact)
    /// Done, and there is nothing to tell.
    case commandOK(OwnProfile?)
    case fetched(FetchReport)
    case itemWaited(OwnProfile, LocatedItem, obstacle: RelayProblem?)
    /// How far a connection came; if not as far as was asked for, what is in the way, or why it never will.
    case connectionWaited(
        OwnProfile, ContactConnection, Contact?, obstacle: RelayProblem?, problem: ConnectionProblem?)
    case switchStarted(OwnProfile, Contact, ConnectionCondition)
    case switchAborted(OwnProfile, Contact, ConnectionCondition)
    case synchronizationStarted(OwnProfile, Contact, ConnectionCondition)
    case session(SessionResponse)
    /// The calls that wait for an answer.
    case calls(OwnProfile, [LocatedItem])
    case callEnded(OwnProfile, LocatedItem)
    /// This side took a call up, and the caller is being told.
    case callAccepted(OwnProfile, LocatedItem)
    case status(StatusReport)
    case version(VersionReport)
}

/// What a ``CoreCommand/fetch(timeout:idle:)`` did.
public struct FetchReport: Hashable, Sendable {
    /// Messages that arrived.
    public var received = 0
    /// Own messages that relays accepted.
    public var sent = 0
    /// Own messages that are still in the outbox.
    public var waiting = 0
    /// Whether everything that waited at relays that could be reached was fetched.
    public var isComplete = false
    public var obstacles: [RelayObstacle] = []

    /// What was counted since an earlier state of the same counters.
    func since(_ earlier: FetchReport) -> FetchReport {
        var report = self
        report.received -= earlier.received
        report.sent -= earlier.sent
        return report
    }
}

/// What is so in a store.
public struct StatusReport: Hashable, Sendable {
    /// The profile that the numbers of contacts and servers are about.
    public let profile: OwnProfile?
    public let profileCount: Int
    public let contactCount: Int
    /// Unread entries of all profiles.
    public let unreadCount: Int
    /// Own messages in the outbox.
    public let waiting: Int
    /// Those of them that are held up by something that does not pass by itself.
    public let heldUp: Int
    /// Own messages that were sent, and not confirmed although later ones were, or that arrived altered.
    public let unconfirmed: Int
    public let servers: [ServerAddress]
    /// How far the first steps have come; nil if they never began, as in a store that `init` has
    /// made with a profile and relays.
    public let onboarding: OnboardingStage?
    /// The newest archive that was made of the store, or of which it was made.
    public let lastExport: ExportMark?
    /// The export that froze the store, or the backup that it is, if it is frozen.
    public let freezingExport: ExportMark?
    /// True if the store was copied from another machine by hand, and nobody has confirmed that only this copy goes on.
    public let isCopy: Bool
    /// The contacts of all profiles whose ratchets are out of step, or whose security code changed after it was compared.
    public let contactsInTrouble: [LocatedContact]
}

/// A contact, and the profile that it belongs to.
public struct LocatedContact: Hashable, Sendable {
    public let profile: OwnProfile
    public let contact: Contact
}

/// What this program is.
public struct VersionReport: Hashable, Sendable {
    public let version: String
    /// The ranges that it speaks.
    public let chat: VersionRange
    public let agent: VersionRange
    public let smp: VersionRange
    public let ratchet: VersionRange
}
