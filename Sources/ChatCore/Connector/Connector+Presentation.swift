import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// The profile that others see: contacts are told of changes, and own links show them.
extension Connector {
    /// Tells changed profiles to the contacts and links that do not have them yet and can be reached now. They are in the
    /// agent's outbox then; to tell one twice, after a crash, does no harm.
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

    /// Returns true if the other side of a connection is told; nil if that has to wait.
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
            // The connection is gone, or shows nothing.
            case .connection, .unknownConnection, .link: return false
            case .relay, .notice, .store: throw error
            }
        }
    }

    private func presentBehindLink(
        of connection: ContactConnection, _ profile: OwnProfile
    ) throws(AgentError) -> Bool? {
        guard connection.isInitiated, connection.shortLink != nil, let agent = try? agent else {
            // The owner of the link has not answered yet; then this side can say more.
            return connection.isInitiated ? false : nil
        }
        let address = try? store.address(of: profile.id)
        let content: Bytes?
        if let address, address.connectionID == connection.id {
            content = try? addressContent(profile, address.settings)
        } else if let link = try? store.groupLink(at: connection.id) {
            let isServed = (try? store.group(link.groupID))?.isServedByUser ?? false
            let limit = UserLinkRecord.address(AddressRecord(content: [])).contentLimit
            content = isServed ? try? relayContent(profile, limit: limit) : nil
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
        let id = conversations.newSharedID(), isWanted = connection.quantumResistance.isWanted
        let message = ChatMessage(
            id: id, event: .profile(presentation(of: profile, as: connection.incognito, to: contact)))
        let isPostQuantum = try agent.isPostQuantum(connection.id, ifWanted: isWanted)
        // A profile that does not even fit when it is compressed cannot be told.
        guard
            let bytes = try? ChatPayload.prepare(message.encoded, for: .connection, postQuantum: isPostQuantum)
        else { return false }
        try agent.send(bytes, notifies: false, postQuantum: isWanted, token: id.bytes, to: connection.id)
        return true
    }

    /// The profile as a contact is told it. All permissions are named, none is left to a default.
    ///
    /// SECURITY: everything that identifies the user comes from here. A contact that knows an incognito profile is told of no
    /// other.
    ///
    /// - Parameters:
    ///   - incognito: The profile that was made up for the connection.
    ///   - contact: Nil for who is none yet.
    func presentation(of profile: OwnProfile, as incognito: Profile?, to contact: Contact? = nil) -> Profile {
        var presented = incognito ?? profile.profile
        let allowed = incognito == nil ? profile.profile.preferences?.object : nil
        presented.preferences = .object(contact.map(Preferences.told(to:)) ?? Preferences.full(of: allowed ?? [:]))
        return presented
    }
}
