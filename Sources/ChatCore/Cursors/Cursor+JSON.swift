import AgentProtocol
public import ByteCoding
public import JSONCoding

extension Cursor: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        var failure: Failure?
        if let item = try fields.optionalInteger("failedItemId") {
            failure = Failure(item: ChatItemID(item), count: try fields.count("failures"))
        }
        self.init(
            name: try fields.text("name"), chat: try fields.optional("chatInfo"),
            place: try fields.optionalInteger("itemId").map { ChatItemID($0) },
            movedAt: try fields.timestamp("movedAt"), waiting: try fields.count("waiting"), failure: failure)
    }

    /// The cursor for other programs; the official API has none.
    public var fields: JSONObject {
        var fields: JSONObject = ["name": .string(name)]
        if let chat {
            fields.set(chat.reference.idField, chat.reference.number)
            fields.set("chatInfo", chat)
        }
        fields.set("itemId", place?.number)
        fields.set("movedAt", movedAt.description)
        fields.set("waiting", waiting)
        fields.set("failedItemId", failure?.item.number)
        fields.set("failures", failure?.count)
        return fields
    }
}
