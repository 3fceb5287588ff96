import AgentProtocol
import Store

/// The home of a profile: the list of its chats, or the only conversation of a one-to-one profile.
extension Profiles {
    /// Makes the conversation with a contact the home of its profile, or the list for nil.
    func setHome(_ contact: ContactID?, of profile: OwnProfile) throws -> HomeChange {
        if let contact, try store.contact(contact)?.profileID != profile.id { throw ChatError.contactNotFound(contact) }
        guard contact != profile.home else { return .unchanged(profile) }
        try store.transaction { try store.setHome(contact, of: profile.id) }
        let changed = try lookup.profile(profile.id)
        tell(HomeChangedEvent(profile: changed))
        return .changed(changed)
    }

}

extension ChatStore {
    /// The contact that is the home of the profile in a row of `profiles`, as long as it is there.
    static let homeQuery = """
        SELECT contact_id FROM contacts WHERE contacts.profile_id = profiles.profile_id AND status <> 'deletedByUser'
            AND contact_id = (
                SELECT CAST(value AS INTEGER) FROM session_values WHERE key = 'home-' || profiles.profile_id)
        """

    func setHome(_ contact: ContactID?, of id: ProfileID) throws {
        try setSessionValue("home-\(id.number)", contact.map { "\($0.number)" })
    }
}
