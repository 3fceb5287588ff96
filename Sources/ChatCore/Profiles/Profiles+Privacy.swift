import Agent
import AgentProtocol

/// Hidden profiles, and which one is active.
extension Profiles {
    /// A profile that the caller may know of, or a hidden one that the password opens. Without the right one there is no such
    /// profile.
    func profile(_ id: ProfileID, openedBy password: PlainPassword?) throws -> OwnProfile {
        try opened(try store.profile(id), by: password, otherwise: .profileNotFound(id))
    }

    /// The same by its name.
    func profile(named name: String, openedBy password: PlainPassword?) throws -> OwnProfile {
        try opened(try store.profile(named: name), by: password, otherwise: .profileNotFound(ProfileID(0)))
    }

    private func opened(
        _ profile: OwnProfile?, by password: PlainPassword?, otherwise error: ChatError
    ) throws -> OwnProfile {
        if let password {
            // A password for a profile that has none does not matter, as in the reference implementation.
            if let profile, !profile.isHidden { return profile }
            // SECURITY: where there is nothing to open it takes as long, or the time would tell that there is something.
            let stored = try profile.flatMap { try store.password(of: $0.id) } ?? ProfilePassword.ofNobody
            guard try stored.accepts(password.text), let profile else { throw error }
            return profile
        }
        guard let profile, lookup.isVisible(profile) else { throw error }
        return profile
    }

    func activate(_ profile: OwnProfile) throws -> OwnProfile {
        try store.transaction { try store.activate(profile.id) }
        return try lookup.owner(profile.id)
    }

    /// A hidden profile that was active is not when the store is opened again.
    func settleActive() throws {
        guard let active = try store.activeProfile(), active.isHidden,
            let other = try store.profiles().first(where: { !$0.isHidden })
        else { return }
        try store.transaction { try store.activate(other.id) }
    }

    func hide(_ profile: OwnProfile, _ password: PlainPassword) throws -> OwnProfile {
        guard !profile.isHidden else { throw ChatError.profilePrivacy(profile.id, .alreadyHidden) }
        guard !password.text.isEmpty else { throw ChatError.profilePrivacy(profile.id, .emptyPassword) }
        guard try store.profiles().contains(where: { !$0.isHidden && $0.id != profile.id }) else {
            throw ChatError.profilePrivacy(profile.id, .lastVisible)
        }
        let stored = try ProfilePassword(password.text, random: context.environment.random)
        try store.transaction { try store.setPassword(stored, of: profile.id) }
        return try store.profile(profile.id) ?? profile
    }

    func delete(_ profile: OwnProfile, deletesQueues: Bool) async throws {
        let agent = try agent
        guard try !profile.isActive || !store.profiles().contains(where: { $0.id != profile.id && !$0.isHidden }) else {
            throw ChatError.profileActive(profile.id, profile.name)
        }
        let ids = try store.connections(of: profile.id)
        for connection in ids where try agent.contains(connection) { try agent.delete(connection) }
        try store.transaction { try store.removeProfile(profile.id) }
        guard deletesQueues else { return }
        for connection in ids { agent.deliver(connection) }
        _ = await agent.wait(Connector.relayTimeout) { agent.hasTriedAll }
    }
}
