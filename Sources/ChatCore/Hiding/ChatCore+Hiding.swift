import Agent
public import AgentProtocol
import ChatProtocol

/// Hidden profiles: nobody who uses the store finds them without their password. They receive as all do.
extension LocalCore {
    /// The hidden profiles whose password the caller knows. It belongs to a caller and not to the core, which may carry out
    /// commands of several callers at a time.
    @TaskLocal private static var opened: Set<ProfileID> = []

    /// Runs commands that may use a hidden profile, see ``CoreCommand/openProfile(name:password:)``.
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

    /// Only a profile that is not the active one can be hidden: what is active is what everybody sees.
    func hideProfile(_ id: ProfileID, password: String) throws -> CoreResponse {
        _ = try agent
        let profile = try profile(id)
        guard !profile.isActive else { throw ChatError.profileActive(profile.name) }
        let kept = try ProfilePassword(password, random: environment.random)
        try store.transaction { try store.setPassword(kept, of: id) }
        return .profilePrivacy(try store.profile(id) ?? profile)
    }

    func unhideProfile(_ id: ProfileID, password: String) throws -> CoreResponse {
        _ = try agent
        guard let hidden = try store.profile(id), try store.password(of: id)?.accepts(password) == true else {
            throw ChatError.profileNotFound(id)
        }
        try store.transaction { try store.setPassword(nil, of: id) }
        return .profilePrivacy(try store.profile(id) ?? hidden)
    }

    /// The hidden profile that a name and a password open; nobody learns which of the two was wrong.
    func openProfile(name: String, password: String) throws -> CoreResponse {
        let profile = try store.profile(named: name)
        // SECURITY: where there is nothing to open it takes as long, or the time would tell that there is something.
        let kept = try profile.flatMap { try store.password(of: $0.id) } ?? ProfilePassword.ofNobody
        let isRight = try kept.accepts(password)
        guard isRight, let profile else { return .profiles([]) }
        return .profiles([profile])
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
