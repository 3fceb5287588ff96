import ChatCore

/// Something that a person or a program did in the store, for the sessions that did not do it themselves.
struct SessionChange: Sendable {
    let event: SessionEvent
    /// The session that did it; nil for a command.
    let session: ObjectIdentifier?
}

extension SessionEvent {
    /// What a command has changed; nil for what it only read, and for what the core tells by itself.
    init?(_ command: CoreCommand, _ response: CoreResponse) {
        let profile: OwnProfile
        switch (command, response) {
        case (.hideProfile(let id, _), _), (.deleteProfile(let id), _):
            self = .profileGone(id)
            return
        default: break
        }
        switch response {
        case .newItems(let owner, let items): (profile, self) = (owner, .newItems(items))
        case .itemUpdated(let owner, let item), .reaction(let owner, let item, _, _):
            (profile, self) = (owner, .itemChanged(item))
        case .itemsDeleted(let owner, let deleted): (profile, self) = (owner, SessionEvent(deleted))
        case .purged(let owner, let chats, isDry: false):
            let entries = chats.flatMap { chat in
                chat.items.map { DeletedEntry(contact: chat.contact.id, item: $0) }
            }
            (profile, self) = (owner, .itemsDeleted(entries))
        case .itemsRead(let owner, _), .requestRejected(let owner, _), .acceptingRequest(let owner, _),
            .invitation(let owner, _, _), .sentConfirmation(let owner, _), .sentInvitation(let owner, _),
            .connectionDeleted(let owner, _), .profileUpdated(_, let owner, _):
            (profile, self) = (owner, .listsChanged)
        case .commandOK(let owner?):
            switch command {
            case .markRead, .setMuted, .muteProfile: (profile, self) = (owner, .listsChanged)
            default: return nil
            }
        default: return nil
        }
        // SECURITY: who hides a profile does not want others to see on the screen what is done in it.
        if profile.isHidden { return nil }
    }

    init(_ deleted: [DeletedItem]) {
        self = .itemsDeleted(deleted.map { DeletedEntry(contact: $0.before.contact.id, item: $0.before.item.id) })
    }
}
