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
        _ id: ProfileID, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await $opened.withValue(opened.union([id])) { try await body() }
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

extension ChatEvent {
    /// Whom an event is for; nil for what is about relays.
    var profile: OwnProfile? {
        switch self {
        case .contactConnecting(let profile, _), .contactConnected(let profile, _), .requestReceived(let profile, _),
            .acceptingRequest(let profile, _), .requestAlreadyAccepted(let profile, _),
            .contactDeletedByContact(let profile, _), .contactPostQuantum(let profile, _, _),
            .contactUpdated(let profile, _, _), .connectionFailed(let profile, _, _, _), .newItems(let profile, _),
            .itemsUpdated(let profile, _), .itemUpdated(let profile, _), .itemsDeleted(let profile, _),
            .itemReaction(let profile, _, _, _), .queueSwitched(let profile, _, _, _, _),
            .ratchetSynchronized(let profile, _, _, _), .connectionDisabled(let profile, _),
            .messageError(let profile, _, _), .subscriptionEnded(let profile, _),
            .subscriptionRefused(let profile, _, _), .callInvitation(let profile, _),
            .callEnded(let profile, _), .callAccepted(let profile, _), .callAnswered(let profile, _, _),
            .callCandidates(let profile, _, _), .homeChanged(let profile):
            profile
        case .subscriptionStatus, .hostConnected, .hostDisconnected: nil
        }
    }
}
