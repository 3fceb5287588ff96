public import AgentProtocol
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
