import Agent
import AgentProtocol
import ChatProtocol
import SMPClient
import SMPProtocol

/// Notices of the agent about the present state. They are not stored.
extension Inbox {
    func handle(_ notice: AgentNotice) {
        switch notice {
        case .connect(let id, let server): tell(HostConnectedEvent(server: server), of: id)
        case .disconnect(let id, let server, let error):
            tell(HostDisconnectedEvent(server: server, problem: RelayProblem(error)), of: id)
        case .up(let id, let server, let ids):
            tell(SubscriptionStatusEvent(server: server, connections: ids, isActive: true), of: id)
        case .down(let id, let server, let ids):
            tell(SubscriptionStatusEvent(server: server, connections: ids, isActive: false), of: id)
        case .mwarn(let id, let token, let error): context.attempt { try sender.recordWarning(id, token, error) }
        case .delConns(let ids): context.attempt { try connector.forgetDeleted(ids) }
        case .end(let id):
            if let (profile, contact) = context.attempt({ try owner(of: id) }) {
                context.tellWithHooks(SubscriptionEndedEvent(profile: profile, contact: contact))
            }
        case .deld(let id): refuse(id, .authorization)
        case .err(let id, let error): refuse(id, error)
        case .unreadable(let id):
            guard let connection = context.attempt({ try lookup.connection(id) }),
                let profile = context.attempt({ try lookup.profile(connection.profileID) })
            else { return }
            let reason = "the records of its connection cannot be read"
            context.tellWithHooks(MessageUnusableEvent(profile: profile, connection: connection, reason: reason))
        }
    }

    /// Tells an event about a relay of a profile.
    private func tell(_ event: any ChatEvent, of id: ProfileID) {
        // SECURITY: a hidden profile may have a relay that no other profile has.
        guard let profile = context.attempt({ try store.profile(id) }) ?? nil, !profile.isHidden else { return }
        tell(event)
    }

    private func refuse(_ id: ConnectionID, _ error: ProtocolError) {
        context.attempt { try connector.recordRefusal(id, error) }
        guard let (profile, contact) = context.attempt({ try owner(of: id) }) else { return }
        let problem = RelayProblem(.refused(error))
        context.tellWithHooks(SubscriptionRefusedEvent(profile: profile, contact: contact, problem: problem))
    }

    private func owner(of id: ConnectionID) throws -> (OwnProfile, Contact?) {
        let connection = try lookup.connection(id)
        return (try lookup.profile(connection.profileID), try connection.contactID.map { try lookup.contact($0) })
    }
}
