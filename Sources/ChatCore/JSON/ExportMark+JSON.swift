public import ByteCoding
public import JSONCoding

extension ExportMark: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        guard let id = try fields.optionalBytes("exportId"), id.count == ExportMark.idSize else {
            throw .invalid("exportId")
        }
        self.init(
            id: id, number: try fields.integer("number"), exportedAt: try fields.timestamp("exportedAt"),
            isComplete: try fields.bool("complete"), isFrozen: try fields.bool("frozen"),
            steps: try fields.integer("steps"), importedAt: try fields.optionalTimestamp("importedAt"),
            isBackup: try fields.bool("backup"))
    }

    public var fields: JSONObject {
        var fields: JSONObject = [
            "exportId": .string(Base64URL.encode(id)), "number": .integer(number),
            "exportedAt": .string(exportedAt.apiText), "complete": .bool(isComplete), "frozen": .bool(isFrozen),
            "steps": .integer(steps),
        ]
        fields.set("importedAt", importedAt?.apiText)
        fields.set("backup", isBackup)
        return fields
    }
}
