import AgentProtocol

/// Notes to oneself.
extension Profiles {
    /// The name of the notes of a profile, unless it is taken.
    private static let notesName = "notes"

    /// The notes of a profile, if there ever were any.
    func notes(of profile: OwnProfile) throws -> NoteFolder {
        guard let notes = try store.notes(of: profile.id) else {
            throw ChatError.contactNotFoundByName(Profiles.notesName)
        }
        return notes
    }

    /// The notes of a profile, which are made if there are none.
    func openNotes(of profile: OwnProfile) throws -> NoteFolder {
        if let notes = try store.notes(of: profile.id) { return notes }
        let id = try store.transaction {
            try store.insertNotes(
                named: try store.freeName(Profiles.notesName, in: profile.id), of: profile.id, at: now)
        }
        guard case .notes(let notes) = try lookup.chat(.notes(id)) else { throw ChatError.notesNotFound(id) }
        return notes
    }
}
