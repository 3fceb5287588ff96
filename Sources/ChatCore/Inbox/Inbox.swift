import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import Store
import SystemIO

/// The receiving side: records each event of the agent once, with all its consequences, before the agent forgets it.
///
/// Events of a subject go to the collaborator of the subject; the inbox records received messages. An event that cannot be recorded
/// is set aside after the second time, so that nothing waits behind it.
final class Inbox: Collaborator {
    let context: CoreContext
    let expiry: Expiry
    let conversations: Conversations
    let connector: Connector
    let groups: Groups
    let calls: Calls
    let files: ChatFiles
    let relayTests: ChatRelayTests
    /// Names the event that is being handled, or the message that is being read, if that ends the process.
    let crashNote: CrashNote
    /// The last event of the agent that is in the database.
    var lastEvent: Int64 = 0
    /// The relays of visible profiles that cannot be reached.
    var reachability = RelayReachability()
    /// The number of events that were handled since the databases freed their pages.
    private var handledEvents = 0

    init(
        _ context: CoreContext, expiry: Expiry, conversations: Conversations, connector: Connector, groups: Groups,
        calls: Calls,
        files: ChatFiles, relayTests: ChatRelayTests, crashNote: CrashNote
    ) {
        self.context = context
        self.expiry = expiry
        self.conversations = conversations
        self.connector = connector
        self.groups = groups
        self.calls = calls
        self.files = files
        self.relayTests = relayTests
        self.crashNote = crashNote
    }

    // MARK: - Opening

    /// Finds the place behind which events are new.
    func open() throws {
        lastEvent = try store.lastAgentEvent()
    }

    /// Records the events that the former process did not, after it has counted the one at which that ended.
    func replay() throws {
        let agent = try agent
        try noteCrash(agent)
        // What follows from the events must not overtake what the former process wrote.
        try conversations.finishDrops()
        try conversations.handOverOwedPayloads()
        for (id, connectionID) in try agent.replayEvents(after: lastEvent) { try tellSetAside(id, connectionID) }
    }

    // MARK: - Events of the agent

    /// Records an event of the agent and what follows from it, once.
    func handle(_ event: AgentEvent) {
        guard context.failure == nil, event.id > lastEvent else { return }
        crashNote.during(event.id) {
            do {
                let consequences = try record(event)
                lastEvent = event.id
                try agent.forgetEvents(through: event.id)
                for consequence in consequences { tell(consequence) }
                releaseMemory()
            } catch {
                fail(event, error)
            }
        }
    }

    /// Frees the pages of both databases from time to time: each message writes new ones, which are not read again soon.
    private func releaseMemory() {
        handledEvents += 1
        guard handledEvents >= 512 else { return }
        handledEvents = 0
        store.database.releaseMemory()
        context.connectedAgent?.releaseMemory()
    }

    private func record(_ event: AgentEvent) throws -> [any ChatEvent] {
        guard let connection = try store.connection(event.connectionID),
            let profile = try store.profile(event.profileID)
        else { return try context.commit(event) { [] } }
        if relayTests.isTest(connection.id) { return try relayTests.record(event) }
        if let member = try connection.memberID.flatMap({ try store.member($0) }) {
            return try groups.record(event, from: member, connection, profile)
        }
        let known = try lookup.contact(through: connection)
        switch event.content {
        case .connection(.conf(let information, _)):
            let events =
                try groups.recordAnswer(event, information, connection, profile)
                ?? connector.recordConfirmation(event, connection, profile, information)
            try connector.retireRepeats(of: connection)
            return events
        case .connection(.req(let invitation, let information)):
            if let link = try store.groupLink(at: connection.id) {
                return try groups.recordRequest(event, at: link, invitation, information, profile)
            }
            if let address = try store.address(of: profile.id), address.connectionID == connection.id,
                profile.isChatRelay
            {
                return try groups.recordRelayRequest(event, at: address, invitation, information, profile)
            }
            if let address = try store.address(of: profile.id), address.connectionID == connection.id,
                address.settings.isBusiness
            {
                return try groups.recordCustomer(event, at: address, invitation, information, profile)
            }
            return try connector.recordRequest(event, connection, profile, invitation, information)
        case .connection(.info(let information, _)):
            return try connector.recordContact(event, connection, profile, information, status: .sendReady)
        case .connection(.joined) where connection.status == .deleted && connection.contactID == nil:
            return try connector.recordBareAnswer(event)
        case .connection(.joined):
            return try connector.recordJoining(event, connection, profile, known)
        case .connection(.con(let isPostQuantum)):
            let events = try connector.recordReadiness(
                event, connection, profile, known, isPostQuantum: isPostQuantum)
            try conversations.handOverOwedPayloads()
            return events
        case .connection(.msg(let message)):
            guard let known else { return try context.commit(event) { [] } }
            return try recordMessage(event, message, from: known, profile)
        // Written by versions that did not know which message is meant.
        case .connection(.rcvd): return try context.commit(event) { [] }
        case .connection(.switching(let direction, let phase)):
            return try connector.recordSwitch(event, direction, phase, known, profile)
        case .connection(.qcont):
            return try context.commit(event) { try connector.clearErrors(connection) }
        case .connection(.rsync(let state)): return try connector.recordSynchronization(event, state, known, profile)
        case .rcvd(let receipts): return try conversations.recordReceipts(event, receipts, from: known, profile)
        case .sent(let token):
            return try conversations.recordDelivery(event, token, .sendSent, to: known, profile) {
                try connector.clearErrors(connection) + files.recordDescribed(token, profile)
            }
        case .merr(let token, let problem):
            return try conversations.recordDelivery(event, token, ChatItem.Status(problem), to: known, profile) {
                try connector.countErrors(problem, connection, profile) + files.recordUndescribed(token, profile)
            }
        case .err(let problem): return try connector.recordFailure(event, problem, connection, known, profile)
        case .link(let record):
            guard let link = try store.groupLink(at: connection.id) else { return try context.commit(event) { [] } }
            return try groups.recordLink(event, record, at: link, profile)
        case .unreadable(let problem):
            return try context.commit(event) {
                guard let known else {
                    let reason = "a message could not be read"
                    return [MessageUnusableEvent(profile: profile, connection: connection, reason: reason)]
                }
                let notice = ChatItem.Content.undecryptable(ChatItem.DecryptionProblem(problem))
                // A relay can make any number of unreadable messages.
                if try known.isBlocked
                    || store.isRepeated(notice, .received, in: .direct(known.id), isUnread: true, at: now)
                {
                    return []
                }
                let item = try store.insertReceived(notice, from: known, at: now, now: now)
                return [NewItemsEvent(profile: profile, items: [item])]
            }
        }
    }

}

extension ChatItem.DecryptionProblem {
    init(_ problem: ReadingProblem) {
        self =
            switch problem {
            case .malformed: .malformed
            case .undecryptable: .message
            case .outOfSync: .ratchet
            }
    }
}
