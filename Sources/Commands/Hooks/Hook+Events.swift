import AgentProtocol
import ChatCore
import JSONCoding
import TerminalKit

/// Which hooks are told of what: the same reports that `watch --json` prints.
extension Hook {
    /// The calls that an event asks for.
    static func calls(for event: ChatEvent) -> [(hook: Hook, call: HookCall)] {
        switch event {
        case .newItems(let profile, let items):
            return items.compactMap { item -> (Hook, HookCall)? in
                guard item.item.direction == .received else { return nil }
                let isMessage = item.item.content.isMessage
                guard isMessage || item.item.content.isProblem else { return nil }
                return (isMessage ? Hook.onMessage : Hook.onError).call(MessageReport(item).json, profile, item)
            }
        case .itemsUpdated(let profile, let items):
            return items.compactMap { item -> (Hook, HookCall)? in
                let report = SendReport(contact: item.contact, item: item.item)
                if item.item.status.isConfirmed { return Hook.onReceipt.call(report.json, profile, item) }
                return item.item.status.hasFailed ? Hook.onError.call(report.json, profile, item) : nil
            }
        case .contactConnected(let profile, let contact): return [Hook.onConnected.call(event, profile, contact)]
        case .requestReceived(let profile, let request):
            return [Hook.onRequest.call(event, profile, nil, objectID: request.objectID)]
        case .connectionFailed(let profile, let connection, let contact, _):
            return [Hook.onError.call(event, profile, contact, objectID: ObjectID.text(connection.id))]
        case .messageError(let profile, let connection, _):
            return [Hook.onError.call(event, profile, nil, objectID: connection.map { ObjectID.text($0.id) })]
        case .subscriptionEnded(let profile, let contact), .subscriptionRefused(let profile, let contact, _):
            return [Hook.onError.call(event, profile, contact)]
        case .connectionDisabled(let profile, let contact): return [Hook.onError.call(event, profile, contact)]
        case .ratchetSynchronized(let profile, let contact, .required, _):
            return [Hook.onError.call(event, profile, contact)]
        case .homeChanged, .contactConnecting, .acceptingRequest, .requestAlreadyAccepted, .contactDeletedByContact,
            .contactPostQuantum, .contactUpdated, .itemUpdated, .itemsDeleted, .itemReaction, .queueSwitched,
            .ratchetSynchronized, .subscriptionStatus, .hostConnected, .hostDisconnected, .callInvitation, .callEnded,
            .callAccepted, .callAnswered, .callCandidates:
            return []
        }
    }

    /// A call about an entry.
    private func call(_ json: JSONObject, _ profile: OwnProfile, _ item: LocatedItem) -> (Hook, HookCall) {
        call(json, profile, item.contact, ObjectID.text(item.item.id))
    }

    /// A call about something else; by default it is about the contact.
    private func call(
        _ event: ChatEvent, _ profile: OwnProfile, _ contact: Contact?, objectID: String? = nil
    ) -> (Hook, HookCall) {
        call(EventReport(event)?.json ?? JSONObject(type: "event"), profile, contact, objectID ?? contact?.objectID)
    }

    private func call(
        _ json: JSONObject, _ profile: OwnProfile, _ contact: Contact?, _ objectID: String?
    ) -> (Hook, HookCall) {
        let call = HookCall(
            hook: rawValue, profileID: profile.id, event: json.line, objectID: objectID, chatID: contact?.objectID)
        return (self, call)
    }
}

extension ChatItem.Content {
    /// Whether a notice says that something is wrong, which does not pass by itself.
    fileprivate var isProblem: Bool {
        switch self {
        case .integrity, .undecryptable, .securityCodeChanged, .queueRefused: true
        case .message, .contactDeleted, .queueSwitch, .synchronization, .call: false
        }
    }
}

extension ChatItem.Status {
    /// Whether the message will not be sent, or is not what was sent.
    fileprivate var hasFailed: Bool {
        switch self {
        case .sendErrorAuthorization, .sendError: true
        case .sendNew, .sendWarning, .sendSent, .sendUnconfirmed, .sendReceived, .receivedNew, .receivedRead: false
        }
    }
}
