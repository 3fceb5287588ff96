import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

extension DeletedItem {
    /// `ChatItemDeletion` of the API.
    var json: JSONValue {
        var fields: JSONObject = ["deletedChatItem": before.json]
        fields["toChatItem"] = after?.json
        return .object(fields)
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
    /// `ACIReaction` of the API, with the time of now left out: reactions have none.
    func json(_ reaction: Reaction, _ direction: ChatItem.Direction, isAdded: Bool) -> JSONObject {
        [
            "added": .bool(isAdded),
            "reaction": .object([
                "chatInfo": contact.chatInfo,
                "chatReaction": .object([
                    "chatDir": direction.json, "chatItem": item.json, "reaction": reaction.json,
                ]),
            ]),
        ]
    }
}

extension ChatItem.Direction {
    /// `CIDirection` of the API.
    var json: JSONValue { .object(["type": self == .sent ? "directSnd" : "directRcv"]) }
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
    func json(_ direction: ChatItem.Direction) -> JSONValue {
        // The one who quotes says whether the quoted message was its own.
        let isSent = reference.isOwn == (direction == .sent)
        var fields: JSONObject = ["chatDir": (isSent ? ChatItem.Direction.sent : .received).json]
        fields.set("sharedMsgId", reference.id.map { Base64URL.encode($0.bytes) })
        fields.set("sentAt", reference.sentAt.text)
        fields["content"] = content.json
        return .object(fields)
    }
}
