public import AgentProtocol
public import ChatProtocol
public import SMPProtocol

/// Something that happened by itself.
public enum ChatEvent: Hashable, Sendable {
    /// A profile shows something else at first, see ``OwnProfile/home``.
    case homeChanged(OwnProfile)
    /// A contact is there, and the handshake goes on.
    case contactConnecting(OwnProfile, Contact)
    case contactConnected(OwnProfile, Contact)
    /// Somebody wants to be a contact.
    case requestReceived(OwnProfile, ReceivedRequest)
    /// The address accepts by itself.
    case acceptingRequest(OwnProfile, Contact)
    /// Somebody asks again who is a contact already.
    case requestAlreadyAccepted(OwnProfile, Contact)
    /// The other side deleted this side.
    case contactDeletedByContact(OwnProfile, Contact)
    /// Post-quantum keys protect both directions from now on, or no longer.
    case contactPostQuantum(OwnProfile, Contact, isOn: Bool)
    case contactUpdated(OwnProfile, from: Contact, to: Contact)
    /// A connection could not be made, or is lost.
    case connectionFailed(OwnProfile, ContactConnection, Contact?, ConnectionProblem)
    case newItems(OwnProfile, [LocatedItem])
    case itemsUpdated(OwnProfile, [LocatedItem])
    /// The author changed what a message says.
    case itemUpdated(OwnProfile, LocatedItem)
    case itemsDeleted(OwnProfile, [DeletedItem])
    case itemReaction(OwnProfile, LocatedItem, Reaction, isAdded: Bool)
    /// A contact calls, and waits for three minutes.
    case callInvitation(OwnProfile, LocatedItem)
    /// Nobody waits for an answer any more: the contact gave the call up, it was declined here, or time is up.
    case callEnded(OwnProfile, LocatedItem)
    /// This side took a call up.
    case callAccepted(OwnProfile, LocatedItem)
    /// Who calls says how its streams are reached.
    case callAnswered(OwnProfile, LocatedItem, CallSession)
    /// Who calls has found further ways to be reached.
    case callCandidates(OwnProfile, LocatedItem, String)
    /// A queue is being replaced.
    case queueSwitched(OwnProfile, Contact, QueueDirection, SwitchPhase, ConnectionCondition?)
    /// The ratchets of both sides fit, or do not.
    case ratchetSynchronized(OwnProfile, Contact, RatchetSynchronization, ConnectionCondition?)
    /// The relay refused messages for a contact too often: nothing more is sent.
    case connectionDisabled(OwnProfile, Contact)
    /// A message came that is of no use in the state of its connection.
    case messageError(OwnProfile, ContactConnection?, reason: String)
    /// Connections receive from a relay, or no longer.
    case subscriptionStatus(ServerAddress, [ConnectionID], isActive: Bool)
    case hostConnected(ServerAddress)
    case hostDisconnected(ServerAddress, RelayProblem)
    /// Somebody else receives with the same keys: a copy of the store is in use.
    case subscriptionEnded(OwnProfile, Contact?)
    /// The relay does not let a connection receive.
    case subscriptionRefused(OwnProfile, Contact?, RelayProblem)
}
