import Agent
import AgentProtocol
import ChatProtocol

/// The profiles of a store: what they say about their owners, their homes, their notes, and the first steps with them.
final class Profiles: Collaborator {
    let context: CoreContext
    let servers: Servers
    let connector: Connector

    init(_ context: CoreContext, servers: Servers, connector: Connector) {
        self.context = context
        self.servers = servers
        self.connector = connector
    }

    /// Throws unless a profile can be shown to others.
    ///
    /// - Parameter former: The profile before a change, whose name may stay.
    func check(_ profile: Profile, former: Profile? = nil) throws(ChatError) {
        do throws(ProfileError) {
            try profile.checkForSending(isNewName: profile.displayName != former?.displayName)
        } catch .displayName {
            throw ChatError.invalidName(
                profile.displayName, suggestion: Profile.DisplayName.suggestion(for: profile.displayName)?.text)
        } catch {
            throw ChatError.invalidProfile
        }
    }

    /// Changes what a profile says about its owner, and tells contacts.
    func update(_ former: OwnProfile, _ presented: Profile) async throws -> ProfileUpdate {
        guard presented != former.profile else { return .unchanged(former) }
        try check(presented, former: former.profile)
        let contacts = try store.contacts(of: former.id)
        try store.transaction {
            var name = former.name
            if presented.displayName != former.profile.displayName {
                name = presented.displayName
                guard try store.profile(named: name) == nil, try !store.isTaken(name, in: former.id) else {
                    throw ChatError.nameTaken(name)
                }
                try store.free(former.profile.displayName, in: former.id)
                try store.take(name, in: former.id)
            }
            try store.update(former.id, profile: presented, named: name)
            try store.setChanged(former.id, at: now)
            try store.oweProfile(of: former.id)
        }
        let changed = try notePreferences(former.profile, contacts)
        let told = try await connector.deliverChangedProfiles().filter { try store.connection($0)?.contactID != nil }
        return .updated(
            from: former.profile, to: try lookup.profile(former.id), told: told.count, changed: changed)
    }

    /// Notes in conversations what they allow now, where that is something else.
    ///
    /// - Returns: The contacts of those.
    private func notePreferences(_ former: Profile, _ contacts: [Contact]) throws -> [Contact] {
        guard let first = contacts.first, let profile = try store.profile(first.profileID),
            former.preferences != profile.profile.preferences
        else { return [] }
        var changed: [Contact] = []
        for contact in contacts where contact.status == .active {
            let present = try lookup.contact(contact.id)
            guard Preferences.told(to: contact) != Preferences.told(to: present) else { continue }
            changed.append(present)
            let events = try store.transaction {
                try connector.noteChanges(from: contact, to: present, by: .sent, profile)
            }
            for event in events { tell(event) }
        }
        return changed
    }
}
