import ByteCoding

extension JSONObject {
    /// The object on one line (RFC 8259), without a line break at the end.
    public var line: String {
        var writer = JSONWriter()
        writer.write(.object(self))
        return writer.text
    }
}

extension JSONValue {
    /// The value on one line (RFC 8259).
    public var line: String {
        var writer = JSONWriter()
        writer.write(self)
        return writer.text
    }
}

/// Writes JSON without any white space, so a line break can only be the end of a line.
struct JSONWriter {
    private(set) var text = ""

    mutating func write(_ value: JSONValue) {
        switch value {
        case .string(let string): write(string)
        case .integer(let number): text += String(number)
        case .boolean(let isTrue): text += isTrue ? "true" : "false"
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                write(value)
            }
            text += "]"
        case .object(let object):
            text += "{"
            var isFirst = true
            object.forEach { name, value in
                if !isFirst { text += "," }
                isFirst = false
                write(name)
                text += ":"
                write(value)
            }
            text += "}"
        }
    }

    private mutating func write(_ string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where JSONWriter.isEscaped(scalar):
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    /// RFC 8259 demands it for the controls below U+0020. The other controls, line separators and bidirectional marks
    /// are escaped so that the line is also harmless when a person looks at it; programs read the same text.
    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
