import AgentProtocol
import ChatProtocol

extension LocalCore {
    /// The profile that something which happens by itself belongs to, hidden or not.
    func owner(_ id: ProfileID) throws -> OwnProfile {
        guard let profile = try store.profile(id) else { throw ChatError.profileNotFound(id) }
        return profile
    }

    /// The profile that a command is about, if whoever asks may know of it.
    func profile(_ id: ProfileID) throws -> OwnProfile {
        guard let profile = try store.profile(id), isVisible(profile) else { throw ChatError.profileNotFound(id) }
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

    /// Whether others can be shown a profile.
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

    /// What a contact of a profile is told about it: everything that it may do is said, nothing is left to defaults.
    ///
    /// SECURITY: All that says who this is comes from here. Whoever knows a made up profile is told of no other.
    ///
    /// - Parameter incognito: The profile that was made up for the connection.
    func presentation(of profile: OwnProfile, as incognito: Profile?) -> Profile {
        var presented = incognito ?? profile.profile
        presented.preferences = Preferences.own
        return presented
    }
}
