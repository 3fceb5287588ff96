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
    case itemsDeleted([DeletedEntry])
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
    /// Somebody in another terminal opens something.
    case visit(String)
    /// Nothing comes from a relay, for a reason; it is tried again.
    case relayLost(String, because: String)
    case relayReached(String)
    /// Whatever else a person waits for: whom it is about, and what happened.
    case other(subject: String, sentence: String)

    /// An entry that is not there any more.
    public struct DeletedEntry: Hashable, Sendable {
        public let contact: ContactID
        public let item: ChatItemID
    }

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
        case .itemsDeleted(let entries):
            self = .itemsDeleted(entries.map { DeletedEntry(contact: $0.contact, item: $0.item) })
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

/// What is told of an event to a session in another process: numbers, which it looks up in the store itself.
enum EventDigest: Hashable, Sendable {
    case items(Kind, [ChatItemID])
    case deleted([SessionEvent.DeletedEntry])
    case contactDeleted(ContactID)
    case profileGone(ProfileID)
    case listsChanged
    case gateChanged
    case homeChanged
    case visit(String)
    case relayLost(String, because: String)
    case relayReached(String)
    case other(subject: String, sentence: String)

    /// What happened with entries that are there.
    enum Kind: String, Sendable {
        case new, updated, changed
        case callBegan = "call-began"
        case callEnded = "call-ended"
    }

    init(_ event: SessionEvent) {
        switch event {
        case .newItems(let items): self = .items(.new, items.map(\.item.id))
        case .itemsUpdated(let items): self = .items(.updated, items.map(\.item.id))
        case .itemChanged(let item): self = .items(.changed, [item.item.id])
        case .callBegan(let item): self = .items(.callBegan, [item.item.id])
        case .callEnded(let item): self = .items(.callEnded, [item.item.id])
        case .itemsDeleted(let entries): self = .deleted(entries)
        case .contactDeleted(let contact): self = .contactDeleted(contact)
        case .profileGone(let profile): self = .profileGone(profile)
        case .listsChanged: self = .listsChanged
        case .gateChanged: self = .gateChanged
        case .homeChanged: self = .homeChanged
        case .visit(let place): self = .visit(place)
        case .relayLost(let place, let reason): self = .relayLost(place, because: reason)
        case .relayReached(let place): self = .relayReached(place)
        case .other(let subject, let sentence): self = .other(subject: subject, sentence: sentence)
        }
    }

    /// The event, with the entries that are still there. Nil if none is.
    func event(_ look: (ChatItemID) async -> LocatedItem?) async -> SessionEvent? {
        switch self {
        case .deleted(let entries): return .itemsDeleted(entries)
        case .contactDeleted(let contact): return .contactDeleted(contact)
        case .profileGone(let profile): return .profileGone(profile)
        case .listsChanged: return .listsChanged
        case .gateChanged: return .gateChanged
        case .homeChanged: return .homeChanged
        case .visit(let place): return .visit(place)
        case .relayLost(let place, let reason): return .relayLost(place, because: reason)
        case .relayReached(let place): return .relayReached(place)
        case .other(let subject, let sentence): return .other(subject: subject, sentence: sentence)
        case .items(let kind, let ids):
            var items: [LocatedItem] = []
            for id in ids { if let item = await look(id) { items.append(item) } }
            guard let first = items.first else { return nil }
            switch kind {
            case .new: return .newItems(items)
            case .updated: return .itemsUpdated(items)
            case .changed: return .itemChanged(first)
            case .callBegan: return .callBegan(first)
            case .callEnded: return .callEnded(first)
            }
        }
    }

    // MARK: - JSON

    var json: JSONObject {
        switch self {
        case .items(let kind, let ids):
            return ["kind": .string(kind.rawValue), "items": .array(ids.map { .integer($0.number) })]
        case .deleted(let entries):
            let pairs = entries.map { JSONValue.array([.integer($0.contact.number), .integer($0.item.number)]) }
            return ["kind": "deleted", "entries": .array(pairs)]
        case .contactDeleted(let contact):
            return ["kind": "contact-deleted", "contact": .integer(contact.number)]
        case .profileGone(let profile):
            return ["kind": "profile-gone", "profile": .integer(profile.number)]
        case .listsChanged: return ["kind": "lists"]
        case .gateChanged: return ["kind": "gate"]
        case .homeChanged: return ["kind": "home"]
        case .visit(let place): return ["kind": "visit", "place": .string(place)]
        case .relayLost(let place, let reason):
            return ["kind": "relay-lost", "place": .string(place), "reason": .string(reason)]
        case .relayReached(let place): return ["kind": "relay-reached", "place": .string(place)]
        case .other(let subject, let sentence):
            return ["kind": "other", "subject": .string(subject), "sentence": .string(sentence)]
        }
    }

    /// Nil for what this version does not know.
    init?(_ json: JSONObject) {
        switch json["kind"]?.string {
        case "deleted":
            let pairs = (json["entries"]?.array ?? []).map { $0.array?.compactMap(\.integer) ?? [] }
            self = .deleted(
                pairs.filter { $0.count == 2 }.map {
                    SessionEvent.DeletedEntry(contact: ContactID($0[0]), item: ChatItemID($0[1]))
                })
        case "contact-deleted":
            guard let contact = json["contact"]?.integer else { return nil }
            self = .contactDeleted(ContactID(contact))
        case "profile-gone":
            guard let profile = json["profile"]?.integer else { return nil }
            self = .profileGone(ProfileID(profile))
        case "lists": self = .listsChanged
        case "gate": self = .gateChanged
        case "home": self = .homeChanged
        case "visit": self = .visit(json["place"]?.string ?? "")
        case "relay-lost":
            self = .relayLost(json["place"]?.string ?? "", because: json["reason"]?.string ?? "")
        case "relay-reached": self = .relayReached(json["place"]?.string ?? "")
        case "other":
            self = .other(subject: json["subject"]?.string ?? "", sentence: json["sentence"]?.string ?? "")
        case let word:
            guard let kind = word.flatMap(Kind.init) else { return nil }
            self = .items(kind, (json["items"]?.array ?? []).compactMap { $0.integer.map { ChatItemID($0) } })
        }
    }
}
