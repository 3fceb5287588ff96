public import AgentProtocol

/// What a session does about something that happened in the store.
public enum SessionEffect: Hashable, Sendable {
    case newItems([LocatedItem])
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
