import Agent
import AgentProtocol
import ChatProtocol
import SMPClient
import SMPProtocol

/// Notices of the agent about the present state. They are not stored.
extension Inbox {
    func handle(_ notice: AgentNotice) {
        switch notice {
        case .connect(let id, let server):
            guard isVisible(id) else { return }
            let isAgain = change { $0.opened(id, server) }
            tell(HostConnectedEvent(server: server, isAgain: isAgain))
        case .disconnect(let id, let server, let error):
            guard isVisible(id) else { return }
            let problem = RelayProblem(error), now = context.now
            let isFirst = change { $0.closed(id, server, problem, at: now) }
            tell(HostDisconnectedEvent(server: server, problem: problem, isFirst: isFirst))
        case .up(let id, let server, let ids):
            guard isVisible(id) else { return }
            tell(SubscriptionStatusEvent(server: server, connections: ids, isActive: true))
        case .down(let id, let server, let ids):
            guard isVisible(id) else { return }
            tell(SubscriptionStatusEvent(server: server, connections: ids, isActive: false))
        case .mwarn(let id, let token, let error): context.attempt { try conversations.recordWarning(id, token, error) }
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

    /// Returns true if events may name the relays of a profile.
    private func isVisible(_ id: ProfileID) -> Bool {
        // SECURITY: a hidden profile may have a relay that no other profile has.
        guard let profile = context.attempt({ try store.profile(id) }) ?? nil else { return false }
        return !profile.isHidden
    }

    /// Forgets which relays were unreachable: all are tried again.
    func forgetUnreachableRelays() throws {
        reachability = RelayReachability()
        try store.setUnreachableRelays([])
    }

    /// Follows the end of a session or of an attempt, and stores which relays are unreachable.
    private func change(_ body: (inout RelayReachability) -> Bool) -> Bool {
        let before = reachability.unreachable
        let isChange = body(&reachability)
        if reachability.unreachable != before {
            context.attempt { try store.setUnreachableRelays(reachability.unreachable) }
        }
        return isChange
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
