import ByteCoding

/// Writes JSON text.
struct JSONWriter {
    private(set) var bytes: Bytes = []

    mutating func value(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .bool(let value): raw(value ? "true" : "false")
        case .integer(let value): raw("\(value)")
        case .number(let value): raw(value.literal)
        case .string(let value): string(value)
        case .array(let values): array(values)
        case .object(let fields): object(fields)
        }
    }

    private mutating func array(_ values: [JSONValue]) {
        raw("[")
        for (index, value) in values.enumerated() {
            if index > 0 { raw(",") }
            self.value(value)
        }
        raw("]")
    }

    private mutating func object(_ fields: JSONObject) {
        raw("{")
        let sorted = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (index, field) in sorted.enumerated() {
            if index > 0 { raw(",") }
            string(field.key)
            raw(":")
            value(field.value)
        }
        raw("}")
    }

    private mutating func string(_ text: String) {
        raw("\"")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): raw("\\\"")
            case UInt8(ascii: "\\"): raw("\\\\")
            case UInt8(ascii: "\n"): raw("\\n")
            case UInt8(ascii: "\r"): raw("\\r")
            case UInt8(ascii: "\t"): raw("\\t")
            case ..<0x20: raw("\\u00" + Hex.encode([byte]))
            default: bytes.append(byte)
            }
        }
        raw("\"")
    }

    private mutating func raw(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }
}
