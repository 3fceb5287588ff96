import AgentProtocol
public import ByteCoding
import ChatProtocol
public import JSONCoding

extension ChatSummary: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let reference = try ChatReference(from: &fields)
        let state: State =
            switch reference {
            case .direct: .contact(try fields.word("state", ContactState.init(rawValue:)))
            case .group: .group(try fields.word("state", GroupState.init(rawValue:)))
            case .notes: .notes
            }
        self.init(
            reference: reference, name: try fields.text("localDisplayName"), state: state,
            isMuted: try fields.bool("isMuted"), unreadCount: try fields.count("unreadCount"),
            unreadMentions: try fields.count("unreadMentions"),
            lastEntry: try fields.optional("lastEntry"))
    }

    /// For other programs; the official API has none.
    public var fields: JSONObject {
        var fields: JSONObject = [
            reference.idField: .integer(reference.number), "localDisplayName": .string(name),
            "isMuted": .bool(isMuted), "unreadCount": .integer(Int64(unreadCount)),
            "unreadMentions": .integer(Int64(unreadMentions)),
        ]
        switch state {
        case .contact(let state): fields.set("state", state.rawValue)
        case .group(let state): fields.set("state", state.rawValue)
        case .notes: break
        }
        fields.set("lastEntry", lastEntry)
        return fields
    }
}

extension ChatSummary.Entry: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            id: ChatItemID(try fields.integer("itemId")),
            direction: try fields.word("direction", ChatItem.Direction.init(rawValue:)),
            status: try fields.word("status", ChatItem.Status.init(text:)), time: try fields.timestamp("itemTs"),
            text: try fields.text("text"), attachment: try fields.optionalText("attachment"),
            isDeleted: try fields.bool("isDeleted"),
            removal: try fields.optionalWord("removal", GroupEntry.Removal.init(rawValue:)),
            author: try fields.optionalText("author"))
    }

    public var fields: JSONObject {
        var fields: JSONObject = [
            "itemId": .integer(id.number), "direction": .string(direction.rawValue), "status": .string(status.text),
            "itemTs": .string(time.apiText), "text": .string(text), "isDeleted": .bool(isDeleted),
        ]
        fields.set("attachment", attachment)
        fields.set("removal", removal?.rawValue)
        fields.set("author", author)
        return fields
    }
}
