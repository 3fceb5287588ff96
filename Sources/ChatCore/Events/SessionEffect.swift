public import AgentProtocol
public import ByteCoding
public import JSONCoding
public import SMPProtocol

/// What a session does about something that happened in the store.
public enum SessionEffect: Hashable, Sendable {
    case newItems([LocatedItem])
    /// How far messages have come.
    case itemsUpdated([LocatedItem])
    /// A message says something else, or was given an emoji.
    case itemChanged(LocatedItem)
    case itemsDeleted([DeletedEntry])
    /// A chat was deleted here.
    case chatDeleted(ChatReference)
    /// A profile was deleted or hidden.
    case profileGone(ProfileID)
    /// What lists and counters show is something else.
    case listsChanged
    /// There is another passcode, or none, or somebody tried one.
    case gateChanged
    /// A profile shows something else at first.
    case homeChanged
    /// A contact calls, and waits for an answer.
    case callBegan(LocatedItem)
    /// A call waits for no answer any longer.
    case callEnded(LocatedItem)
    case requestReceived(ReceivedRequest)
    /// A relay cannot be reached; it is tried again.
    case relayLost(ServerAddress, RelayProblem)
    case relayReached(ServerAddress)
    /// Whatever else a person waits for.
    case notice(EventNotice)

    /// An entry that is not there any more.
    public struct DeletedEntry: Hashable, Sendable {
        public let chat: ChatReference
        public let item: ChatItemID

        public init(chat: ChatReference, item: ChatItemID) {
            self.chat = chat
            self.item = item
        }
    }

    /// SECURITY: who hides a profile does not want others to see on the screen what is done in it.
    static func visible(_ profile: OwnProfile, _ effect: SessionEffect) -> SessionEffect? {
        profile.isHidden ? nil : effect
    }

    static func deleted(_ items: [DeletedItem]) -> SessionEffect {
        .itemsDeleted(items.map { DeletedEntry(chat: $0.before.chat.reference, item: $0.before.item.id) })
    }
}

extension SessionEffect {
    /// What a command did, for sessions in other processes; nil for what they learn from an event.
    public var json: JSONObject? {
        switch self {
        case .newItems(let items): ["type": "newItems", "chatItems": .array(items.map(\.json))]
        case .itemsUpdated(let items): ["type": "itemsUpdated", "chatItems": .array(items.map(\.json))]
        case .itemChanged(let item): ["type": "itemChanged", "chatItem": item.json]
        case .itemsDeleted(let entries):
            [
                "type": "itemsDeleted",
                "entries": .array(
                    entries.map {
                        .object([$0.chat.idField: .integer($0.chat.number), "chatItemId": .integer($0.item.number)])
                    }),
            ]
        case .chatDeleted(let chat): ["type": "chatDeleted", chat.idField: .integer(chat.number)]
        case .profileGone(let id): ["type": "profileGone", "userId": .integer(id.number)]
        case .listsChanged: ["type": "listsChanged"]
        case .gateChanged: ["type": "gateChanged"]
        case .homeChanged: ["type": "homeChanged"]
        case .callBegan(let item): ["type": "callBegan", "chatItem": item.json]
        case .callEnded(let item): ["type": "callEnded", "chatItem": item.json]
        case .requestReceived, .relayLost, .relayReached, .notice: nil
        }
    }

    /// Reads ``json``.
    public init(json: JSONObject) throws(DecodeError) {
        var fields = JSONFields(json)
        switch try fields.text("type") {
        case "newItems": self = .newItems(try fields.list("chatItems"))
        case "itemsUpdated": self = .itemsUpdated(try fields.list("chatItems"))
        case "itemChanged": self = .itemChanged(try fields.required("chatItem"))
        case "itemsDeleted":
            self = .itemsDeleted(
                try fields.list("entries") { entry throws(DecodeError) in
                    DeletedEntry(
                        chat: try ChatReference(from: &entry), item: ChatItemID(try entry.integer("chatItemId")))
                })
        case "chatDeleted": self = .chatDeleted(try ChatReference(from: &fields))
        case "profileGone": self = .profileGone(ProfileID(try fields.integer("userId")))
        case "listsChanged": self = .listsChanged
        case "gateChanged": self = .gateChanged
        case "homeChanged": self = .homeChanged
        case "callBegan": self = .callBegan(try fields.required("chatItem"))
        case "callEnded": self = .callEnded(try fields.required("chatItem"))
        default: throw .invalid("type")
        }
    }
}
