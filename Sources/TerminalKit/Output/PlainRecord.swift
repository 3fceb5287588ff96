public import JSONCoding

/// One record of the `--plain` format: fields separated by tabs, with escapes so that a field cannot contain a
/// separator.
///
/// Tab, line break and backslash are `\t`, `
/// ` and `\\`, carriage return is `\r`, and any other control character is `\x` with two digits. The format is safe on
/// a terminal and preserves every byte.
public struct PlainRecord: Hashable, Sendable {
    private let fields: [String]

    /// The end of a record: a line break, or the NUL byte of `-0`.
    public enum Terminator: String, Hashable, Sendable {
        /// A line break.
        case newline = "\n"
        /// The NUL byte.
        case nul = "\0"
    }

    /// Creates a plain record from its parts.
    public init(_ fields: [String]) {
        self.fields = fields
    }

    /// Returns the record with its end.
    public func text(endingWith terminator: Terminator = .newline) -> String {
        fields.map(PlainRecord.escape).joined(separator: "\t") + terminator.rawValue
    }

    private static func escape(_ field: String) -> String {
        var result = ""
        for scalar in field.unicodeScalars {
            if scalar == "\\" {
                result += "\\\\"
            } else if scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value) {
                result += Escaping.escape(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension JSONObject {
    /// Creates an object for scripts, with its version and type first.
    public init(type: String) {
        self = ["v": 1, "type": .string(type)]
    }
}
