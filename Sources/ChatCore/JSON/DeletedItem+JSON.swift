import AgentProtocol
public import ByteCoding
import ChatProtocol
public import JSONCoding

extension DeletedItem: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            before: try fields.required("deletedChatItem"), after: try fields.optional("toChatItem"),
            hasExpired: try fields.optionalBool("expired") ?? false)
    }

    /// `ChatItemDeletion` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["deletedChatItem": before.json]
        fields.set("toChatItem", after)
        if hasExpired { fields["expired"] = true }
        return fields
    }

    /// What the answer and the event have in common.
    static func fields(_ deleted: [DeletedItem], byUser: Bool) -> JSONObject {
        [
            "chatItemDeletions": .array(deleted.map(\.json)), "byUser": .bool(byUser),
            "timed": .bool(deleted.contains(where: \.hasExpired)),
        ]
    }
}

extension LocatedItem {
    /// `ACIReaction` of the API.
    func json(_ reaction: Reaction, _ direction: ChatItem.Direction, isAdded: Bool, at time: Timestamp) -> JSONObject {
        [
            "added": .bool(isAdded),
            "reaction": .object([
                "chatInfo": chat.json,
                "chatReaction": .object([
                    "chatDir": direction.json, "chatItem": item.json, "sentAt": .string(time.description),
                    "reaction": reaction.json,
                ]),
            ]),
        ]
    }

    /// Reads the fields of ``json(_:_:isAdded:at:)``.
    static func reaction(
        from fields: inout JSONFields
    ) throws(DecodeError) -> (item: LocatedItem, reaction: Reaction, isAdded: Bool, time: Timestamp) {
        var outer = try fields.object("reaction")
        var inner = try outer.object("chatReaction")
        var item = try inner.object("chatItem")
        return (
            try LocatedItem(in: outer.required("chatInfo"), &item), try inner.required("reaction"),
            try fields.bool("added"), try inner.timestamp("sentAt")
        )
    }
}

extension ChatItem.Direction {
    /// `CIDirection` of the API in a direct chat.
    var json: JSONValue { .object(["type": self == .sent ? "directSnd" : "directRcv"]) }

    /// `CIDirection` of the API.
    func json(in chat: ChatReference) -> JSONValue {
        guard case .notes = chat else { return json }
        return .object(["type": self == .sent ? "localSnd" : "localRcv"])
    }

    /// Reads a `CIDirection`.
    init(from fields: inout JSONFields) throws(DecodeError) {
        self = try fields.word("type") { word in
            switch word {
            case "directSnd", "localSnd": .sent
            case "directRcv", "localRcv": .received
            default: nil
            }
        }
    }
}

extension ItemReaction: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        var direction = try fields.object("chatDir")
        self.init(
            direction: try ChatItem.Direction(from: &direction), reaction: try fields.required("reaction"))
    }

    /// The reaction and who gave it.
    public var fields: JSONObject { ["chatDir": direction.json, "reaction": reaction.json] }
}

extension [ItemReaction] {
    /// `CIReactionCount` of the API, in the order in which they were found.
    var json: JSONValue {
        var counts: [(reaction: Reaction, isOwn: Bool, count: Int64)] = []
        for entry in self {
            let isOwn = entry.direction == .sent
            if let place = counts.firstIndex(where: { $0.reaction == entry.reaction }) {
                counts[place].count += 1
                counts[place].isOwn = counts[place].isOwn || isOwn
            } else {
                counts.append((entry.reaction, isOwn, 1))
            }
        }
        return .array(
            counts.map { entry in
                .object([
                    "reaction": entry.reaction.json, "userReacted": .bool(entry.isOwn),
                    "totalReacted": .integer(entry.count),
                ])
            })
    }
}

extension Quote {
    /// `CIQuote` of the API, as an entry of this side has it.
    ///
    /// - Parameter id: The quoted entry, if it is here.
    func json(_ direction: ChatItem.Direction, of id: ChatItemID?) -> JSONValue {
        // The one who quotes says whether the quoted message was its own.
        let isSent = reference.isOwn == (direction == .sent)
        var fields: JSONObject = ["chatDir": (isSent ? ChatItem.Direction.sent : .received).json]
        fields.set("itemId", id?.number)
        fields["sharedMsgId"] = reference.id?.json
        fields.set("sentAt", reference.sentAt.text)
        fields["content"] = content.json
        fields["formattedText"] = FormattedText.json(of: content.text)
        return .object(fields)
    }

    /// Reads a `CIQuote` of an entry. What the sender wrote besides is not in it.
    init(_ direction: ChatItem.Direction, from fields: inout JSONFields) throws(DecodeError) {
        var quoted = try fields.object("chatDir")
        let isSent = try ChatItem.Direction(from: &quoted) == .sent
        self.init(
            MessageReference(
                id: try fields.optionalID("sharedMsgId"), sentAt: try fields.word("sentAt", WireTime.init(text:)),
                isOwn: isSent == (direction == .sent)),
            content: try fields.required("content"))
    }
}
