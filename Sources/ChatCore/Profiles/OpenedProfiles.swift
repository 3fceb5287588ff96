import Agent
public import AgentProtocol
import ChatProtocol

/// Hidden profiles: nobody who uses the store finds them without their password. They receive as all do.
extension LocalCore {
    /// The hidden profiles whose password the caller knows. It belongs to a caller and not to the core, which may carry out
    /// commands of several callers at a time.
    @TaskLocal private static var opened: Set<ProfileID> = []

    /// Runs commands that may use a hidden profile, see ``OpenProfile``.
    public static func withOpened<Value>(
        _ ids: Set<ProfileID>, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await $opened.withValue(opened.union(ids)) { try await body() }
    }

    /// Whether the caller may know of a profile.
    func isVisible(_ profile: OwnProfile) -> Bool {
        !profile.isHidden || LocalCore.opened.contains(profile.id)
    }

    /// All profiles that the caller may know of.
    func visibleProfiles() throws -> [OwnProfile] {
        try store.profiles().filter(isVisible)
    }
}
