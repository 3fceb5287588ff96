public import JSONCoding

/// The only declaration of one type of object: its fields and the columns of its plain records. Output, `--fields`, the JSON
/// Schema, help and the manual are made from it.
public struct ReportForm: Hashable, Sendable {
    /// The value of its field `type`: `send`.
    public let type: String
    /// What it tells, in one line with a capital and without a final period.
    public let abstract: String
    /// The columns of a plain record, in order, each the name of a field; empty for a type that has no plain records.
    public let plain: [String]
    /// The fields besides `v` and `type`, which every object has.
    public let fields: [Field]

    /// A field of an object.
    public struct Field: Hashable, Sendable {
        public let name: String
        public let kind: Kind
        /// What its value means, as an abstract.
        public let abstract: String
        /// Whether it may be missing, which means that it is unknown or does not apply.
        public let isOptional: Bool
        /// The field with the same value that readers use instead; nil unless this one is only kept for version 1.
        public private(set) var successor: String?

        /// The same field, kept for version 1 beside another one that has its value.
        public func kept(for successor: String) -> Field {
            var field = self
            field.successor = successor
            return field
        }

        /// A field that every object of the type has.
        public static func always(_ name: String, _ kind: Kind, _ abstract: String) -> Field {
            Field(name: name, kind: kind, abstract: abstract, isOptional: false)
        }

        /// A field that some objects of the type have.
        public static func sometimes(_ name: String, _ kind: Kind, _ abstract: String) -> Field {
            Field(name: name, kind: kind, abstract: abstract, isOptional: true)
        }
    }

    /// What a value can be.
    public indirect enum Kind: Hashable, Sendable {
        case text
        /// The id of something, which stays what it is: a letter and a number.
        case id
        /// RFC 3339 in UTC, with milliseconds.
        case time
        /// One of these words. Later versions may add some.
        case word([String])
        case flag
        /// A number from zero.
        case count
        /// A number of bytes.
        case size
        /// A length of time in milliseconds.
        case duration
        /// A list of texts.
        case texts
        /// A list of numbers from zero.
        case numbers
        /// Numbers from zero under names of which later versions may add some.
        case counts
        /// Inner fields; none if they differ from object to object.
        case object([Field])
        /// A list of such.
        case objects([Field])
    }

    /// A report whose objects have these fields.
    ///
    /// - Parameter plain: The columns of a plain record, unless others are asked for.
    public init(_ type: String, _ abstract: String, plain: [String] = [], _ fields: [Field]) {
        self.type = type
        self.abstract = abstract
        self.plain = plain
        self.fields = fields
    }

    /// The fields that every object begins with.
    public static let common: [Field] = [
        .always("v", .count, "Version of the format, which is 1"), .always("type", .text, "Type of the object"),
    ]

    /// The same fields under another type.
    public func renamed(_ type: String, _ abstract: String) -> ReportForm {
        ReportForm(type, abstract, plain: plain, fields)
    }

    /// The same report, whose plain records have other columns.
    public func with(plain: [String]) -> ReportForm {
        ReportForm(type, abstract, plain: plain, fields)
    }

    /// The names that plain records may have as columns: those of all fields, and of the fields inside them as `lock.pid`.
    public var columnNames: [String] { (ReportForm.common + fields).columnNames }
}

extension [ReportForm.Field] {
    fileprivate var columnNames: [String] {
        flatMap { field in [field.name] + field.kind.inner.columnNames.map { "\(field.name).\($0)" } }
    }
}

extension ReportForm.Kind {
    /// The fields of the objects inside.
    var inner: [ReportForm.Field] {
        switch self {
        case .object(let fields), .objects(let fields): fields
        case .text, .id, .time, .word, .flag, .count, .size, .duration, .texts, .numbers, .counts: []
        }
    }
}

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
