import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// What others are shown of a profile, when it changes: contacts are told, and own links show it.
extension Connector {
    /// Tells of changed profiles whoever was not told yet and can be told now. What is told is in the agent's outbox; to do
    /// it twice, after a crash, does no harm.
    ///
    /// - Returns: The connections with something new in the outbox.
    @discardableResult
    func tellChangedProfiles() throws -> [ConnectionID] {
        var told: [ConnectionID] = []
        for id in try store.connectionsOwedProfile() {
            guard let outcome = try present(id) else { continue }
            try store.transaction { try store.setProfilePresented(id) }
            if outcome { told.append(id) }
        }
        return told
    }

    /// Whether something had to be told to whoever is behind a connection; nil if that has to wait.
    private func present(_ id: ConnectionID) throws -> Bool? {
        guard let connection = try store.connection(id), let profile = try store.profile(connection.profileID) else {
            return false
        }
        do throws(AgentError) {
            guard let contactID = connection.contactID else { return try presentBehindLink(of: connection, profile) }
            guard let contact = try? lookup.contact(contactID), contact.status == .active, connection.status != .failed
            else {
                return false
            }
            guard contact.isReady else { return nil }
            return try tell(contact, of: profile, through: connection)
        } catch {
            switch error {
            case .connection(.outOfStep): return nil
            // It is not there any more, or shows nothing.
            case .connection, .unknownConnection, .link: return false
            case .relay, .store: throw error
            }
        }
    }

    private func presentBehindLink(
        of connection: ContactConnection, _ profile: OwnProfile
    ) throws(AgentError) -> Bool? {
        guard connection.isInitiated, connection.shortLink != nil, let agent = try? agent else {
            // Whoever made the link that is used here has yet to answer; then this side can say more.
            return connection.isInitiated ? false : nil
        }
        let address = try? store.address(of: profile.id)
        let content: Bytes?
        if let address, address.connectionID == connection.id {
            content = try? addressContent(profile, address.settings)
        } else {
            content = try? invitationContent(profile, as: connection.incognito)
        }
        guard connection.status == .new, let content else { return false }
        try agent.show(content, behindLinkOf: connection.id)
        return true
    }

    private func tell(
        _ contact: Contact, of profile: OwnProfile, through connection: ContactConnection
    ) throws(AgentError) -> Bool {
        guard let agent = try? agent else { return false }
        let id = sender.newSharedID(), isWanted = connection.quantumResistance.isWanted
        let message = ChatMessage(id: id, event: .profile(presentation(of: profile, as: connection.incognito)))
        let isPostQuantum = try agent.isPostQuantum(connection.id, ifWanted: isWanted)
        // A profile that does not even fit when it is compressed cannot be told.
        guard
            let bytes = try? ChatPayload.prepare(message.encoded, for: .connection, postQuantum: isPostQuantum)
        else { return false }
        try agent.send(bytes, notifies: false, postQuantum: isWanted, token: id.bytes, to: connection.id)
        return true
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
