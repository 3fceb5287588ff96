import AgentProtocol
import ByteCoding
import ChatProtocol
import Store

/// Notes: the conversation of a profile with itself. It is a contact without a connection, made with the first note, which no
/// list of contacts has. What is written there has arrived.
extension LocalCore {
    /// The name that the notes of a profile have if nobody else is called so.
    private static let notesName = "notes"

    /// The notes of a profile, if there ever were any.
    func notes(of profile: OwnProfile) throws -> Contact {
        guard let notes = try store.notes(of: profile.id) else {
            throw ChatError.contactNotFoundByName(LocalCore.notesName)
        }
        return notes
    }

    /// The notes of a profile, which are made if there are none.
    func openNotes(of profile: OwnProfile) throws -> Contact {
        if let notes = try store.notes(of: profile.id) { return notes }
        let presented = Profile(displayName: LocalCore.notesName)
        let id = try store.transaction {
            let name = try store.freeName(LocalCore.notesName, in: profile.id)
            let id = try store.insertContact(presented, named: name, of: profile.id, at: now)
            try store.makeNotes(id)
            return id
        }
        return try contact(id)
    }
}

extension ChatStore {
    func notes(of id: ProfileID) throws -> Contact? {
        try contacts("WHERE contacts.profile_id = ? AND contacts.is_notes = 1", id.number).first
    }

    /// Makes a new contact the notes of its profile.
    func makeNotes(_ id: ContactID) throws {
        try database.run("UPDATE contacts SET is_notes = 1 WHERE contact_id = ?", id.number)
    }

    /// A note is where it should be as soon as it is written.
    func keepNote(_ id: ChatItemID, at time: Timestamp) throws {
        try update(id, status: .sendReceived(isIntact: true))
        try startTimer(of: id, at: time)
    }
}
