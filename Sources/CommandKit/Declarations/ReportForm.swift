public import JSONCoding

/// The declaration of one type of JSON object: its fields and the columns of its plain records. Output, `--fields`, the
/// JSON Schema, help and the manual are made from it.
public struct ReportForm: Hashable, Sendable {
    /// The value of the field `type`: `send`.
    public let type: String
    /// The summary in one line, with a capital and without a final period.
    public let abstract: String
    /// The columns of a plain record, in order, by the names of fields; empty for a type without plain records.
    public let plain: [String]
    /// The fields besides `v` and `type`, which every object has.
    public let fields: [Field]

    /// A field of an object.
    public struct Field: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The kind of value.
        public let kind: Kind
        /// The meaning of the value, as a summary.
        public let abstract: String
        /// True if the field may be missing, which means that its value is unknown or does not apply.
        public let isOptional: Bool
        /// The replacement of a deprecated field; nil for other fields.
        public private(set) var successor: String?

        /// Returns the field as deprecated, kept for version 1 beside its successor.
        public func kept(for successor: String) -> Field {
            var field = self
            field.successor = successor
            return field
        }

        /// Returns a required field.
        public static func always(_ name: String, _ kind: Kind, _ abstract: String) -> Field {
            Field(name: name, kind: kind, abstract: abstract, isOptional: false)
        }

        /// Returns an optional field.
        public static func sometimes(_ name: String, _ kind: Kind, _ abstract: String) -> Field {
            Field(name: name, kind: kind, abstract: abstract, isOptional: true)
        }
    }

    /// The kind of a value.
    public indirect enum Kind: Hashable, Sendable {
        /// A text.
        case text
        /// A permanent id: a letter and a number.
        case id
        /// A time in RFC 3339, UTC, with milliseconds.
        case time
        /// One of these words. Later versions may add some.
        case word([String])
        /// True or false.
        case flag
        /// An integer from zero.
        case count
        /// A size in bytes.
        case size
        /// A duration in milliseconds.
        case duration
        /// A list of texts.
        case texts
        /// A list of integers from zero.
        case numbers
        /// Integers from zero by name. Later versions may add names.
        case counts
        /// An inner object; without fields if they differ from object to object.
        case object([Field])
        /// A list of inner objects.
        case objects([Field])
    }

    /// Creates a report with these fields.
    ///
    /// - Parameter plain: The default columns of a plain record.
    public init(_ type: String, _ abstract: String, plain: [String] = [], _ fields: [Field]) {
        self.type = type
        self.abstract = abstract
        self.plain = plain
        self.fields = fields
    }

    /// The first fields of every object.
    public static let common: [Field] = [
        .always("v", .count, "Version of the format, which is 1"), .always("type", .text, "Type of the object"),
    ]

    /// Returns the same fields under another type.
    public func renamed(_ type: String, _ abstract: String) -> ReportForm {
        ReportForm(type, abstract, plain: plain, fields)
    }

    /// Returns the report with other columns of plain records.
    public func with(plain: [String]) -> ReportForm {
        ReportForm(type, abstract, plain: plain, fields)
    }

    /// The allowed columns of plain records: all fields, and inner fields as `lock.pid`.
    public var columnNames: [String] { (ReportForm.common + fields).columnNames }
}

extension [ReportForm.Field] {
    fileprivate var columnNames: [String] {
        flatMap { field in [field.name] + field.kind.inner.columnNames.map { "\(field.name).\($0)" } }
    }
}

extension ReportForm.Kind {
    /// The fields of inner objects.
    var inner: [ReportForm.Field] {
        switch self {
        case .object(let fields), .objects(let fields): fields
        case .text, .id, .time, .word, .flag, .count, .size, .duration, .texts, .numbers, .counts: []
        }
    }
}

extension ReportForm {
    /// The JSON Schema of the objects (JSON Schema 2020-12).
    ///
    /// Unknown fields are allowed, because later versions add some. The columns of plain records are in `x-plain`.
    public var schema: JSONObject {
        var properties: JSONObject = ["v": .object(["const": 1]), "type": .object(["const": .string(type)])]
        for field in fields { properties[field.name] = .object(field.schema) }
        var schema: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string(type),
            "description": .string(abstract), "type": "object", "properties": .object(properties),
            "required": .array((ReportForm.common + fields).required),
        ]
        // Not a keyword of JSON Schema: readers of schemas ignore it.
        if !plain.isEmpty { schema["x-plain"] = .array(plain.map { .string($0) }) }
        return schema
    }
}

extension ReportForm.Field {
    /// The schema of the value with its meaning.
    fileprivate var schema: JSONObject {
        var schema = kind.schema
        schema.set("description", meaning)
        if successor != nil { schema.set("deprecated", true) }
        return schema
    }
}

extension ReportForm.Field {
    /// The summary, with the successor of a deprecated field.
    var meaning: String { successor.map { "\(abstract); the same as \($0), kept for version 1" } ?? abstract }
}

extension [ReportForm.Field] {
    /// The names of the required fields.
    fileprivate var required: [JSONValue] { filter { !$0.isOptional }.map { .string($0.name) } }
}

extension ReportForm.Kind {
    fileprivate var schema: JSONObject {
        switch self {
        case .text: ["type": "string"]
        case .id: ["type": "string", "pattern": "^[a-z][1-9][0-9]*$"]
        case .time:
            // RFC 3339 allows more than tacit prints.
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
