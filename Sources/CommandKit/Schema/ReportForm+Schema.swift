public import JSONCoding

extension ReportForm {
    /// The JSON Schema of the objects of this type (JSON Schema 2020-12).
    ///
    /// Fields that it does not know are allowed, because later versions add some. The columns of plain records are in
    /// `x-plain`.
    public var schema: JSONObject {
        var properties: JSONObject = ["v": .object(["const": 1]), "type": .object(["const": .string(type)])]
        for field in fields { properties[field.name] = .object(field.schema) }
        var schema: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string(type),
            "description": .string(abstract), "type": "object", "properties": .object(properties),
            "required": .array((ReportForm.common + fields).required),
        ]
        // No keyword of JSON Schema: readers of schemas ignore it.
        if !plain.isEmpty { schema["x-plain"] = .array(plain.map { .string($0) }) }
        return schema
    }
}

extension ReportForm.Field {
    /// The schema of the value, with what it means.
    fileprivate var schema: JSONObject {
        var schema = kind.schema
        schema.set("description", meaning)
        if successor != nil { schema.set("deprecated", true) }
        return schema
    }
}

extension ReportForm.Field {
    /// The abstract, with the field that readers use instead if there is one.
    var meaning: String { successor.map { "\(abstract); the same as \($0), kept for version 1" } ?? abstract }
}

extension [ReportForm.Field] {
    /// The names of those that must be there.
    fileprivate var required: [JSONValue] { filter { !$0.isOptional }.map { .string($0.name) } }
}

extension ReportForm.Kind {
    fileprivate var schema: JSONObject {
        switch self {
        case .text: ["type": "string"]
        case .id: ["type": "string", "pattern": "^[a-z][1-9][0-9]*$"]
        case .time:
            // RFC 3339 allows more than what is printed.
            [
                "type": "string", "format": "date-time",
                "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
            ]
        case .word(let words): ["type": "string", "enum": .array(words.map { .string($0) })]
        case .flag: ["type": "boolean"]
        case .count, .size, .duration: ["type": "integer", "minimum": 0]
        case .texts: ["type": "array", "items": .object(["type": "string"])]
        case .numbers: ["type": "array", "items": .object(ReportForm.Kind.count.schema)]
        case .objects(let fields): ["type": "array", "items": .object(ReportForm.Kind.object(fields).schema)]
        case .counts: ["type": "object", "additionalProperties": .object(["type": "integer", "minimum": 0])]
        case .object(let fields):
            [
                "type": "object",
                "properties": .object(fields.reduce(into: [:]) { $0[$1.name] = .object($1.schema) }),
                "required": .array(fields.required),
            ]
        }
    }
}
