import AgentProtocol
import ChatProtocol

extension LocalCore {
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
