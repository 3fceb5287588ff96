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
            name: try fields.text("name"), contact: try fields.optional("contact"),
            place: try fields.optionalInteger("itemId").map { ChatItemID($0) },
            movedAt: try fields.timestamp("movedAt"), waiting: try fields.count("waiting"), failure: failure)
    }

    /// The cursor for other programs; the official API has none.
    public var fields: JSONObject {
        var fields: JSONObject = ["name": .string(name)]
        fields.set("contactId", contact?.id.number)
        fields.set("contact", contact)
        fields.set("itemId", place?.number)
        fields.set("movedAt", movedAt.description)
        fields.set("waiting", waiting)
        fields.set("failedItemId", failure?.item.number)
        fields.set("failures", failure?.count)
        return fields
    }
}
