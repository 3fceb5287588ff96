public import ByteCoding
public import JSONCoding

extension Draft: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        text = try fields.text("text")
        answers = try fields.optionalInteger("answers").map { ChatItemID($0) }
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["text": .string(text)]
        fields.set("answers", answers?.number)
        return fields
    }
}
