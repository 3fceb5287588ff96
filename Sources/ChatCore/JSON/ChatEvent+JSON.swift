public import AgentProtocol
import ByteCoding
import ChatProtocol
public import JSONCoding
import SMPProtocol

extension ChatEvent {
    /// The event as the API has it, with a `type`. What only this program has has a type of its own.
    public var json: JSONObject {
        var fields: JSONObject = ["type": .string(type)]
        switch self {
        case .homeChanged(let profile): fields["user"] = profile.json
        case .contactConnected(let profile, let contact):
            fields["user"] = profile.json
            fields["contact"] = contact.json
            fields.set("userCustomProfile", contact.connection?.incognito)
        case .contactConnecting(let profile, let contact),
            .contactDeletedByContact(let profile, let contact), .acceptingRequest(let profile, let contact),
            .requestAlreadyAccepted(let profile, let contact), .connectionDisabled(let profile, let contact):
            fields["user"] = profile.json
            fields["contact"] = contact.json
        case .requestReceived(let profile, let request):
            fields["user"] = profile.json
            fields["contactRequest"] = request.json
        case .contactUpdated(let profile, let before, let after):
            fields["user"] = profile.json
            fields["fromContact"] = before.json
            fields["toContact"] = after.json
        case .contactPostQuantum(let profile, let contact, let isOn):
            fields["user"] = profile.json
            fields["contact"] = contact.json
            fields.set("pqEnabled", isOn)
        case .connectionFailed(let profile, let connection, let contact, let problem):
            fields["user"] = profile.json
            fields["connection"] = connection.pendingJSON
            fields["contact"] = contact?.json
            fields.set("problem", problem.word)
        case .newItems(let profile, let items), .itemsUpdated(let profile, let items):
            fields["user"] = profile.json
            fields["chatItems"] = .array(items.map(\.json))
        case .itemUpdated(let profile, let item):
            fields["user"] = profile.json
            fields["chatItem"] = item.json
        case .itemsDeleted(let profile, let deleted):
            fields["user"] = profile.json
            fields = fields.merging(DeletedItem.fields(deleted, byUser: false))
        case .itemReaction(let profile, let item, let reaction, let isAdded):
            fields["user"] = profile.json
            fields = fields.merging(item.json(reaction, .received, isAdded: isAdded))
        case .callInvitation(let profile, let located):
            var invitation: JSONObject = ["user": profile.json, "contact": located.contact.json]
            invitation.set("callTs", located.item.time.description)
            invitation.set("media", located.item.content.call?.media.rawValue)
            fields["callInvitation"] = .object(invitation)
        case .callAnswered(let profile, let located, let session):
            fields["user"] = profile.json
            fields["contact"] = located.contact.json
            fields["answer"] = session.json
        case .callCandidates(let profile, let located, let candidates):
            fields["user"] = profile.json
            fields["contact"] = located.contact.json
            fields["extraInfo"] = .object(["rtcIceCandidates": .string(candidates)])
        case .callEnded(let profile, let located), .callAccepted(let profile, let located):
            fields["user"] = profile.json
            fields["contact"] = located.contact.json
            fields["chatItem"] = located.json
        case .queueSwitched(let profile, let contact, let direction, let phase, let condition):
            fields["user"] = profile.json
            fields["contact"] = contact.json
            var progress: JSONObject = ["queueDirection": .string(direction.word), "switchPhase": .string(phase.word)]
            progress["connectionStats"] = condition?.json
            fields["switchProgress"] = .object(progress)
        case .ratchetSynchronized(let profile, let contact, let state, let condition):
            fields["user"] = profile.json
            fields["contact"] = contact.json
            var progress: JSONObject = ["ratchetSyncStatus": .string(state.word)]
            progress["connectionStats"] = condition?.json
            fields["ratchetSyncProgress"] = .object(progress)
        case .messageError(let profile, let connection, let reason):
            fields["user"] = profile.json
            fields["connection"] = connection?.pendingJSON
            fields["severity"] = "warning"
            fields.set("errorMessage", reason)
        case .subscriptionStatus(let server, let ids, let isActive):
            fields.set("server", server.description)
            fields["subscriptionStatus"] = .object(["type": isActive ? "active" : "noSub"])
            fields["connections"] = .array(ids.map { .string("\($0.number)") })
        case .hostConnected(let server):
            fields["protocol"] = "smp"
            fields.set("transportHost", server.location)
        case .hostDisconnected(let server, let problem):
            fields["protocol"] = "smp"
            fields.set("transportHost", server.location)
            fields["agentError"] = problem.json(server)
        case .subscriptionEnded(let profile, let contact):
            fields["user"] = profile.json
            fields["contact"] = contact?.json
        case .subscriptionRefused(let profile, let contact, let problem):
            fields["user"] = profile.json
            fields["contact"] = contact?.json
            fields["agentError"] = problem.json(nil)
        }
        return fields
    }

    private var type: String {
        switch self {
        case .homeChanged: "homeChanged"
        case .contactConnecting: "contactConnecting"
        case .contactConnected: "contactConnected"
        case .contactDeletedByContact: "contactDeletedByContact"
        case .contactPostQuantum: "contactPQEnabled"
        case .contactUpdated: "contactUpdated"
        case .requestReceived: "receivedContactRequest"
        case .acceptingRequest: "acceptingContactRequest"
        case .requestAlreadyAccepted: "contactRequestAlreadyAccepted"
        case .connectionFailed: "connectionFailed"
        case .newItems: "newChatItems"
        case .itemsUpdated: "chatItemsStatusesUpdated"
        case .itemUpdated: "chatItemUpdated"
        case .itemsDeleted: "chatItemsDeleted"
        case .itemReaction: "chatItemReaction"
        case .callInvitation: "callInvitation"
        case .callEnded: "callEnded"
        case .callAccepted: "callAccepted"
        case .callAnswered: "callAnswer"
        case .callCandidates: "callExtraInfo"
        case .queueSwitched: "contactSwitch"
        case .ratchetSynchronized: "contactRatchetSync"
        case .connectionDisabled: "contactDisabled"
        case .messageError: "messageError"
        case .subscriptionStatus: "subscriptionStatus"
        case .hostConnected: "hostConnected"
        case .hostDisconnected: "hostDisconnected"
        case .subscriptionEnded: "subscriptionEnded"
        case .subscriptionRefused: "subscriptionRefused"
        }
    }
}

extension ConnectionProblem {
    /// A stable word for scripts.
    public var word: String {
        switch self {
        case .linkUsed: "link-used"
        case .blocked: "blocked"
        case .queueRefused: "queue-refused"
        case .expired: "expired"
        case .invalidAnswer: "invalid-answer"
        case .queueGone: "queue-gone"
        case .badLink: "bad-link"
        case .incompatible: "incompatible"
        }
    }
}
