import AgentProtocol
public import ByteCoding
import ChatProtocol
public import JSONCoding

extension ChatPreview: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let (chat, items) = try ChatPreview.contents(from: &fields)
        self.init(chat: chat, lastItem: items.last)
    }

    /// `AChat` of the API, with the last entry if there is one.
    public var fields: JSONObject {
        ChatPreview.fields(of: chat, lastItem.map { [$0] } ?? [])
    }

    /// The fields of an `AChat` of the API with entries of a chat.
    static func fields(of chat: Chat, _ items: [ChatItem]) -> JSONObject {
        // What waits in a conversation with the moderators stands with its member.
        if let group = chat.group, group.support != nil { return fields(chat.json, items, unreadCount: 0) }
        return fields(
            chat.json, items, unreadCount: chat.unreadCount, chat.marks,
            unreadMentions: chat.group?.unreadMentions ?? 0,
            reportCount: chat.group?.reportCount ?? 0)
    }

    /// The fields of an `AChat` of the API.
    static func fields(
        _ chatInfo: JSONValue, _ items: [ChatItem], unreadCount: Int, _ marks: ChatMarks = ChatMarks(),
        unreadMentions: Int = 0, reportCount: Int = 0
    ) -> JSONObject {
        [
            "chatInfo": chatInfo,
            "chatItems": .array(items.map(\.json)),
            "chatStats": .object([
                "unreadCount": .integer(Int64(unreadCount)), "unreadMentions": .integer(Int64(unreadMentions)),
                "reportsCount": .integer(Int64(reportCount)),
                "minUnreadItemId": .integer(marks.firstUnread?.number ?? 0), "unreadChat": .bool(marks.isUnread),
            ]),
        ]
    }

    /// Reads an `AChat` with any number of entries.
    static func contents(
        from fields: inout JSONFields
    ) throws(DecodeError) -> (chat: Chat, items: [ChatItem]) {
        let chat: Chat = try fields.required("chatInfo")
        let items = try fields.list("chatItems") { item throws(DecodeError) in
            try ChatItem(in: chat.reference, from: &item)
        }
        return (chat, items)
    }

    /// Reads a list of `AChat`: conversations, requests, and connections that are not with a contact yet.
    static func list(
        _ name: StaticText, from fields: inout JSONFields
    ) throws(DecodeError) -> (chats: [ChatPreview], requests: [ReceivedRequest], pending: [ContactConnection]) {
        var chats: [ChatPreview] = []
        var requests: [ReceivedRequest] = []
        var pending: [ContactConnection] = []
        for element in try fields.elements(name) {
            guard let object = element.object else { throw .invalid(name) }
            var fields = JSONFields(object)
            switch object["chatInfo"]?.object?["type"]?.string {
            case ContactConnection.chatType:
                var chat = try fields.object("chatInfo")
                pending.append(try chat.required("contactConnection"))
            case ReceivedRequest.chatType:
                var chat = try fields.object("chatInfo")
                requests.append(try chat.required("contactRequest"))
            default: chats.append(try ChatPreview(from: &fields))
            }
        }
        return (chats, requests, pending)
    }
}

extension ContactConnection {
    /// The type of its `ChatInfo`.
    fileprivate static let chatType = "contactConnection"

    /// `AChat` of the API.
    var chatJSON: JSONValue {
        .object(
            ChatPreview.fields(
                .object(["type": .string(ContactConnection.chatType), "contactConnection": json]), [], unreadCount: 0))
    }
}

extension PurgedChat: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let items = try fields.integers("chatItemIds").map { ChatItemID($0) }
        self.init(chat: try fields.required("chatInfo"), items: items)
    }

    /// The conversation and the messages for other programs; the official API has none.
    public var fields: JSONObject {
        [
            chat.reference.idField: .integer(chat.reference.number), "count": .integer(Int64(items.count)),
            "chatInfo": chat.json, "chatItemIds": .array(items.map { .integer($0.number) }),
        ]
    }
}
