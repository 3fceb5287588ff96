public import AgentProtocol
public import SMPProtocol

/// What a session does about something that happened in the store.
public enum SessionEffect: Hashable, Sendable {
    case newItems([LocatedItem])
    /// How far messages have come.
    case itemsUpdated([LocatedItem])
    /// A message says something else, or was given an emoji.
    case itemChanged(LocatedItem)
    case itemsDeleted([DeletedEntry])
    /// Somebody here deleted a contact.
    case contactDeleted(ContactID)
    /// A profile was deleted or hidden.
    case profileGone(ProfileID)
    /// What lists and counters show is something else.
    case listsChanged
    /// There is another passcode, or none, or somebody tried one.
    case gateChanged
    /// A profile shows something else at first.
    case homeChanged
    /// A contact calls, and waits for an answer.
    case callBegan(LocatedItem)
    /// A call waits for no answer any longer.
    case callEnded(LocatedItem)
    case requestReceived(ReceivedRequest)
    /// A relay cannot be reached; it is tried again.
    case relayLost(ServerAddress, RelayProblem)
    case relayReached(ServerAddress)
    /// Whatever else a person waits for.
    case notice(EventNotice)

    /// An entry that is not there any more.
    public struct DeletedEntry: Hashable, Sendable {
        public let contact: ContactID
        public let item: ChatItemID

        public init(contact: ContactID, item: ChatItemID) {
            self.contact = contact
            self.item = item
        }
    }

    /// SECURITY: who hides a profile does not want others to see on the screen what is done in it.
    static func visible(_ profile: OwnProfile, _ effect: SessionEffect) -> SessionEffect? {
        profile.isHidden ? nil : effect
    }

    static func deleted(_ items: [DeletedItem]) -> SessionEffect {
        .itemsDeleted(items.map { DeletedEntry(contact: $0.before.contact.id, item: $0.before.item.id) })
    }
}
