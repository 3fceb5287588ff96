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
    ///
    /// - Parameter member: Who gave it in a group; nil for the user.
    func json(
        _ reaction: Reaction, _ direction: ChatItem.Direction, by member: GroupMember? = nil, isAdded: Bool,
        at time: Timestamp
    ) -> JSONObject {
        [
            "added": .bool(isAdded),
            "reaction": .object([
                "chatInfo": chat.json,
                "chatReaction": .object([
                    "chatDir": direction.json(in: chat.reference, by: member), "chatItem": item.json,
                    "sentAt": .string(time.apiText),
                    "reaction": reaction.json,
                ]),
            ]),
        ]
    }

    /// Reads the fields of ``json(_:_:isAdded:at:)``.
    static func reaction(
        from fields: inout JSONFields
    ) throws(DecodeError) -> (
        item: LocatedItem, reaction: Reaction, isAdded: Bool, time: Timestamp, member: GroupMember?
    ) {
        var outer = try fields.object("reaction")
        var inner = try outer.object("chatReaction")
        var item = try inner.object("chatItem"), side = try inner.object("chatDir")
        return (
            try LocatedItem(in: outer.required("chatInfo"), &item), try inner.required("reaction"),
            try fields.bool("added"), try inner.timestamp("sentAt"), try side.optional("groupMember")
        )
    }
}

extension ChatItem.Direction {
    /// `CIDirection` of the API in a direct chat.
    var json: JSONValue { .object(["type": self == .sent ? "directSnd" : "directRcv"]) }

    /// `CIDirection` of the API.
    ///
    /// - Parameters:
    ///   - author: Who wrote what was received in a group.
    ///   - isFromGroup: True for what was received as a post of the channel.
    func json(in chat: ChatReference, by author: GroupMember? = nil, isFromGroup: Bool = false) -> JSONValue {
        switch chat {
        case .direct: return json
        case .notes: return .object(["type": self == .sent ? "localSnd" : "localRcv"])
        case .group:
            if self == .received, author == nil, isFromGroup { return .object(["type": "channelRcv"]) }
            var fields: JSONObject = ["type": self == .sent ? "groupSnd" : "groupRcv"]
            if self == .received { fields.set("groupMember", author) }
            return .object(fields)
        }
    }

    /// Reads a `CIDirection`.
    init(from fields: inout JSONFields) throws(DecodeError) {
        self = try fields.word("type") { word in
            switch word {
            case "directSnd", "localSnd", "groupSnd": .sent
            case "directRcv", "localRcv", "groupRcv", "channelRcv": .received
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
        if let id = try fields.optionalInteger("groupMemberId") {
            member = Member(id: GroupMemberID(id), name: try fields.text("localDisplayName"))
        }
    }

    /// The reaction and who gave it.
    public var fields: JSONObject {
        var fields: JSONObject = ["chatDir": direction.json, "reaction": reaction.json]
        if let member {
            fields["groupMemberId"] = .integer(member.id.number)
            fields["localDisplayName"] = .string(member.name)
        }
        return fields
    }
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
    /// - Parameters:
    ///   - id: The quoted entry, if it is here.
    ///   - author: Who wrote the quoted message in a group; nil for the user.
    func json(
        _ direction: ChatItem.Direction, of id: ChatItemID?, in chat: ChatReference, by author: GroupMember?
    ) -> JSONValue {
        var isSent = author == nil, isOfChannel = false
        if case .group = chat {
            // A post of a channel has no author (network-7.md 9.6).
            isOfChannel = author == nil && reference.memberID == nil
            if isOfChannel { isSent = false }
        } else {
            // The one who quotes says whether the quoted message was its own.
            isSent = reference.isOwn == (direction == .sent)
        }
        let side: ChatItem.Direction = isSent ? .sent : .received
        var fields: JSONObject = ["chatDir": side.json(in: chat, by: author, isFromGroup: isOfChannel)]
        fields.set("itemId", id?.number)
        fields["sharedMsgId"] = reference.id?.json
        fields.set("sentAt", reference.sentAt.text)
        fields["content"] = content.json
        fields["formattedText"] = FormattedText.json(of: content.text)
        if case .group = chat {
            // What the author wrote of the quoted message, which the official core does not tell.
            fields.set("quotedOwn", reference.isOwn)
            fields["quotedMemberId"] = reference.memberID?.json
        }
        return .object(fields)
    }

    /// Reads a `CIQuote` of an entry. What the sender wrote besides is not in it.
    init(_ direction: ChatItem.Direction, from fields: inout JSONFields) throws(DecodeError) {
        var quoted = try fields.object("chatDir")
        let isSent = try ChatItem.Direction(from: &quoted) == .sent
        self.init(
            MessageReference(
                id: try fields.optionalID("sharedMsgId"), sentAt: try fields.word("sentAt", WireTime.init(text:)),
                isOwn: try fields.optionalBool("quotedOwn") ?? (isSent == (direction == .sent)),
                memberID: try fields.optionalMemberID("quotedMemberId")),
            content: try fields.required("content"))
    }
}
