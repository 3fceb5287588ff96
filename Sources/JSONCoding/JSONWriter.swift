import ByteCoding

/// A writer of JSON text without white space, so that a line break is always the end of a line.
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
        for (index, name) in fields.names.enumerated() {
            if index > 0 { raw(",") }
            string(name)
            raw(":")
            value(fields[name] ?? .null)
        }
        raw("}")
    }

    private mutating func string(_ text: String) {
        raw("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": raw("\\\"")
            case "\\": raw("\\\\")
            case "\n": raw("\\n")
            case "\r": raw("\\r")
            case "\t": raw("\\t")
            case _ where JSONWriter.isEscaped(scalar):
                raw("\\u" + Hex.encode([UInt8(scalar.value >> 8), UInt8(scalar.value & 0xff)]))
            default: bytes.append(contentsOf: scalar.utf8)
            }
        }
        raw("\"")
    }

    /// Returns true for characters to escape. RFC 8259 requires it for controls below U+0020. Other controls, line
    /// separators and bidirectional marks are escaped so that the line is safe to display.
    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }

    private mutating func raw(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }
}
