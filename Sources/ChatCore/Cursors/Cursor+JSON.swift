import AgentProtocol
import ByteCoding
import JSONCoding

extension Cursor {
    /// The cursor for other programs; the official API has none.
    var json: JSONValue {
        var fields: JSONObject = ["name": .string(name)]
        fields.set("contactId", contact?.id.number)
        fields.set("itemId", place?.number)
        fields.set("movedAt", movedAt.description)
        fields.set("waiting", waiting)
        fields.set("failedItemId", failure?.item.number)
        fields.set("failures", failure?.count)
        return .object(fields)
    }
}
