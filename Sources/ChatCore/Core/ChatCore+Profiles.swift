import AgentProtocol
import ChatProtocol
import SMPProtocol

extension ChatCore {
    func profile(_ id: ProfileID) throws -> OwnProfile {
        guard let profile = try store.profile(id) else { throw ChatError.profileNotFound(id) }
        return profile
    }

    /// The profile that a command is about: the active one if it does not say.
    func profile(_ id: ProfileID?) throws -> OwnProfile {
        if let id { try profile(id) } else { try activeProfile() }
    }

    func activeProfile() throws -> OwnProfile {
        guard let profile = try store.activeProfile() else { throw ChatError.noActiveProfile }
        return profile
    }

    func createProfile(_ profile: Profile) throws -> ChatResponse {
        do throws(ProfileError) {
            try profile.checkForSending()
        } catch .displayName {
            throw ChatError.invalidName(
                profile.displayName, suggestion: Profile.DisplayName.suggestion(for: profile.displayName)?.text)
        } catch {
            throw ChatError.invalidProfile
        }
        let id = try store.transaction {
            guard try store.profile(named: profile.displayName) == nil else {
                throw ChatError.nameTaken(profile.displayName)
            }
            // A profile begins with the servers that were in use before it.
            let servers = try store.servers(of: try store.activeProfile()?.id)
            let id = try store.insertProfile(profile, at: now)
            try store.setServers(servers, of: id)
            try store.activate(id)
            return id
        }
        return .activeProfile(try self.profile(id))
    }

    func activateProfile(_ id: ProfileID) throws -> ChatResponse {
        _ = try profile(id)
        try store.transaction { try store.activate(id) }
        return .activeProfile(try profile(id))
    }

    func setServers(_ servers: [ConfiguredServer], of id: ProfileID?) throws -> ChatResponse {
        let profile = try id.map { try self.profile($0) }
        try store.transaction { try store.setServers(servers, of: id) }
        return .commandOK(profile)
    }

    /// What a contact of a profile is told about it: everything that it may do is said, nothing is left to defaults.
    func presentation(of profile: OwnProfile) -> Profile {
        var presented = profile.profile
        presented.preferences = Preferences.own
        return presented
    }
}
