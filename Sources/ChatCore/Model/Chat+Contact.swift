import ChatProtocol
import JSONCoding

// What still takes a contact where it means a chat.

extension Chat {
    /// The contact, or the notes in the shape of one.
    public var asContact: Contact {
        switch self {
        case .direct(let contact): contact
        case .group, .notes:
            Contact(
                id: ContactID(reference.number), profileID: profileID, name: name,
                storedProfile: StoredProfile(text: Profile(displayName: name).json.line), status: .active,
                connection: nil, sendsReceipts: nil, unreadCount: unreadCount, createdAt: createdAt,
                updatedAt: createdAt, activeAt: activeAt, isNotes: true, retention: retention, expiry: expiry)
        }
    }
}

extension Contact {
    /// What it is in truth.
    var asChat: Chat {
        isNotes
            ? .notes(
                NoteFolder(
                    id: NoteFolderID(id.number), profileID: profileID, name: name, unreadCount: unreadCount,
                    createdAt: createdAt, updatedAt: updatedAt, activeAt: activeAt, retention: retention, expiry: expiry
                ))
            : .direct(self)
    }
}

extension LocatedItem {
    public var contact: Contact { chat.asContact }
}

extension ChatPreview {
    public var contact: Contact { chat.asContact }
}

extension Cursor {
    public var contact: Contact? { chat?.asContact }
}

extension PurgedChat {
    public var contact: Contact { chat.asContact }
}

extension ItemQuery {
    public var contact: ContactID? {
        get { chat.map { ContactID($0.number) } }
        set { chat = newValue.map { .direct($0) } }
    }
}
