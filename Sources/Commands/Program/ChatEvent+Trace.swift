import ChatCore
import TerminalKit

extension ChatEvent {
    /// The event in words for a log: what happened, and to whom by id.
    ///
    /// - Parameter scrubs: Whether names are left out.
    func traced(scrubs: Bool) -> String {
        func who(_ contact: Contact?) -> String {
            guard let contact else { return "nobody known" }
            return scrubs ? contact.objectID : "\(contact.objectID) \(UntrustedText(contact.target).quoted)"
        }
        func what(_ items: [LocatedItem]) -> String {
            items.map { "\(ObjectID.text($0.item.id)) of \(who($0.contact))" }.joined(separator: ", ")
        }
        return switch self {
        case .homeChanged(let profile): "the profile \(profile.objectID) has another home"
        case .contactConnecting(_, let contact): "\(who(contact)) is connecting"
        case .contactConnected(_, let contact): "\(who(contact)) is connected"
        case .requestReceived: "somebody asks to be a contact"
        case .acceptingRequest(_, let contact): "\(who(contact)) is accepted"
        case .requestAlreadyAccepted(_, let contact): "\(who(contact)) asks again"
        case .contactDeletedByContact(_, let contact): "\(who(contact)) has deleted this side"
        case .contactPostQuantum(_, let contact, let isOn): "\(who(contact)): post-quantum keys \(isOn ? "on" : "off")"
        case .contactUpdated(_, _, let contact): "\(who(contact)) has another profile"
        case .connectionFailed(_, _, let contact, _): "a connection with \(who(contact)) failed"
        case .newItems(_, let items): "new: \(what(items))"
        case .itemsUpdated(_, let items): "other states: \(what(items))"
        case .itemUpdated(_, let item): "changed: \(what([item]))"
        case .itemsDeleted(_, let items): "\(items.count) taken back"
        case .itemReaction(_, let item, _, let isAdded): "a reaction \(isAdded ? "to" : "less for") \(what([item]))"
        case .queueSwitched(_, let contact, _, _, _): "a queue with \(who(contact)) is being replaced"
        case .ratchetSynchronized(_, let contact, _, _): "the ratchets with \(who(contact)) are in another state"
        case .connectionDisabled(_, let contact): "nothing more is sent to \(who(contact))"
        case .messageError(_, _, let reason): "a message was of no use: \(UntrustedText(reason).singleLine)"
        case .subscriptionStatus(let server, let connections, let isActive):
            "\(connections.count) queues at \(server.place) \(isActive ? "receive" : "do not receive")"
        case .hostConnected(let server): "connected to \(server.place)"
        case .hostDisconnected(let server, _): "no connection to \(server.place)"
        case .subscriptionEnded(_, let contact): "another process receives from \(who(contact))"
        case .callInvitation(_, let item): "\(who(item.contact)) calls"
        case .callAccepted(_, let item): "took up the call of \(who(item.contact))"
        case .callAnswered(_, let item, _): "\(who(item.contact)) answered"
        case .callCandidates(_, let item, _): "\(who(item.contact)) can be reached in further ways"
        case .callEnded(_, let item): "\(who(item.contact)) does not call any more"
        case .subscriptionRefused(_, let contact, _): "the relay refuses what comes from \(who(contact))"
        }
    }
}
