public import AgentProtocol
public import ChatCore
import JSONCoding

/// Something that happened in the store by itself, as far as a session shows it.
public enum SessionEvent: Hashable, Sendable {
    case newItems([LocatedItem])
    /// How far messages have come.
    case itemsUpdated([LocatedItem])
    /// A message says something else, or was given an emoji.
    case itemChanged(LocatedItem)
    case itemsDeleted([SessionEffect.DeletedEntry])
    /// Somebody here deleted a contact.
    case contactDeleted(ContactID)
    /// A profile was deleted or hidden.
    case profileGone(ProfileID)
    /// What lists and counters show is something else.
    case listsChanged
    /// There is another passcode, or none, or somebody tried one.
    case gateChanged
    /// A contact calls, and waits for an answer.
    case callBegan(LocatedItem)
    /// Nobody waits for an answer to a call any more.
    case callEnded(LocatedItem)
    /// A profile shows something else at first.
    case homeChanged
    /// Nothing comes from a relay, for a reason; it is tried again.
    case relayLost(String, because: String)
    case relayReached(String)
    /// Whatever else a person waits for: whom it is about, and what happened.
    case other(subject: String, sentence: String)

    /// Nil for what no person waits for.
    init?(_ event: any ChatEvent) {
        guard let effect = event.effect else { return nil }
        self.init(effect)
    }

    init(_ effect: SessionEffect) {
        switch effect {
        case .newItems(let items): self = .newItems(items)
        case .itemsUpdated(let items): self = .itemsUpdated(items)
        case .itemChanged(let item): self = .itemChanged(item)
        case .itemsDeleted(let entries): self = .itemsDeleted(entries)
        case .contactDeleted(let contact): self = .contactDeleted(contact)
        case .profileGone(let profile): self = .profileGone(profile)
        case .listsChanged: self = .listsChanged
        case .gateChanged: self = .gateChanged
        case .homeChanged: self = .homeChanged
        case .callBegan(let call): self = .callBegan(call)
        case .callEnded(let call): self = .callEnded(call)
        case .requestReceived(let request):
            // Both work as they stand here on every screen.
            self = .other(
                subject: request.target,
                sentence: "wants to be a contact: /accept \(request.target) or /reject \(request.target)")
        case .relayLost(let server, let problem):
            let reason = Reason(problem)
            self = .relayLost(server.place, because: ([reason.text] + reason.why.prefix(1)).joined(separator: ": "))
        case .relayReached(let server): self = .relayReached(server.place)
        case .notice(let notice):
            let report = EventReport(notice)
            self = .other(subject: report.subject, sentence: report.sentence)
        }
    }
}
