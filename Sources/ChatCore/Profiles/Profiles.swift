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
    func check(_ profile: Profile) throws(ChatError) {
        do throws(ProfileError) {
            try profile.checkForSending()
        } catch .displayName {
            throw ChatError.invalidName(
                profile.displayName, suggestion: Profile.DisplayName.suggestion(for: profile.displayName)?.text)
        } catch {
            throw ChatError.invalidProfile
        }
    }

    /// Changes what a profile says about its owner, and tells contacts.
    func update(_ former: OwnProfile, _ presented: Profile) async throws -> ProfileUpdate {
        let agent = try agent
        try check(presented)
        guard presented != former.profile else { return .unchanged(former) }
        try store.transaction {
            if presented.displayName != former.name {
                let name = presented.displayName
                guard try store.profile(named: name) == nil, try !store.isTaken(name, in: former.id) else {
                    throw ChatError.nameTaken(name)
                }
                try store.free(former.name, in: former.id)
                try store.take(name, in: former.id)
            }
            try store.update(former.id, profile: presented)
            try store.oweProfile(of: former.id)
        }
        let told = try connector.tellChangedProfiles()
        for id in told { agent.deliver(id) }
        _ = await agent.wait(Connector.relayTimeout) { agent.hasTriedAll }
        let contacts = try told.filter { try store.connection($0)?.contactID != nil }
        return .updated(from: former.profile, to: try lookup.profile(former.id), told: contacts.count)
    }
}
